#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels for which nobody tuned the compiler: Mim against C, one table.

usage: run.py [--mim PROGRAM] [--rounds N] [--only NAME,…]

kernels.mim is compiled with `mim build -O3`, kernels.c with gcc-12 and clang-19 at -O3 -march=native, without contraction of floating-point
operations, which strict arithmetic excludes. All three are called in this process, in turn, with the same arguments. Times are CPU
times in ms, the least of the rounds; the ratio is Mim's time by the better one of C. The exit status is 0 if all three agree.
Needs gcc-12 and clang-19.
"""
import argparse, ctypes, os, pathlib, random, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
U64, U32, F32 = ctypes.c_uint64, ctypes.c_uint32, ctypes.c_float


class Array(ctypes.Structure):
    """An array as Mim takes it; C takes its parts."""

    _fields_ = [("n", U64), ("at", ctypes.c_void_p)]


class Node(ctypes.Structure):
    pass


Node._fields_ = [("value", U64), ("next", ctypes.POINTER(Node))]


class Tree(ctypes.Structure):
    pass


Tree._fields_ = [("left", ctypes.POINTER(Tree)), ("right", ctypes.POINTER(Tree))]


def bytes_(values):
    return (ctypes.c_uint8 * len(values)).from_buffer_copy(bytes(values))


def ints(values):
    return (U32 * len(values))(*values)


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


def noise(n, most=255):
    return [random.randrange(most + 1) for _ in range(n)]


def crc_table():
    table = []
    for c in range(256):
        for _ in range(8):
            c = 0xEDB88320 ^ c >> 1 if c & 1 else c >> 1
        table.append(c)
    return ints(table)


def ring(n):
    nodes = (Node * n)()
    for i in range(n):
        nodes[i].value = i
        nodes[i].next = ctypes.pointer(nodes[(i * 7919 + 1) % n])
    return nodes


def tree(levels):
    nodes = (Tree * (2**levels - 1))()
    for i in range(2 ** (levels - 1) - 1):
        nodes[i].left = ctypes.pointer(nodes[2 * i + 1])
        nodes[i].right = ctypes.pointer(nodes[2 * i + 2])
    return nodes


def brain():
    """A program of `><+-[]`, where its brackets lead, and its tape."""
    text = "++++++++[>" * 5 + "++++++++[-]" + "<-]" * 5
    jump, open_ = [0] * len(text), []
    for i, c in enumerate(text):
        if c == "[":
            open_.append(i)
        if c == "]":
            begin = open_.pop()
            jump[begin], jump[i] = i + 1, begin + 1
    return bytes_([1 + "><+-[]".index(c) for c in text] + [0]), ints(jump + [0]), bytes_([0] * 64)


def kernels():
    """Name, result, arguments. Arrays are copied for each round, and compared behind it."""
    random.seed(1)
    symbols = lambda n: bytes_(noise(n, 3))
    square = lambda n: doubles([random.random() for _ in range(n * n)])
    text = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    yield "lev", U32, [symbols(2000), symbols(2000), ints([0] * 2001)]
    yield "sieve", U64, [bytes_([0] * 3_000_000)]
    yield "crc", U32, [crc_table(), bytes_(noise(2_000_000))]
    yield "matmul", None, [300, square(300), square(300), square(300)]
    yield "search", U64, [ints(range(0, 700_000, 7)), ints(noise(300_000, 700_000))]
    yield "collatz", U64, [300_000]
    yield "heap", None, [ints(noise(200_000, 2**31 - 1))]
    yield "life", None, [1000, 1000, bytes_(noise(1_000_000, 1)), bytes_([0] * 1_000_000)]
    yield "floyd", None, [300, ints(noise(90_000, 65_535))]
    yield "base64", None, [bytes_(text), bytes_(noise(1_500_000)), bytes_([0] * 2_000_000)]
    yield "knap", U32, [ints([1 + x for x in noise(100, 4095)]), ints(noise(100, 4095)), ints([0] * 200_001)]
    yield "histogram", None, [bytes_(noise(3_000_000)), (U64 * 256)()]
    yield "gcds", U64, [600]
    yield "find", U64, [bytes_([97 + x for x in noise(2_000_000, 3)]), bytes_(b"abcabd")]
    yield "nqueens", U64, [11]
    yield "fib", U64, [32]
    yield "unions", U64, [ints([0] * 200_000), ints(noise(600_000, 199_999))]
    yield "lu", None, [300, doubles([random.random() + 300 * (i % 301 == 0) for i in range(90_000)])]
    yield "transpose", None, [1000, square(1000), square(1000)]
    yield "mandel", U64, [300]
    yield "words", U64, [bytes_([32 if x < 40 else x for x in noise(3_000_000)])]
    yield "chase", U64, [ring(200_000), 1_000_000]
    yield "radix", None, [ints(noise(500_000, 2**32 - 1)), ints([0] * 500_000), ints([0] * 256)]
    yield "dot", F32, [(F32 * 1_000_000)(*(random.random() for _ in range(1_000_000))), (F32 * 1_000_000)(*([0.5] * 1_000_000))]
    yield "jacobi", None, [1000, square(1000), square(1000)]
    yield "rolling", U64, [bytes_(noise(1_000_000)), 16, 12345]
    yield "brain", U64, list(brain())
    yield "tak", U64, [18, 12, 6]
    yield "ack", U64, [3, 8]
    yield "count", U64, [tree(16)]


def is_copied(argument):
    """Not what points to itself."""
    return isinstance(argument, ctypes.Array) and argument._type_ not in (Node, Tree)


def parts(argument, is_mim):
    if isinstance(argument, int):
        return [U64(argument)]
    if not is_copied(argument):
        return [ctypes.byref(argument)]
    whole = Array(len(argument), ctypes.addressof(argument))
    return [whole] if is_mim else [U64(whole.n), ctypes.c_void_p(whole.at)]


def call(library, is_mim, name, result, arguments):
    """CPU time in ms, and everything that the kernel may have changed."""
    copies = [type(a).from_buffer_copy(a) if is_copied(a) else a for a in arguments]
    function = getattr(library, name)
    function.restype = result
    flat = [p for a in copies for p in parts(a, is_mim)]
    begin = time.process_time_ns()
    value = function(*flat)
    spent = time.process_time_ns() - begin
    return spent / 1e6, (value, [bytes(c) for c in copies if is_copied(c)])


def build(options, folder):
    mim, gcc, clang = (os.path.join(folder, name) for name in ("mim.so", "gcc.so", "clang.so"))
    subprocess.run([options.mim, "build", "-O3", "--emit", "shared", "-o", mim, HERE / "kernels.mim"], check=True)
    for compiler, library in (("gcc-12", gcc), ("clang-19", clang)):
        subprocess.run([compiler, *FLAGS, HERE / "kernels.c", "-o", library], check=True)
    return [ctypes.CDLL(library) for library in (mim, gcc, clang)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only = options.only.split(",") if options.only else []
    wrong, product, rows = [], 1.0, 0
    print(f"{'kernel':10} {'mim ms':>9} {'gcc':>9} {'clang':>9} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        libraries = build(options, folder)
        for name, result, arguments in kernels():
            if only and name not in only:
                continue
            best, seen = [float("inf")] * 3, [None] * 3
            for _ in range(options.rounds):
                for i, library in enumerate(libraries):
                    spent, seen[i] = call(library, i == 0, name, result, arguments)
                    best[i] = min(best[i], spent)
            ratio = best[0] / min(best[1:])
            agrees = seen[0] == seen[1] == seen[2]
            print(f"{name:10} {best[0]:9.2f} {best[1]:9.2f} {best[2]:9.2f} {ratio:7.2f} {'' if agrees else 'DIFFERS'}", flush=True)
            wrong += [] if agrees else [name]
            product, rows = product * ratio, rows + 1
    print(f"{'geometric mean':38} {product ** (1 / max(rows, 1)):9.2f}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
