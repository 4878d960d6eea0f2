#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operations over small arrays with literal extents, against the same with run-time extents:
`bench/tensor/extents.py [--mim PATH] [N…]`.

Each operation is done for each of k rows of n numbers, or for each of k matrices of n × n, as often as makes about 40,000
numbers. Prints a row for each n: the least of twelve times with a literal n divided by that with a run-time n, run in turn. A
literal says more, so no ratio should be above 1; LOSS marks those above 1.15. Both results are compared.
"""
import argparse
import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 24, 25, 31, 32, 40]
NUMBERS, RUNS, LOSS = 40_000, 12, 1.15

HEAD = """plugin tensor;
let F   = %math.F64;
let f64 = %tensor.f64;
let M   = %mem.M;
lam number (n: Nat): F = %math.conv.u2f %math.f64 (%core.bitcast I64 n);
lam softmax {n: Nat} (a: «n; F»): «n; F» = {
    let largest = %tensor.max a;
    let e       = %tensor.map (λ (x: F): F = %math.exp.exp 0 (x - largest)) a;
    let sum     = %tensor.sum f64 e;
    %tensor.map (λ (x: F): F = x / sum) e
};
lam normed {n: Nat} (a: «n; F»): «n; F» = {
    let mean     = %tensor.sum f64 a / number n;
    let d        = %tensor.map (λ (x: F): F = x - mean) a;
    let variance = %tensor.sum f64 (%tensor.map (λ (x: F): F = x * x) d) / number n;
    %tensor.map (λ (x: F): F = x / %math.rt.sq 0 (variance + 0.00001)) d
};
lam distance {n: Nat} (a b: «n; F»): F = %tensor.sum f64 (%tensor.zip (λ (p q: F): F = (p - q) * (p - q)) (a, b));
"""

ROWS, MATRICES, ONE, MATRIX = "k, n", "k, n, n", "k", "n, n"
# name: shapes of the inputs and of the result, and the operation
OPERATIONS = {
    "product": (MATRICES, MATRICES, MATRICES, "%tensor.batched f64 (x, y)"),
    "apply": (MATRICES, ROWS, ROWS, "%tensor.einsum f64 ((0_3, 1_3), (0_3, 1_3, 2_3), (0_3, 2_3)) @(k, n, n) (x, y)"),
    "apply_t": (MATRICES, ROWS, ROWS, "%tensor.einsum f64 ((0_3, 2_3), (0_3, 1_3, 2_3), (0_3, 1_3)) @(k, n, n) (x, y)"),
    "shared": (ROWS, MATRIX, ROWS, "%tensor.product f64 (x, y)"),
    "shared_t": (ROWS, MATRIX, ROWS, "%tensor.product f64 (x, %tensor.transposed y)"),
    "transpose": (MATRICES, ROWS, MATRICES, "%tensor.map (λ (a: «n, n; F»): «n, n; F» = %tensor.transposed a) x"),
    "outer": (ROWS, ROWS, MATRICES, "%tensor.einsum f64 ((0_3, 1_3, 2_3), (0_3, 1_3), (0_3, 2_3)) @(k, n, n) (x, y)"),
    "add": (ROWS, ROWS, ROWS, "%tensor.zip (λ (a b: F): F = a + b) (x, y)"),
    "softmax": (ROWS, ROWS, ROWS, "%tensor.map softmax x"),
    "normed": (ROWS, ROWS, ROWS, "%tensor.map normed x"),
    "max": (ROWS, ROWS, ONE, "%tensor.map (λ (a: «n; F»): F = %tensor.max a) x"),
    "sum": (ROWS, ROWS, ONE, "%tensor.map (λ (a: «n; F»): F = %tensor.sum f64 a) x"),
    "sum2": (MATRICES, ROWS, ONE, "%tensor.map (λ (a: «n, n; F»): F = %tensor.sum f64 a) x"),
    "columns": (MATRICES, ROWS, ROWS,
                "%tensor.map (λ (a: «n, n; F»): «n; F» = %tensor.map (λ (r: «n; F»): F = %tensor.sum f64 r) (%tensor.transposed a)) x"),
    "trace": (MATRICES, ROWS, ONE, "%tensor.map (λ (a: «n, n; F»): F = %tensor.trace f64 a) x"),
    "scan": (ROWS, ROWS, ROWS, "%tensor.map (λ (a: «n; F»): «n; F» = %tensor.scan (λ (s a: F): F = s + a) (0.0:F, a)) x"),
    "reverse": (ROWS, ROWS, ROWS, "%tensor.map (λ (a: «n; F»): «n; F» = %tensor.reverse a) x"),
    "gram": (ROWS, MATRIX, MATRIX, "%tensor.product f64 (%tensor.transposed x, x)"),
    "distances": (ROWS, MATRIX, ROWS, "%tensor.map (λ (a: «n; F»): «n; F» = %tensor.map (λ (b: «n; F»): F = distance (a, b)) y) x"),
}


def program(n):
    """The text of all operations; with run-time extents if `n` is None."""
    text = HEAD if n is None else HEAD + f"let n = {n};\n"
    sizes = "k n" if n is None else "k"
    for name, (a, b, c, operation) in OPERATIONS.items():
        parameters = ", ".join(f"{p}: %mem.Ptr «{shape}; F»" for p, shape in zip("abc", (a, b, c)))
        text += f"""fun extern small_{name} (mem: M, {sizes}: Nat, {parameters}): M = {{
    let (mem, x) = %tensor.load (mem, a);
    let (mem, y) = %tensor.load (mem, b);
    return (%tensor.store (mem, c, {operation}))
}};
"""
    return text


def build(mim, folder, n):
    source, library = folder / f"{n}.mim", folder / f"{n}.so"
    source.write_text(program(n))
    subprocess.run([mim, "build", "-O3", "--emit", "shared", "-o", library, source], check=True)
    return ctypes.CDLL(str(library))


def count(shape, k, n):
    result = 1
    for extent in shape.split(", "):
        result *= k if extent == "k" else n
    return result


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def ratio(literal, run_time, name, n):
    """Of the times of an operation; None if the results differ."""
    k = max(NUMBERS // (n * n), 20)
    shapes = OPERATIONS[name][:3]
    random = numpy.random.default_rng(1)
    inputs = [random.integers(1, 9, count(shape, k, n)).astype(float) for shape in shapes[:2]]
    results = [numpy.zeros(count(shapes[2], k, n)) for _ in range(2)]
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in inputs + results]
    x, y, first, second = pointers
    of_literal, of_run_time = getattr(literal, "small_" + name), getattr(run_time, "small_" + name)
    rows, extent = ctypes.c_uint64(k), ctypes.c_uint64(n)
    times = [(seconds(lambda: of_literal(rows, x, y, first)), seconds(lambda: of_run_time(rows, extent, x, y, second)))
             for _ in range(RUNS)]
    if not numpy.allclose(*results, rtol=1e-12):
        return None
    return min(t[0] for t in times) / min(t[1] for t in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("sizes", nargs="*", type=int, metavar="N", default=SIZES)
    options = parser.parse_args()
    print("| n | " + " | ".join(OPERATIONS) + " |")
    print("| --- " * (len(OPERATIONS) + 1) + "|")
    losses, differ = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_time = build(options.mim, folder, None)
        for n in options.sizes:
            literal = build(options.mim, folder, n)
            ratios = {operation: ratio(literal, run_time, operation, n) for operation in OPERATIONS}
            differ += [f"{operation} {n}" for operation, r in ratios.items() if r is None]
            losses += [f"{operation} {n}: {r:.2f}" for operation, r in ratios.items() if r and r > LOSS]
            print(f"| {n} | " + " | ".join("differ" if r is None else f"{r:.2f}" for r in ratios.values()) + " |", flush=True)
    for loss in losses:
        print("LOSS", loss)
    return "results differ: " + ", ".join(differ) if differ else None


if __name__ == "__main__":
    sys.exit(main())
