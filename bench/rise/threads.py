#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What threads cost: `bench/rise/threads.py [--mim PATH]`.

The product of a matrix and a vector whose rows `mapPar` does, by `--emit omp` and gcc, and by machine code without C. Times are
milliseconds, the least of 15 calls that take turns: what passed, and what all threads worked together. Waiting threads sleep."""
import argparse
import ctypes
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROWS, COLUMNS = 4096, 1024
KERNEL = """export def product = depFun((n: Nat, m: Nat) => fun(A: n.m.f32, x: m.f32 =>
  A |> mapPar(fun(row => zip(row)(x) |> map(fun(p => p.1 * p.2)) |> reduceSeq(add)(0.0f)))))
"""
PROGRAM = """plugin core;
plugin math;
plugin mem;
import "product.rise";
let F = %math.F32;
fun extern llvm_product (mem: %mem.M, y: %mem.Ptr F, n m: Nat, a x: %mem.Ptr F): [%mem.M, I32] =
    product ((mem, y, n, m, a, x), return);
"""


def libraries(mim, folder):
    (folder / "product.rise").write_text(KERNEL)
    (folder / "calls.mim").write_text(PROGRAM)
    code, omp, llvm = folder / "product.c", folder / "omp.so", folder / "llvm.so"
    subprocess.run([mim, "build", folder / "product.rise", "--emit", "omp", "-o", code], check=True)
    subprocess.run(["gcc-12", "-O3", "-march=native", "-std=gnu11", "-ffp-contract=off", "-fopenmp", "-shared", "-fPIC", "-o", omp, code],
                   check=True)
    subprocess.run([mim, "build", "-O3", folder / "calls.mim", "--emit", "shared", "-o", llvm], check=True)
    return {"C, OpenMP": ctypes.CDLL(str(omp)).product, "LLVM": ctypes.CDLL(str(llvm)).llvm_product}


def measured(mim):
    """What a process that has so many threads prints."""
    numbers = random.Random(1)
    cells = lambda n: (ctypes.c_float * n)(*(numbers.uniform(-1, 1) for _ in range(n)))
    matrix, x = cells(ROWS * COLUMNS), cells(COLUMNS)
    results, times = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        functions = libraries(mim, pathlib.Path(folder))
        for _ in range(15):
            for name, function in functions.items():
                y = results[name] = (ctypes.c_float * ROWS)()
                passed, worked = time.perf_counter(), time.process_time()
                status = function(y, ctypes.c_uint64(ROWS), ctypes.c_uint64(COLUMNS), matrix, x)
                now = time.perf_counter() - passed, time.process_time() - worked
                assert status == 0
                times[name] = [min(a, b) for a, b in zip(times.get(name, now), now)]
    one, other = (bytes(y) for y in results.values())
    assert one == other, "the results differ"
    for name, (passed, worked) in times.items():
        print(f"| {name} | {os.environ['OMP_NUM_THREADS']} | {passed * 1e3:.3f} | {worked * 1e3:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=str(ROOT / "build/release/bin/mim"))
    options = parser.parse_args()
    if "OMP_NUM_THREADS" in os.environ:
        return measured(options.mim)
    print("| code | threads | passed, ms | worked, ms |\n| --- | --- | --- | --- |", flush=True)
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OMP_WAIT_POLICY": "passive"}
        subprocess.run([sys.executable, __file__, "--mim", options.mim], check=True, env=environment)


if __name__ == "__main__":
    main()
