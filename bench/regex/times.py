# SPDX-License-Identifier: MIT
"""run.py --compile: milliseconds of CPU time from a pattern to machine code."""
import os, resource, statistics, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 10


def build(o, source):
    """`mim build` of a matcher, the whole process: least and median."""
    times = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([o.mim, "build", "-O2", "--emit", "obj", "-o", f"{source}.o", source], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime))
    return min(times), statistics.median(times)


def run(bench, o, patterns, program):
    """Programs with one matcher, and mim::Regex."""
    library = os.path.join(os.path.dirname(os.path.abspath(o.mim)), "..", "lib")
    exe = f"{o.folder}/compile"
    includes = [f"-I{HERE}/../../src", f"-I{HERE}/../../plug"]
    libraries = [f"-L{library}", "-lmim_regex_host", "-lmim", f"-Wl,-rpath,{library}"]
    bench.run(*bench.cxx, *includes, f"{HERE}/engines/compile.cpp", *libraries, "-o", exe)
    first, *warm = bench.run(exe, str(ROUNDS), *patterns.values()).stdout.split()
    print(f"mim::Regex, the first pattern of a process: {first}")
    print(f"{'':12}{'mim build':>10}{'median':>8}{'full match, warm':>18}{'search, warm':>14}")
    for (name, pattern), full, search in zip(patterns.items(), warm[0::2], warm[1::2]):
        source = f"{o.folder}/compile.{name}.mim"
        with open(source, "w", encoding="latin-1") as f:
            f.write(program.format(pattern.replace("\\", "\\\\").replace('"', '\\"')))
        least, median = build(o, source)
        print(f"{name:12}{least:>10.1f}{median:>8.1f}{full:>18}{search:>14}")
