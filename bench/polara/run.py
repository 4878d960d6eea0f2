#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels in Polara against C and NumPy, in one process, interleaved: `bench/polara/run.py [--mim PATH] [--small] [NAME…]`.

A row for each kernel and mode: our time and its spread (maximum ÷ minimum); C that follows the text (written.c) and C for speed
(hand.c), each by the better of gcc-12 and clang-19, and our time by theirs; NumPy, unfused, if it is installed; and what the ratio to
the best C may be, or `LOSS`. Times are ms of CPU time of one call, the least of 7. Results are compared, with C of the same mode: bit
for bit in `math strict`, to 1e-12 in `math fast`. --small: tiny sizes, results only."""
import argparse
import ctypes
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"
try:
    import numpy
except ImportError:
    numpy = None

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = ("gcc-12", "clang-19")
TEXTS = ("written", "hand")
ROUNDS = 7
FLAGS = ["-O3", "-march=native", "-shared", "-fPIC", "-fno-math-errno"]
MODES = {"strict": {c: ["-ffp-contract=off"] for c in COMPILERS},
         "fast": {"gcc-12": ["-ffast-math"], "clang-19": ["-ffast-math", "-fveclib=libmvec"]}}


def numbers(n, low=-1.0, high=1.0):
    rng = random.Random(n)
    block = [rng.uniform(low, high) for _ in range(min(n, 4099))]
    array = (ctypes.c_double * max(n, 1))()
    for begin in range(0, n, len(block) or 1):
        part = block[: min(len(block), n - begin)]
        array[begin:begin + len(part)] = part
    return array


def matrix(a, *shape):
    return numpy.frombuffer(a, count=math.prod(shape)).reshape(shape)


def options_np(n, t):
    t = matrix(t, n)

    def cdf(d):
        k = 1 / (1 + 0.2316419 * numpy.abs(d))
        p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        c = 0.3989422804014327 * numpy.exp(-0.5 * d * d) * p
        return numpy.where(d > 0, 1 - c, c)

    root = numpy.sqrt(t)
    d1 = 1.5 * t / root
    d2 = d1 - root
    discount = numpy.exp(-t)
    return cdf(d1) - discount * cdf(d2), discount * cdf(-d2) - cdf(-d1)


def softmax_np(n, m, x):
    x = matrix(x, n, m)
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def distances_np(n, d, p):
    p = matrix(p, n, d)
    difference = p[:, None, :] - p[None, :, :]
    return numpy.sqrt((difference * difference).sum(axis=2))


def sums_np(n, v, w):
    v, w = matrix(v, n), matrix(w, n)
    return ((v + w) * (v - w) + v * w).sum()


def allowed(strict, fast):
    return {"strict": strict, "fast": fast}


# name → sizes, and tiny ones; arguments; elements of the result (0: a number); NumPy; in each mode, the rival and the ratio allowed
KERNELS = {
    "options": ([(10**6,)], (37,), lambda n: [numbers(n, 0.1, 5)], lambda n: 2 * n, options_np,
                allowed(("hand", 1.05), ("hand", 1.05))),
    "conv": ([(64, 10**6)], (5, 70), lambda n, m: [numbers(n), numbers(n + m - 1)], lambda n, m: m,
             lambda n, m, x, y: numpy.correlate(matrix(y, n + m - 1), matrix(x, n), "valid"),
             allowed(("hand", 1.1), ("hand", 1.1))),
    "dense": ([(4096, 4096)], (19, 7), lambda n, m: [numbers(n), numbers(n * m), numbers(m)], lambda n, m: n,
              lambda n, m, b, W, x: numpy.maximum(0, matrix(W, n, m) @ matrix(x, m) + matrix(b, n)),
              allowed(("written", 0.5), ("hand", 1.1))),
    "matmul": ([(512,) * 3, (1024,) * 3], (7, 5, 40), lambda l, m, n: [numbers(l * m), numbers(m * n)], lambda l, m, n: l * n,
               lambda l, m, n, a, b: matrix(a, l, m) @ matrix(b, m, n),
               allowed(("hand", 1.1), ("hand", 1.25))),
    "sums": ([(4 * 10**6,)], (37,), lambda n: [numbers(n), numbers(n + 1)], lambda n: 0, sums_np,
             allowed(("written", 1.05), ("written", 1.05))),
    "softmax": ([(2048, 2048)], (5, 7), lambda n, m: [numbers(n * m)], lambda n, m: n * m, softmax_np,
                allowed(("written", 1.05), ("written", 1.05))),
    "distances": ([(1000, 3)], (9, 3), lambda n, d: [numbers(n * d)], lambda n, d: n * n, distances_np,
                  allowed(("written", 1.05), ("written", 1.05))),
}


def build(mim, folder):
    ours, rivals = {}, {}
    for mode, flags in MODES.items():
        text = folder / f"kernels_{mode}.polara"
        text.write_text(f"math {mode}\n" + (HERE / "kernels.polara").read_text())
        library = folder / f"ours_{mode}.so"
        subprocess.run([mim, "build", "-O3", "--emit", "shared", "-o", library, text], check=True)
        ours[mode] = ctypes.CDLL(str(library))
        for compiler in COMPILERS:
            for c in TEXTS:
                library = folder / f"{compiler}_{c}_{mode}.so"
                subprocess.run([compiler, *FLAGS, *flags[compiler], "-o", library, HERE / f"{c}.c", "-lmvec", "-lm"], check=True)
                rivals[mode, compiler, c] = ctypes.CDLL(str(library))
    return ours, rivals


def prepared(function, sizes, arrays, elements):
    """A call, and its result after it."""
    arguments = [ctypes.c_uint64(size) for size in sizes] + arrays
    function.restype = None if elements else ctypes.c_double
    if not elements:
        return lambda: [function(*arguments)]
    result = (ctypes.c_double * elements)()
    return lambda: function(*arguments, result) or result


def is_same(a, b, mode):
    if mode == "strict":
        return bytes((ctypes.c_double * len(a))(*a)) == bytes((ctypes.c_double * len(b))(*b))
    scale = max(1.0, max(map(abs, b)))
    return all(abs(x - y) <= 1e-12 * scale for x, y in zip(a, b))


def row(name, mode, sizes, ours, rivals, is_small):
    _, _, make, count, by_numpy, bounds = KERNELS[name]
    arrays, elements = make(*sizes), count(*sizes)
    calls = {"ours": prepared(getattr(ours[mode], f"p_{name}"), sizes, arrays, elements)}
    for (its_mode, compiler, text), library in rivals.items():
        function = getattr(library, f"c_{name}", None)
        if its_mode == mode and function:
            calls[text, compiler] = prepared(function, sizes, arrays, elements)
    result = calls["ours"]()
    for who, call in calls.items():
        if not is_same(result, call(), mode):
            print(f"{name} {sizes} {mode}: the result differs from that of {who}")
            return False
    if is_small:
        return True
    if numpy:
        calls["NumPy"] = lambda: by_numpy(*sizes, *arrays)
    times = {who: [] for who in calls}
    for _ in range(ROUNDS):
        for who, call in calls.items():
            begin = time.process_time()
            call()
            times[who].append(1000 * (time.process_time() - begin))
    mine = min(times["ours"])
    cells, best = [f"{mine:.2f}", f"{max(times['ours']) / mine:.2f}"], {}
    for text in TEXTS:
        found = [(min(t), who[1]) for who, t in times.items() if who[0] == text]
        best[text] = min(found)[0] if found else best["written"]
        cells += [f"{min(found)[0]:.2f} {min(found)[1]}", f"{mine / min(found)[0]:.2f}"] if found else ["", ""]
    cells += [f"{min(times['NumPy']):.2f}", f"{mine / min(times['NumPy']):.2f}"] if numpy else ["", ""]
    rival, bound = bounds[mode]
    verdict = "" if mine <= bound * best[rival] else ", LOSS"
    print(f"| {name} | {'×'.join(map(str, sizes))} | {mode} | " + " | ".join(cells) + f" | ≤ {bound} {rival}{verdict} |", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=os.environ.get("MIM", "mim"))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("names", nargs="*", default=list(KERNELS))
    options = parser.parse_args()
    if not options.small:
        columns = ["kernel", "size", "math", "ours", "spread", "written", "ratio", "hand", "ratio", "NumPy", "ratio", "allowed"]
        print("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        ours, rivals = build(options.mim, pathlib.Path(folder))
        results = [row(name, mode, sizes, ours, rivals, options.small) for name in options.names for mode in MODES
                   for sizes in ([KERNELS[name][1]] if options.small else KERNELS[name][0])]
    if options.small:
        print(f"{sum(results)} of {len(results)} agree")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
