#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Full matches of the lines of data/*.lines against data/patterns.txt, one line a call: microseconds a pass, and how many times as fast as
PCRE2's JIT, one table.

usage: run.py [--mim PROGRAM] [--rounds N]

Answers are compared with data/*.exp, which Python's re computed; exit status 0 if all agree. `mim` is what the compiler chooses,
`mim-table` and `mim-branches` what it makes when it is told how; `floor` is a call that does nothing. Needs clang++-19 and, from Debian,
libpcre2-dev and libre2-dev.
"""
import argparse, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """plugin regex;
let pattern = %regex.full (%regex.parse "{}");
lam answer (r: %regex.RegEx) (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = {{
    let (mem, ok, _) = r (mem, text, %core.bitcast (Idx n) 0);
    (mem, ok)
}};
fun extern mim_auto (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = return (answer pattern (mem, n, text));
fun extern mim_table (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] =
    return (answer (%regex.by.table pattern) (mem, n, text));
fun extern mim_branches (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] =
    return (answer (%regex.by.branches pattern) (mem, n, text));
"""


def times(o, folder, name, pattern):
    source, code, exe = f"{folder}/{name}.mim", f"{folder}/{name}.o", f"{folder}/{name}"
    with open(source, "w") as f:
        f.write(PROGRAM.format(pattern.replace("\\", "\\\\").replace('"', '\\"')))
    subprocess.run([o.mim, "build", "-O3", "--emit", "obj", "-o", code, source], check=True)
    compiler = ["clang++-19", "-std=c++20", "-O3", "-march=native"]
    subprocess.run([*compiler, f"{HERE}/engines.cpp", code, "-lpcre2-8", "-lre2", "-o", exe], check=True)
    out = subprocess.run([exe, f"{HERE}/data", pattern, name, str(o.rounds)], stdout=subprocess.PIPE, text=True)
    rows = [line.split() for line in out.stdout.splitlines()]
    return {row[0]: float(row[1]) for row in rows}, [row[0] for row in rows if row[2:]] or (["crash"] if out.returncode > 1 else [])


def main():
    args = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    args.add_argument("--mim", default="build/release/bin/mim")
    args.add_argument("--rounds", type=int, default=200)
    o = args.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with open(f"{HERE}/data/patterns.txt") as f:
        patterns = dict(line.rstrip("\n").split("\t") for line in f)
    wrong, results = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, pattern in patterns.items():
            results[name], failed = times(o, folder, name, pattern)
            wrong += [f"{engine} on {name}" for engine in failed]
    print(f"{'engine':>14}" + "".join(f"{name:>16}" for name in results))
    for engine in next(iter(results.values())):
        cells = ((r[engine], r["pcre2-jit"] / r[engine]) for r in results.values())
        print(f"{engine:>14}" + "".join(f"{us:>9.0f}{ratio:>6.2f}x" for us, ratio in cells))
    if wrong:
        sys.exit("wrong answers: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
