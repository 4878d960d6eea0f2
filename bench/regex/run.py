#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Full matches of one line a call: the data sets of data/, and lines that are generated for the patterns of shapes.txt.

usage: run.py [--mim PROGRAM] [--cpu NAME] [--schemes] [--patterns FILE…] [--only NAME…] [--seconds S] [--folder FOLDER]
              [--lines N] [--search] [--megabytes N] [--compile] [--cliffs] [--most N] [--grep] [--rounds N]

Microseconds a pass, the least of S seconds for each engine; `by` is the way that Mim chose, `best` the fastest opponent, and the ratios
say how many times as fast as that one, and as PCRE2's JIT, Mim's is. Below the table: how Mim matches each pattern, and why. Answers are
compared with data/*.exp, or those of Python's re; exit status 0 if all agree. --cpu: a processor for all compilers, such as x86-64-v3.
--patterns: of these files, which have a name, a tab and a pattern a line; more.txt is such a file. --schemes: Mim in each other way too,
which counts as no opponent. --search: all matches of the patterns (of search.txt) in a generated text of so many megabytes instead, in
milliseconds; all must count as many. --compile: milliseconds from patterns to machine code instead. --cliffs: families of patterns of
growing size, up to N, instead (cliffs.py). --grep: `mim grep` against ripgrep instead, N times each (greps.py). Engines that are not
installed are named below the table; README.md says how to get them.
"""
import argparse, concurrent.futures, math, os, re, shutil, subprocess, sys
import cliffs, greps, patterns, search, times

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMES = ["branches", "table", "shifts", "shuffles", "threads", "strides", "compare", "hash"]  # in the order of %regex.by
LIBRARIES = {"pcre2": "-lpcre2-8", "re2": "-lre2", "hyperscan": "-lhs", "standard": "", "rust": "-lengine"}
OURS = {"call", "load", "mim", "scheme"}
PROGRAM = """plugin regex;
let pattern = %regex.full (%regex.parse "{}");
lam answer (r: %regex.RegEx) (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = {{
    let (mem, ok, _) = r (mem, text, %core.bitcast (Idx n) 0);
    (mem, ok)
}};
fun extern mim_scheme (): Nat = return (%regex.shape pattern)#0_3;
fun extern mim_auto (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = return (answer pattern (mem, n, text));
"""
WAY = """fun extern mim_{0} (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] =
    return (answer (%regex.by.{0} pattern) (mem, n, text));
"""
RE2C = r"""// re2c
#include <stdbool.h>
#include <stddef.h>
bool NAME_match(const char* text, size_t n) {
    const unsigned char *s = (const unsigned char*)text, *marker;
    (void)n, (void)marker;
    /*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = s;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;
    PATTERN "\x00" { return true; }
    * { return false; }
    */
}
"""
RAGEL = r"""#include <stdbool.h>
#include <stddef.h>
%%{
    machine pattern;
    alphtype unsigned char;
    main := PATTERN 0 @{ return true; };
}%%
%% write data;
bool ragel_match(const char* text, size_t n) {
    const unsigned char* p = (const unsigned char*)text;
    int cs;
    (void)n;
    %% write init;
    %% write exec noend;
    return false;
}
"""


def save(path, text):
    with open(path, "w", encoding="latin-1") as f:
        f.write(text)
    return path


class Bench:
    def __init__(self, o):
        self.o, self.missing, self.reasons = o, {}, {}
        os.makedirs(o.folder, exist_ok=True)
        self.flags = ["-O3", f"-march={o.cpu}"]
        self.cxx = ["clang++-19", "-std=c++20", *self.flags, "-Wno-gnu-zero-variadic-macro-arguments"]
        self.libraries = [f"-L{o.folder}/rust/release"]
        self.objects = [self.engine("floor"), self.engine("main")]
        self.rust_engine()
        for name, library in LIBRARIES.items():
            if self.attempt(name, lambda name=name: self.objects.append(self.engine(name))) and library:
                self.libraries.append(library)

    def attempt(self, name, make):
        """What is not installed is not measured, and named."""
        try:
            make()
        except (subprocess.CalledProcessError, FileNotFoundError) as e:
            if name not in self.missing:
                reason = (getattr(e, "stderr", None) or str(e)).strip().split("\n")
                self.missing[name] = next((line for line in reason if "error" in line), reason[0])
        return name not in self.missing

    def run(self, *command, **more):
        return subprocess.run(command, check=True, capture_output=True, text=True, **more)

    def engine(self, name):
        code = f"{self.o.folder}/{name}.o"
        self.run(*self.cxx, "-c", f"{HERE}/engines/{name}.cpp", "-o", code)
        return code

    def rust_engine(self):
        """Rust's regex from Debian's sources, by Debian's compiler, or another one."""
        debian = {name: f"/usr/bin/{name}" for name in ("cargo", "rustc")}
        cargo, rustc = (path if os.path.exists(path) else shutil.which(name) or name for name, path in debian.items())
        source = 'source.crates-io.replace-with="debian"', 'source.debian.directory="/usr/share/cargo/registry"'
        config = [part for line in source for part in ("--config", line)]
        environment = {**os.environ, "RUSTC": rustc, "RUSTFLAGS": f"-C target-cpu={self.o.cpu}"}
        folder = f"{self.o.folder}/crate"
        os.makedirs(folder, exist_ok=True)
        for file in ("Cargo.toml", "engine.rs"):
            with open(f"{HERE}/engines/rust/{file}") as f:
                save(f"{folder}/{file}", f.read())
        command = [cargo, "build", "--release", "--offline", "--target-dir", f"{self.o.folder}/rust", *config]
        self.attempt("rust", lambda: self.run(*command, cwd=folder, env=environment))

    def generated(self, name, pattern):
        """Opponents that are code made of the pattern, as objects, and their names."""
        t, objects, engines = patterns.tree(pattern), [], []

        def compile(engine, source, *define):
            self.run("clang-19", *self.flags, *define, "-c", source, "-o", f"{source}.{engine}.o")
            objects.append(f"{source}.{engine}.o")
            engines.append(engine)

        def re2c(engine, *flags):
            text = RE2C.replace("NAME", engine).replace("PATTERN", patterns.write(t, patterns.re2c_set))
            source = save(f"{self.o.folder}/{name}.{engine}.re", text)
            self.run("re2c", *flags, "-o", f"{source}.c", source)
            compile(engine, f"{source}.c")

        def ragel():
            source = save(f"{self.o.folder}/{name}.rl", RAGEL.replace("PATTERN", patterns.write(t, patterns.ragel_set)))
            self.run("ragel", "-G2", "-o", f"{source}.c", source)
            compile("ragel", f"{source}.c")

        self.attempt("re2c", lambda: re2c("re2c"))
        self.attempt("re2c", lambda: re2c("re2c_b", "-b"))
        self.attempt("ragel", ragel)
        if os.path.exists(f"{HERE}/data/{name}.lines"):
            self.run("clang-19", *self.flags, f"-DSET={name}", "-c", f"{HERE}/engines/hand.c", "-o", f"{self.o.folder}/{name}.hand.o")
            objects.append(f"{self.o.folder}/{name}.hand.o")
            engines.append("hand")
        return objects, engines

    def mim_object(self, name, source):
        """The object of a program of Mim; how it matches its pattern, and why, is kept."""
        cpu = [] if self.o.cpu == "native" else ["--cpu", self.o.cpu]
        out = self.run(self.o.mim, "build", "-O3", "--verbose", *cpu, "--emit", "obj", "-o", f"{source}.o", source).stderr
        notes = re.findall(r"note: this pattern is (.*)", out)
        self.reasons[name] = next((n for n in notes if "asked for" not in n), "?")

    def mim(self, name, pattern):
        ways = SCHEMES if self.o.schemes else []
        text = PROGRAM.format(pattern.replace("\\", "\\\\").replace('"', '\\"'))
        source = save(f"{self.o.folder}/{name}.mim", text + "".join(WAY.format(way) for way in ways))
        self.mim_object(name, source)
        code = f"{source}.engine.o"
        self.run(*self.cxx, f"-DSCHEMES={' '.join(f'X({way})' for way in ways)}", "-c", f"{HERE}/engines/mim.cpp", "-o", code)
        return [f"{source}.o", code]

    def data(self, name, pattern):
        if os.path.exists(f"{HERE}/data/{name}.lines"):
            return f"{HERE}/data/{name}.lines", f"{HERE}/data/{name}.exp"
        lines, re_ = patterns.lines(pattern, name, self.o.lines), re.compile(pattern, re.ASCII)
        return (save(f"{self.o.folder}/{name}.lines", "".join(f"{line}\n" for line in lines)),
                save(f"{self.o.folder}/{name}.exp", "".join("01"[bool(re_.fullmatch(line))] for line in lines) + "\n"))

    def build(self, name, pattern):
        objects, engines = self.generated(name, pattern)
        code, exe = f"{self.o.folder}/{name}.compiled.o", f"{self.o.folder}/{name}"
        self.run(*self.cxx, f"-DENGINES={' '.join(f'X({e})' for e in engines)}", "-c", f"{HERE}/engines/compiled.cpp", "-o", code)
        self.run("clang++-19", *self.objects[:1], *self.mim(name, pattern), code, *objects, *self.objects[1:], *self.libraries, "-lpthread",
                 "-ldl", "-lm", "-o", exe)
        return exe, *self.data(name, pattern)

    def report(self):
        for name, reason in self.reasons.items():
            print(f"{name:12}{reason}")
        for name, reason in self.missing.items():
            print(f"not measured: {name} ({reason})")

    def measure(self, exe, lines, answers, pattern):
        out = subprocess.run([exe, lines, answers, pattern, str(self.o.seconds)], stdout=subprocess.PIPE, text=True)
        rows = [line.split() for line in out.stdout.splitlines()]
        wrong = [row[0] for row in rows if row[2:]] or (["a crash"] if out.returncode not in (0, 1) else [])
        return {row[0]: float(row[1]) for row in rows}, wrong


def table(results):
    engines = list(dict.fromkeys(engine for row in results.values() for engine in row if engine != "scheme"))
    opponents = [e for e in engines if e not in OURS and not e.startswith("by.")]
    width = {e: max(len(e), 7) + 1 for e in engines}
    print(f"{'':12}{'by':>10}" + "".join(f"{e:>{width[e]}}" for e in engines) + f"{'best':>12}{'ratio':>7}{'x jit':>7}")
    ratios = []
    for name, row in results.items():
        best = min((e for e in opponents if e in row), key=row.get)
        ratios.append(row[best] / row["mim"])
        cells = "".join(f"{row[e]:>{width[e]}.1f}" if e in row else f"{'-':>{width[e]}}" for e in engines)
        jit = f"{row['pcre2-jit'] / row['mim']:>7.2f}" if "pcre2-jit" in row else ""
        print(f"{name:12}{SCHEMES[int(row['scheme'])]:>10}{cells}{best:>12}{ratios[-1]:>7.2f}{jit}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.2f}, least {min(ratios):.2f}, of {len(ratios)} patterns, by the best opponent of each")


def main():
    args = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    args.add_argument("--mim", default="build/release/bin/mim")
    args.add_argument("--cpu", default="native")
    args.add_argument("--schemes", action="store_true")
    args.add_argument("--only", nargs="+", default=[])
    args.add_argument("--patterns", nargs="+")
    args.add_argument("--seconds", type=float, default=0.3)
    args.add_argument("--folder", default="build/bench-regex")
    args.add_argument("--lines", type=int, default=10000)
    args.add_argument("--search", action="store_true")
    args.add_argument("--megabytes", type=int, default=100)
    args.add_argument("--compile", action="store_true")
    args.add_argument("--cliffs", action="store_true")
    args.add_argument("--most", type=int, default=100000)
    args.add_argument("--grep", action="store_true")
    args.add_argument("--rounds", type=int, default=5)
    o = args.parse_args()
    o.folder = os.path.abspath(o.folder)
    if o.grep:
        wrong = greps.run(o)
        sys.exit("other lines: " + ", ".join(wrong) if wrong else 0)
    files, all_patterns = ["search.txt"] if o.search else ["data/patterns.txt", "shapes.txt"], {}
    for file in o.patterns or [f"{HERE}/{f}" for f in files]:
        with open(file) as f:
            all_patterns |= dict(line.rstrip("\n").split("\t") for line in f)
    chosen = {name: p for name, p in all_patterns.items() if not o.only or name in o.only}
    bench = Bench(o)
    if o.cliffs:
        wrong = cliffs.run(bench, o)
        bench.report()
        sys.exit("wrong counts: " + ", ".join(wrong) if wrong else 0)
    if o.compile:
        times.run(bench, o, chosen, PROGRAM)
        return
    if o.search:
        wrong = search.run(bench, o, chosen)
        bench.report()
        sys.exit("wrong counts: " + ", ".join(wrong) if wrong else 0)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        built = dict(zip(chosen, pool.map(bench.build, chosen, chosen.values())))
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    wrong, results = [], {}
    for name, (exe, lines, answers) in built.items():
        results[name], failed = bench.measure(exe, lines, answers, chosen[name])
        wrong += [f"{engine} on {name}" for engine in failed]
    table(results)
    bench.report()
    if wrong:
        sys.exit("wrong answers: " + ", ".join(wrong))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as e:
        sys.exit(f"{' '.join(e.cmd)}\n{e.stderr}")
