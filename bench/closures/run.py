#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that make an escaping closure in each turn: Mim against OCaml and C++ with std::function, one table.

usage: run.py [--mim PROGRAM] [--turns N] [--rounds N] [--bar MIB]

The programs run in alternation on one core; seconds of user and system time and MiB of peak memory are the least of the rounds. All
print the low 32 bits of the same number (OCaml counts with 63 bits, the others with 64). Exit status 0 if they agree and, with --bar, Mim
needs no more memory.
Needs clang-19, g++-12, ocaml-nox.
"""
import argparse, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("store", "wide", "compose")
CXX = ["-O3", "-march=native", "-std=c++20"]


def build(folder, mim, name):
    """{language: executable}"""
    made = {who: os.path.join(folder, f"{name}.{who}") for who in ("mim", "ocaml", "clang", "gcc")}
    run = lambda *command: subprocess.run(command, check=True, cwd=folder)
    run(mim, "build", "-O3", "--cpu", "native", f"{HERE}/{name}.mim", "-o", made["mim"])
    for source in (f"{HERE}/files/table.ml", f"{HERE}/{name}.ml"):
        run("cp", source, folder)
    run("ocamlopt", "-unsafe", "-inline", "100", "table.ml", f"{name}.ml", "-o", made["ocaml"])
    run("clang++-19", *CXX, f"{HERE}/{name}.cpp", "-o", made["clang"])
    run("g++-12", *CXX, f"{HERE}/{name}.cpp", "-o", made["gcc"])
    return made


def measure(exe, turns):
    """(seconds, peak MiB, what it prints)."""
    out = tempfile.TemporaryFile()
    pid = os.posix_spawn(exe, [exe, str(turns)], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
    _, status, use = os.wait4(pid, 0)
    if status:
        sys.exit(f"{exe} {turns}: wait status {status}")
    out.seek(0)
    return use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, int(out.read()) & 0xFFFFFFFF


def main():
    args = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    args.add_argument("--mim", default="build/release/bin/mim")
    args.add_argument("--turns", type=int, default=100_000_000)
    args.add_argument("--rounds", type=int, default=3)
    args.add_argument("--bar", type=float)
    o = args.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    ok = True
    print(f"{'':8}" + "".join(f"{who + ' s':>10}{'MiB':>7}" for who in ("mim", "ocaml", "clang", "gcc")))
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            made = build(folder, os.path.abspath(o.mim), name)
            runs = {who: [] for who in made}
            for _ in range(o.rounds):
                for who, exe in made.items():
                    runs[who].append(measure(exe, o.turns))
            best = {who: (min(r[0] for r in rs), min(r[1] for r in rs)) for who, rs in runs.items()}
            print(f"{name:8}" + "".join(f"{s:10.2f}{m:7.1f}" for s, m in best.values()), flush=True)
            if len({r[2] for rs in runs.values() for r in rs}) != 1:
                print(f"{name}: WRONG: results differ: " + ", ".join(f"{w} {rs[0][2]}" for w, rs in runs.items()))
                ok = False
            ok = ok and not (o.bar and best["mim"][1] > o.bar)
    return 0 if ok else 1


sys.exit(main())
