#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""C of the seven schedules of a product of matrices: gemm.py TEMPORARY.

Shows how many loops and buffers of the heap it has, and what OpenMP is told. It is compiled without a warning and called, with
numbers that are small and whole, so that sums are exact in any order."""
import ctypes
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "rise/test/gemm.rise"
SCHEDULES = ["baseline"] + [f"{name}(4, 2)" for name in
                            ("blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "threads")]
N = 8
A = [[(i * 3 + j * j) % 5 - 2 for j in range(N)] for i in range(N)]
B = [[(i * 2 + j * j) % 5 - 2 for j in range(N)] for i in range(N)]
PRODUCT = [float(sum(A[i][k] * B[k][j] for k in range(N))) for i in range(N) for j in range(N)]


def array_of(matrix):
    return (ctypes.c_float * (N * N))(*[x for row in matrix for x in row])


def main():
    for i, schedule in enumerate(SCHEDULES):
        code, library = pathlib.Path(f"{sys.argv[1]}{i}.c"), f"{sys.argv[1]}{i}.so"
        subprocess.run(["mim", "build", "--set", f"rise.strategy={schedule}", SOURCE, "--emit", "omp", "-o", code], check=True)
        text = code.read_text()
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-shared", "-fPIC", "-lm"]
        subprocess.run(["cc", *flags, "-o", library, code], check=True)
        out = (ctypes.c_float * (N * N))()
        product = ctypes.CDLL(library).product
        size = ctypes.c_uint64
        refused = product(out, size(N + 1), array_of(A), array_of(B))
        status = product(out, size(N), array_of(A), array_of(B))
        right = "right" if (refused, status, list(out)) == (1, 0, PRODUCT) else f"wrong: {refused}, {status}, {list(out)}"
        counts = [("loops", "for ("), ("buffers", "malloc("), ("with threads", "#pragma omp parallel"), ("of lanes", "#pragma omp simd")]
        print(f"{schedule}: " + ", ".join(f"{text.count(sign)} {what}" for what, sign in counts) + f", {right}")


if __name__ == "__main__":
    main()
