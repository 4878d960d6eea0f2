#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark game's programs and some kernels: Mim against C, one table.

usage: run.py [--mim PROGRAM] [--only NAME,…] [--rounds N] [--small] [--sizes NAME=SIZE,…] [--bar RATIO]

NAME.mim is compiled with `mim build -O3`, NAME.c with clang-19 and gcc-12 at -O3 -march=native; all link the same libc and GMP. The
programs run in alternation on one core, at a raised priority where that is allowed. `clang` and `gcc` are Mim's user time divided by
theirs, `cpu` the same by clang's with the kernel's share, `memory` is Mim's peak memory by clang's, `compile` the CPU time from text to
object by clang's. The kernel knows CPU time exactly, but splits it into user and system by sampling: user seconds are the least CPU time
of the rounds times the share of user time in all of them. Memory is the least of the rounds. Each output is compared at the small
size with expected/, at the timed size with that of clang. knucleotide and revcomp read what `fasta SIZE` writes.
Exit status 0 if every output is right and, with --bar, no `clang` ratio is above it.
Needs clang-19, gcc-12, libgmp-dev; revcomp needs about 3.5 GB of disk and memory together.
"""
import argparse, filecmp, math, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O3", "-march=native", "-D_GNU_SOURCE"]
FASTA_READERS = ("knucleotide", "revcomp")
# name: (small size, timed size, how outputs may differ, as contraction moves the last digit or a pixel)
GAME = {
    "aobench": (64, 512, "bytes"),
    "binarytrees": (10, 20, ""),
    "fannkuchredux": (7, 11, ""),
    "fasta": (1000, 50_000_000, ""),
    "knucleotide": (1000, 10_000_000, ""),
    "mandelbrot": (200, 8000, "bytes"),
    "nbody": (1000, 50_000_000, "numbers"),
    "pidigits": (27, 20_000, ""),
    "revcomp": (1000, 100_000_000, ""),
    "spectralnorm": (100, 5500, "numbers"),
}
# Kernels that are no programs of the game: both sides are written as a good user would, and the means are without them.
KERNELS = {
    "fannkuch-packed": (7, 11, ""),
    "hashmap": (100_000, 100_000_000, ""),
    "interp": (1000, 300_000_000, ""),
    "quicksort": (1000, 50_000_000, ""),
    "sha256": (2, 10_000, ""),
}
PROGRAMS = GAME | KERNELS

# Started between Python and the program: the peak memory of a child of Python would count Python's own.
METER = r"""
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
    pid_t child = fork();
    if (!child) { execv(argv[2], argv + 2); _exit(127); }
    int status; struct rusage u;
    wait4(child, &status, 0, &u);
    FILE* f = fopen(argv[1], "w");
    fprintf(f, "%d %ld.%06ld %ld.%06ld %ld", status,
            u.ru_utime.tv_sec, u.ru_utime.tv_usec, u.ru_stime.tv_sec, u.ru_stime.tv_usec, u.ru_maxrss);
    return fclose(f);
}
"""


class Bench:
    def __init__(self, folder, mim):
        self.folder, self.mim, self.meter = folder, mim, os.path.join(folder, "meter")
        subprocess.run(["gcc-12", "-O2", "-x", "c", "-", "-o", self.meter], input=METER, text=True, check=True)

    def measure(self, command, feed=os.devnull, out=os.devnull):
        """(user seconds, CPU seconds, peak MiB) of one run."""
        note = os.path.join(self.folder, "note")
        with open(feed, "rb") as i, open(out, "wb") as o:
            subprocess.run([self.meter, note, *command], stdin=i, stdout=o, check=True)
        with open(note) as f:
            status, user, system, kib = f.read().split()
        if status != "0":
            sys.exit(f"{' '.join(command)}: wait status {status}")
        return float(user), float(user) + float(system), int(kib) / 1024

    def run(self, exe, name, size, out=os.devnull):
        if name in FASTA_READERS:
            return self.measure([exe], self.fasta(size), out)
        return self.measure([exe, str(size)], out=out)

    def build(self, name):
        """{compiler: (executable, CPU seconds from text to object)}"""
        made = {}
        for compiler in ("mim", "clang-19", "gcc-12"):
            obj = os.path.join(self.folder, f"{name}.{compiler}.o")
            if compiler == "mim":
                command = [self.mim, "build", "-O3", "--emit", "obj", f"{HERE}/{name}.mim", "-o", obj]
            else:
                command = [subprocess.check_output(["which", compiler], text=True).strip(), *FLAGS, "-c", f"{HERE}/{name}.c", "-o", obj]
            seconds = min(self.measure(command)[1] for _ in range(3))
            libs = ["-lm"] + (["-lgmp"] if name == "pidigits" else [])
            subprocess.run(["gcc-12", obj, "-o", obj[:-2], *libs], check=True)
            made[compiler] = obj[:-2], seconds
        return made

    def fasta(self, size):
        path = os.path.join(self.folder, f"fasta.{size}")
        if not os.path.exists(path):
            exe = os.path.join(self.folder, "fasta.generator")
            subprocess.run(["gcc-12", *FLAGS, f"{HERE}/fasta.c", "-o", exe], check=True)
            with open(path, "wb") as o:
                subprocess.run([exe, str(size)], stdout=o, check=True)
        return path


def difference(want, got, how):
    """Nothing, or how two outputs differ by more than they may."""
    if filecmp.cmp(want, got, shallow=False):
        return ""
    if not how or os.path.getsize(want) != os.path.getsize(got):
        return "other output"
    with open(want, "rb") as f, open(got, "rb") as g:
        a, b = f.read(), g.read()
    if how == "bytes":
        n = sum(x != y for x, y in zip(a, b))
        return f"{n} bytes differ" if n > max(1, 1e-4 * len(a)) else ""
    d = max(abs(float(x) - float(y)) for x, y in zip(a.split(), b.split()))
    return f"off by {d:.0e}" if d > 1e-8 else ""


def user_seconds(runs):
    """Of (user seconds, CPU seconds, …): the least CPU time, times the share of user time."""
    return min(r[1] for r in runs) * sum(r[0] for r in runs) / max(sum(r[1] for r in runs), 1e-9)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def raise_priority():
    """Alone on one core, before whatever else runs there, as far as the system lets us."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        os.nice(-10)
    except PermissionError:
        pass


def game(bench, name, size, options):
    """Prints the row of one program: (whether all outputs are right, the ratios in the row or none)."""
    small, _, how = PROGRAMS[name]
    made, out, ref = bench.build(name), os.path.join(bench.folder, "out"), os.path.join(bench.folder, "ref")
    for compiler, (exe, _) in made.items():
        bench.run(exe, name, small, out)
        if wrong := difference(f"{HERE}/expected/{name}.out", out, how):
            print(f"{name:15} WRONG: {compiler} at {small}: {wrong}")
            return False, None
    if options.small:
        print(f"{name:15} {small:10} right")
        return True, None
    bench.run(made["clang-19"][0], name, size, ref)
    bench.run(made["mim"][0], name, size, out)
    if wrong := difference(ref, out, how):
        print(f"{name:15} WRONG: mim at {size}: {wrong}")
        return False, None
    os.unlink(out), os.unlink(ref)
    runs = {c: [] for c in made}
    for k in range(options.rounds):  # another one first in each round
        order = list(made)
        for c in order[k % 3:] + order[: k % 3]:
            runs[c].append(bench.run(made[c][0], name, size))
    cpu = {c: min(r[1] for r in rs) for c, rs in runs.items()}
    user = {c: user_seconds(rs) for c, rs in runs.items()}
    peak = {c: min(r[2] for r in rs) for c, rs in runs.items()}
    clang, gcc = user["mim"] / user["clang-19"], user["mim"] / user["gcc-12"]
    memory, compiling = peak["mim"] / peak["clang-19"], made["mim"][1] / made["clang-19"][1]
    print(f"{name:15} {size:10} {user['mim']:8.3f} {user['clang-19']:8.3f} {user['gcc-12']:8.3f} {clang:6.2f} {gcc:6.2f}"
          f" {cpu['mim'] / cpu['clang-19']:6.2f} {memory:7.2f} {compiling:8.2f}", flush=True)
    return True, (clang, gcc, cpu["mim"] / cpu["clang-19"], memory, compiling)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--small", action="store_true", help="outputs at the small sizes only")
    parser.add_argument("--sizes", default="", help="other sizes, as nbody=1000000,fasta=1000")
    parser.add_argument("--bar", type=float)
    options = parser.parse_args()
    sizes = {n: g[1] for n, g in PROGRAMS.items()}
    sizes.update((n, int(s)) for n, s in re.findall(r"([\w-]+)=(\d+)", options.sizes))
    if os.sep in options.mim:
        options.mim = os.path.abspath(options.mim)
    raise_priority()
    right, ratios = True, []
    if not options.small:
        print(f"{'program':15} {'size':>10} {'mim s':>8} {'clang s':>8} {'gcc s':>8} {'clang':>6} {'gcc':>6} {'cpu':>6}"
              f" {'memory':>7} {'compile':>8}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, options.mim)
        for name in options.only.split(","):
            ok, ratio = game(bench, name, sizes[name], options)
            right &= ok
            if ratio and name in GAME:
                ratios.append(ratio)
    largest = 0
    if ratios:
        columns = list(zip(*ratios))
        largest = max(columns[0])
        clang, gcc, cpu, memory, compiling = map(geometric_mean, columns)
        print(f"{'geometric mean':52} {clang:6.2f} {gcc:6.2f} {cpu:6.2f} {memory:7.2f} {compiling:8.2f}")
        print(f"{'largest':52} " + "{:6.2f} {:6.2f} {:6.2f} {:7.2f} {:8.2f}".format(*map(max, columns)))
    sys.exit(not right or bool(options.bar and largest > options.bar))


if __name__ == "__main__":
    main()
