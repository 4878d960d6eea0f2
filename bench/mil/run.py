#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs in LC against their twins in C, OCaml and Haskell: one table of ratios.

usage: run.py [--mim PROGRAM] [--rounds N] [--passes PASSES] [--small]

The programs run in alternation; seconds are medians of the rounds, of user and system time. `X` is Mim's seconds by those of X; a
ratio above the goal is marked. Peak memory is the least of the rounds. All must print the same. Compilers that are not
there are left out. --small: sizes of a second, for a test.
Exit status 0 if all outputs are the same.
"""
import argparse, os, re, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# name: (small size, size, what the goal compares with, the goal)
PROGRAMS = {
    "nfib": (30, 44, "clang", 1.2),
    "queens": (8, 13, "gcc", 2.0),
    "sieve": (3000, 60000, "ocaml", 2.8),
    "hof": (200, 20000, "ocaml", 1.6),
    "prioset": (20000, 10000000, "gcc", 2.0),
}
DRIVEN = {"prioset"}  # functions that a program in C calls, NAME_main.c
OPPONENTS = {
    "gcc": ("gcc-12", "c", ["-O2"]),
    "clang": ("clang-19", "c", ["-O2"]),
    "ocaml": ("ocamlopt", "ml", ["-O3", "-unsafe", "-inline", "200"]),
    "ghc": ("ghc", "hs", ["-O2", "-v0"]),
}


def sized(name, size):
    """The text of the program at another size, which stands where the timed one stands."""
    with open(f"{HERE}/{name}.lc", encoding="utf-8") as f:
        text = f.read()
    timed = PROGRAMS[name][1]
    begin, main = text.rsplit("\nmain", 1)
    for less in (0, 1):  # a range ends one before it
        main = re.sub(rf"\b{timed - less}\b", str(size - less), main)
    return f"{begin}\nmain{main}"


def options(passes):
    return ["--set", "mil.word=64"] + (["--set", f"mil.passes={passes}"] if passes else [])


def build_driven(folder, mim, name, size, passes):
    """The same for functions of which C has the `main`, which takes the size."""
    made = {}
    main = ["-DWORD=uint64_t", f"{HERE}/{name}_main.c"]
    for who, (compiler, suffix, flags) in OPPONENTS.items():
        if suffix != "c" or not shutil.which(compiler):
            continue
        if not made:
            library = f"{folder}/{name}.so"
            subprocess.run([mim, "build", "-O2", *options(passes), "--emit", "shared", f"{HERE}/{name}.lc", "-o", library], check=True)
            subprocess.run([compiler, *flags, *main, library, "-o", f"{folder}/{name}.mim"], check=True)
            made["mim"] = [f"{folder}/{name}.mim", str(size)]
        program = f"{folder}/{name}.{who}"
        subprocess.run([compiler, *flags, *main, f"{HERE}/{name}.c", "-o", program], check=True)
        made[who] = [program, str(size)]
    return made


def build(folder, mim, name, size, passes):
    """{language: command}"""
    if name in DRIVEN:
        return build_driven(folder, mim, name, size, passes)
    source = f"{folder}/{name}.lc"
    with open(source, "w", encoding="utf-8") as f:
        f.write(sized(name, size))
    made = {"mim": [f"{folder}/{name}.mim"]}
    subprocess.run([mim, "build", "-O2", *options(passes), source, "-o", made["mim"][0]], check=True)
    for who, (compiler, suffix, flags) in OPPONENTS.items():
        if not shutil.which(compiler):
            continue
        own = f"{folder}/{who}"
        os.makedirs(own, exist_ok=True)
        shutil.copy(f"{HERE}/{name}.{suffix}", own)
        subprocess.run([compiler, *flags, f"{name}.{suffix}", "-o", f"{name}.exe"], check=True, cwd=own)
        made[who] = [f"{own}/{name}.exe", str(size)]
    return made


def measure(command):
    """(seconds, peak MiB, what it prints)"""
    out = tempfile.TemporaryFile()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
    _, status, use = os.wait4(pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: wait status {status}")
    out.seek(0)
    return use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, out.read().strip()


def row(name, made, rounds):
    """False if outputs differ."""
    runs = {who: [] for who in made}
    for _ in range(rounds):
        for who, command in made.items():
            runs[who].append(measure(command))
    seconds = {who: statistics.median(r[0] for r in rs) for who, rs in runs.items()}
    memory = {who: min(r[1] for r in rs) for who, rs in runs.items()}
    _, _, against, goal = PROGRAMS[name]
    cells = [f"{name:8}", f"mim {seconds['mim']:.2f} s, {memory['mim']:.1f} MiB"]
    for who in made:
        if who == "mim":
            continue
        ratio = seconds["mim"] / max(seconds[who], 0.001)
        loses = who == against and ratio > goal
        cells.append(f"{who} {ratio:.2f}{' (goal ' + str(goal) + ')' if loses else ''}, {memory[who]:.1f} MiB")
    print("   ".join(cells), flush=True)
    outputs = {who: rs[0][2] for who, rs in runs.items()}
    wrong = [who for who in outputs if outputs[who] != outputs["mim"]]
    for who in wrong:
        print(f"{name}: mim prints {outputs['mim']}, {who} {outputs[who]}")
    return not wrong


def main():
    args = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    args.add_argument("--mim", default="build/release/bin/mim")
    args.add_argument("--rounds", type=int, default=11)
    args.add_argument("--passes", default="")
    args.add_argument("--small", action="store_true")
    o = args.parse_args()
    ok = True
    with tempfile.TemporaryDirectory() as folder:
        for name, (small, size, _, _) in PROGRAMS.items():
            made = build(folder, os.path.abspath(o.mim), name, small if o.small else size, o.passes)
            if not made:
                continue
            ok &= row(name, made, 1 if o.small else o.rounds)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
