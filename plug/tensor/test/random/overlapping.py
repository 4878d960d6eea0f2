#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the functions of ../overlapping.mim at random places of one memory: `overlapping.py LIBRARY SEED`. Prints nothing if all agree."""
import ctypes
import random
import sys

NUMBERS = 64  # of the memory


def product(x, y, l, m, n):
    result = []
    for i in range(l):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total = total + x[i * m + k] * y[k * n + j]
            result.append(total)
    return result


def columns(x, v, n, m):
    return product(v, x, 1, n, m)


def transposed(x, n, m):
    return [x[j * m + i] for i in range(m) for j in range(n)]


def squared(x, n):
    return product(x, transposed(x, n, n), n, n, n)


def scanned(x):
    result, value = [], 0.25
    for element in x:
        value = value * 0.5 + element
        result.append(value)
    return result


def row(v):
    total = 0.0
    for element in v:
        total = total + element
    w = [element + total for element in v]
    return [a * 0.5 + b - max(w) for a, b in zip(w, reversed(w))]


def rows(x, n, m):
    return [element for i in range(n) for element in row(x[i * m:i * m + m])]


def mapped(x):
    return [element * 3.0 + 1.0 for element in x]


def added(x, y):
    return [a * 2.0 + b for a, b in zip(reversed(x), y)]


# name → sizes, the lengths of what is read and written for them, and what is written
KERNELS = {
    "map": (1, lambda n: ([n], [n]), lambda x, n: [mapped(x)]),
    "reverse": (1, lambda n: ([n], [n]), lambda x, n: [x[::-1]]),
    "scan": (1, lambda n: ([n], [n]), lambda x, n: [scanned(x)]),
    "add": (1, lambda n: ([n, n], [n]), lambda x, y, n: [added(x, y)]),
    "scatter": (1, lambda n: ([n, n], [n]), lambda x, y, n: [[a - b for a, b in zip(x, y)]]),
    "both": (1, lambda n: ([n], [n, n]), lambda x, n: [mapped(x), added(x, mapped(x))]),
    "transpose": (2, lambda n, m: ([n * m], [n * m]), lambda x, n, m: [transposed(x, n, m)]),
    "rows": (2, lambda n, m: ([n * m], [n * m]), lambda x, n, m: [rows(x, n, m)]),
    "columns": (2, lambda n, m: ([n * m, n], [m]), lambda x, v, n, m: [columns(x, v, n, m)]),
    "product": (3, lambda l, m, n: ([l * m, m * n], [l * n]), lambda x, y, l, m, n: [product(x, y, l, m, n)]),
    "chain": (1, lambda n: ([n * n, n * n], [n * n]), lambda x, y, n: [squared(product(x, y, n, n, n), n)]),
}
LARGEST = {"chain": 5, "columns": 5, "product": 5, "transpose": 5, "rows": 5}


def place(rng, length):
    anywhere, close = rng.randrange(NUMBERS - length + 1), 20 + rng.randrange(6)
    return anywhere if rng.random() < 0.5 else min(NUMBERS - length, close)


def run(library, rng):
    name = rng.choice(list(KERNELS))
    num_sizes, lengths, meaning = KERNELS[name]
    sizes = [rng.randrange(LARGEST.get(name, 13)) for _ in range(num_sizes)]
    read, written = lengths(*sizes)
    sources, targets = [place(rng, n) for n in read], [place(rng, n) for n in written]
    expected = [rng.uniform(-1, 1) for _ in range(NUMBERS)]
    memory = (ctypes.c_double * NUMBERS)(*expected)
    results = meaning(*[expected[at:at + n] for at, n in zip(sources, read)], *sizes)
    for at, result in zip(targets, results):
        expected[at:at + len(result)] = result
    places = [ctypes.c_void_p(ctypes.addressof(memory) + 8 * at) for at in sources + targets]
    getattr(library, "k_" + name)(*map(ctypes.c_uint64, sizes), *places)
    if list(memory) == expected:
        return True
    print(f"{name} {sizes}, from {sources} to {targets}: {list(memory)} is not {expected}")
    return False


def main():
    library, rng = ctypes.CDLL(sys.argv[1]), random.Random(int(sys.argv[2]))
    return 0 if all([run(library, rng) for _ in range(3000)]) else 1


if __name__ == "__main__":
    sys.exit(main())
