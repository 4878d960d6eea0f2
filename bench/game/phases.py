#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What each phase of the default pipeline contributes: the benchmark game's programs without it.

usage: phases.py [--mim PROGRAM] [--only NAME,…] [--phases NAME,…] [--rounds N] [--llvm LEVEL]

Each line leaves out one phase (`place round` stands for the phases that plugins joined to that place) in every round of the pipeline in
plug/opt/opt.mim; `all rounds` leaves out all of these. LLVM optimizes at the given level, 3 by default, and makes up for much; what the
phases do alone is to be seen at level 0. A column is the program's CPU time without the phase divided by that with all phases, the least
of the rounds, in alternation; `=` if the same code is made without it, `-` if the program does not compile. `code` is LLVM's input
without the phase by that with all, in lines.
"""
import argparse, math, os, re, subprocess, sys, tempfile
import run

# large enough to be measured, small enough to be run often
SIZES = {
    "aobench": 256,
    "binarytrees": 16,
    "fannkuchredux": 10,
    "fasta": 5_000_000,
    "knucleotide": 1_000_000,
    "mandelbrot": 2000,
    "nbody": 5_000_000,
    "pidigits": 7000,
    "revcomp": 30_000_000,
    "spectralnorm": 1500,
}


def pipeline():
    """The pipelines of opt.mim by name."""
    with open(f"{run.HERE}/../../plug/opt/opt.mim") as f:
        text = re.sub(r"//[^\n]*", "", f.read())
    body = dict(re.findall(r"let (%opt\.\w+) =\s*(.*?);", text, re.S))
    return {name: re.sub(r"\s+", " ", text) for name, text in body.items()}


def steps(body):
    found = re.findall(r'%compile\.(phase|place) "(\w+)"', body["%opt.default"].replace("%opt.round", body["%opt.round"]))
    return [*dict.fromkeys(found), ("all", "rounds")]


def without(body, step):
    expr = body["%opt.default"].replace("%opt.round", "%compile.skip" if step == ("all", "rounds") else body["%opt.round"])
    return expr if step is None else expr.replace(f'%compile.{step[0]} "{step[1]}"', "%compile.skip")


def compiled(bench, name, expr, tag, llvm):
    """(the executable, LLVM's input), or nothing if there is no code without the phase."""
    exe, text = (os.path.join(bench.folder, f"{name}.{tag}{s}") for s in ("", ".ll"))
    # the plugin brings along what joins the places of its pipeline
    common = [bench.mim, "build", f"{run.HERE}/{name}.mim", "--plugin", "opt", "--pipeline", expr]
    link = ["gcc-12", exe + ".o", "-o", exe, "-lm"] + (["-lgmp"] if name == "pidigits" else [])
    for command in ([*common, "-O0", "--emit", "ll", "-o", text], [*common, f"-O{llvm}", "--emit", "obj", "-o", exe + ".o"], link):
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
            return None
    with open(text) as f:
        return exe, f.read()


def measure(bench, name, variants, rounds):
    """{step: least CPU time}"""
    times = {step: [] for step in variants}
    for _ in range(rounds):
        for step, exe in variants.items():
            times[step].append(bench.run(exe, name, SIZES[name])[1])
    return {step: min(t) for step, t in times.items()}


def column(bench, name, body, chosen, rounds, llvm):
    """Of one program: {step: (cell, ratio of times, ratio of code)}."""
    all_exe, all_text = compiled(bench, name, without(body, None), "complete", llvm)
    made = {s: compiled(bench, name, without(body, s), f"{s[0]}-{s[1]}", llvm) for s in chosen}
    times = measure(bench, name, {None: all_exe, **{s: m[0] for s, m in made.items() if m and m[1] != all_text}}, rounds)
    result = {}
    for s in chosen:
        if not made[s]:
            result[s] = "-", None, None
        elif s not in times:
            result[s] = "=", 1, 1
        else:
            ratio = times[s] / times[None]
            result[s] = f"{ratio:.2f}", ratio, made[s][1].count("\n") / all_text.count("\n")
    return result


def mean(values):
    known = [v for v in values if v]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--only", default=",".join(SIZES))
    parser.add_argument("--phases", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--llvm", type=int, default=3, choices=range(4))
    options = parser.parse_args()
    body, names = pipeline(), options.only.split(",")
    chosen = [s for s in steps(body) if not options.phases or s[1] in options.phases.split(",")]
    run.raise_priority()
    with tempfile.TemporaryDirectory() as folder:
        mim = os.path.abspath(options.mim) if os.sep in options.mim else options.mim
        bench = run.Bench(folder, mim)
        table = {n: column(bench, n, body, chosen, options.rounds, options.llvm) for n in names}
    print(f"{'without':18}" + "".join(f"{n[:6]:>7}" for n in names) + f"{'mean':>7}{'code':>7}")
    for s in chosen:
        cells = [table[n][s] for n in names]
        row = "".join(f"{c[0]:>7}" for c in cells)
        print(f"{' '.join(s):18}{row}{mean([c[1] for c in cells]):7.2f}{mean([c[2] for c in cells]):7.2f}")


if __name__ == "__main__":
    main()
