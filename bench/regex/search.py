# SPDX-License-Identifier: MIT
"""run.py --search: all matches of the patterns of search.txt in a generated text, counted."""
import math, os, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = {"pcre2": "-lpcre2-8", "re2": "-lre2", "hyperscan": "-lhs", "rust": "-lengine"}
PROGRAM = """plugin regex;
let pattern = %regex.parse "{}";
fun extern mim_count (mem: %mem.M, n: Nat, text: %regex.Chars n): [%mem.M, Nat] = return (%regex.count pattern (mem, text));
"""


class Search:
    def __init__(self, bench, o):
        self.bench, self.o = bench, o
        self.objects, self.libraries = [self.engine("main")], list(bench.libraries[:1])
        for name, library in LIBRARIES.items():
            if name != "rust" or "rust" not in bench.missing:
                if bench.attempt(name, lambda name=name: self.objects.append(self.engine(name))):
                    self.libraries.append(library)
        self.mim_engine = self.engine("mim")

    def engine(self, name):
        code = f"{self.o.folder}/search.{name}.o"
        self.bench.run(*self.bench.cxx, "-c", f"{HERE}/engines/search/{name}.cpp", "-o", code)
        return code

    def measure(self, name, pattern):
        source = f"{self.o.folder}/search.{name}.mim"
        with open(source, "w", encoding="latin-1") as f:
            f.write(PROGRAM.format(pattern.replace("\\", "\\\\").replace('"', '\\"')))
        self.bench.mim_object(name, source)
        exe = f"{self.o.folder}/search.{name}"
        self.bench.run("clang++-19", self.mim_engine, f"{source}.o", *self.objects, *self.libraries, "-lpthread", "-ldl", "-lm", "-o", exe)
        out = self.bench.run(exe, str(self.o.megabytes), pattern, str(self.o.seconds)).stdout
        return {row[0]: (float(row[1]), int(row[2])) for row in map(str.split, out.splitlines())}


def table(rows):
    """Milliseconds, and whether all agree. Hyperscan counts as an opponent by what it reports without beginnings, if that is as many."""
    engines = list(dict.fromkeys(engine for row in rows.values() for engine in row))
    print(f"{'':10}{'matches':>10}" + "".join(f"{e:>{max(len(e), 8) + 1}}" for e in engines) + "  x re2  x hyperscan")
    wrong, by_re2, by_hyperscan = [], [], []
    for name, row in rows.items():
        expected = row["mim"][1]
        for engine, (_, count) in row.items():
            if engine not in ("read", "hyperscan", "hyperscan-som") and count != expected:
                wrong.append(f"{engine} on {name} ({count} instead of {expected})")
        cells = "".join(f"{row[e][0] / 1000:>{max(len(e), 8) + 1}.1f}" if e in row else f"{'-':>{max(len(e), 8) + 1}}" for e in engines)
        same = next((e for e in ("hyperscan", "hyperscan-som") if e in row and row[e][1] == expected), None)
        by_re2.append(row["re2"][0] / row["mim"][0] if "re2" in row else math.nan)
        by_hyperscan.append(row[same][0] / row["mim"][0] if same else math.nan)
        print(f"{name:10}{expected:>10}{cells}{by_re2[-1]:>7.2f}{by_hyperscan[-1]:>7.2f} {same or 'counts otherwise'}")
    return wrong


def run(bench, o, patterns):
    search = Search(bench, o)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return table({name: search.measure(name, p) for name, p in patterns.items()})
