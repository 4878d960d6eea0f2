#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counting a byte in texts of several lengths: vectors in Mim against the loop that clang vectorizes, in GB/s, one table.

usage: run.py [--mim PROGRAM] [--rounds N]

Both are compiled for the same processor: this one, and those that have no more than AVX2 or SSE2. Exit status 0 if the counts agree.
Needs clang-19.
"""
import argparse, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    args = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    args.add_argument("--mim", default="build/release/bin/mim")
    args.add_argument("--rounds", type=int, default=5)
    o = args.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'processor':>12}{'bytes':>12}{'mim':>8}{'clang':>8}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        code, exe = f"{folder}/count.o", f"{folder}/count"
        for cpu in ("native", "x86-64-v3", "x86-64"):
            subprocess.run([o.mim, "build", "-O3", "--cpu", cpu, "--emit", "obj", "-o", code, f"{HERE}/count.mim"], check=True)
            subprocess.run(["clang-19", "-O3", f"-march={cpu}", f"{HERE}/count.c", code, "-o", exe], check=True)
            out = subprocess.run([exe, str(o.rounds)], stdout=subprocess.PIPE, text=True)
            if out.returncode:
                sys.exit("the counts differ")
            for line in out.stdout.splitlines():
                n, mim, c = line.split()
                print(f"{cpu:>12}{n:>12}{mim:>8}{c:>8}{float(mim) / float(c):>8.2f}")


if __name__ == "__main__":
    main()
