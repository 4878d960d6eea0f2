# SPDX-License-Identifier: MIT
"""run.py --cliffs: families of patterns, swept over their size. Time must grow no faster than the pattern does.

Nanoseconds of CPU time for a character: `count`, `first` (the first match) and `full` (each line as a whole) by mim::Regex, which takes
`compile` milliseconds before; counting by the opponents that are installed; and `grep -c` by Mim and by others. `x best` says how many
times as fast as the best opponent counting is, `step` how many times as long it takes as in the row before. --most bounds the size.
"""
import os, random, resource, shutil, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = {"pcre2": "-lpcre2-8", "re2": "-lre2", "hyperscan": "-lhs", "rust": "-lengine"}
LETTERS = "etaoinshrdlcumwfgypbvk"
SECONDS = 30  # of CPU time that an engine may take for a pattern


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def word(dice):
    return "".join(dice.choice(LETTERS) for _ in range(dice.randint(4, 10)))


def text(size):
    """Lines of words, of which one in two thousand is a word of the patterns; the same in each run."""
    dice = random.Random(2)
    common, wanted, parts, length = [word(dice) for _ in range(20000)], words(100), [], 0
    while length < size:
        line = [dice.choice(wanted) if dice.random() < 0.0005 else dice.choice(common) for _ in range(dice.randint(4, 14))]
        if dice.random() < 0.1:
            line[0] = line[0].capitalize()
        if dice.random() < 0.01:
            line.insert(len(line) // 2, "father")
        parts.append(" ".join(line) + "\n")
        length += len(parts[-1])
    return "".join(parts)


def words(count):
    dice, result = random.Random(1), {}
    while len(result) < count:
        result[word(dice)] = True
    return list(result)


FAMILIES = {
    "words": ([10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000], lambda n: "|".join(words(n))),
    "whole": ([10, 100, 1000, 10000, 100000], lambda n: r"\b(?:" + "|".join(words(n)) + r")\b"),
    "nocase": ([10, 100, 1000, 10000], lambda n: "(?i)(?:" + "|".join(words(n)) + ")"),
    "gap": ([1, 10, 20, 40, 80, 160, 320, 640, 1000], lambda k: f"father.{{0,{k}}}[A-Z]"),
    "near": ([1, 10, 20, 40, 80, 160, 320], lambda k: f"[a-z]+ .{{0,{k}}}father .{{0,{k}}}[A-Z]"),
    "run": ([1, 10, 100, 1000], lambda k: f"[a-z ]{{1,{k}}}X"),
    "states": ([2, 4, 8, 10, 12, 14, 16, 18, 20], lambda n: f"[a-m]*[aeiou][a-z]{{{n}}}Q"),
}


class Cliffs:
    def __init__(self, bench, o):
        self.bench, self.o = bench, o
        library = os.path.join(os.path.dirname(os.path.abspath(o.mim)), "..", "lib")
        includes = [f"-I{HERE}/../../src", f"-I{HERE}/../../plug"]
        objects, libraries = [self.engine("files"), self.engine("host", *includes)], list(bench.libraries[:1])
        for name, flag in LIBRARIES.items():
            if (name != "rust" or "rust" not in bench.missing) and bench.attempt(name, lambda name=name: objects.append(self.engine(name))):
                libraries.append(flag)
        self.engines = len(objects) - 1
        self.exe = f"{o.folder}/cliffs"
        ours = [f"-L{library}", "-lmim_regex_host", "-lmim", f"-Wl,-rpath,{library}"]
        bench.run("clang++-19", *objects, *libraries, *ours, "-lpthread", "-ldl", "-lm", "-o", self.exe)
        self.text = f"{o.folder}/cliffs.txt"
        with open(self.text, "w") as f:
            f.write(text(o.megabytes * 1000000))
        self.greps = {"mim grep": [o.mim, "grep", "-c"]}
        for name, command in (("rg", ["rg", "-j1", "--no-unicode", "-c"]), ("grep", ["grep", "-Ec"])):
            if shutil.which(name):
                self.greps[name] = command

    def engine(self, name, *flags):
        code = f"{self.o.folder}/cliffs.{name}.o"
        self.bench.run(*self.bench.cxx, *flags, "-c", f"{HERE}/engines/search/{name}.cpp", "-o", code)
        return code

    def measure(self, pattern):
        """By engine: microseconds, and what it counted; engines that take too long are not there."""
        path, rows = f"{self.o.folder}/cliffs.pattern", {}
        with open(path, "w") as f:
            f.write(pattern)
        for number in range(self.engines):
            command = [self.exe, path, self.text, str(self.o.seconds), str(number)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=limit)
            rows |= {row[0]: (float(row[1]), int(row[2])) for row in map(str.split, done.stdout.splitlines())}
            if number == 0 and done.returncode:
                rows["failure"] = done.returncode, 0
        if len(pattern) < 100000:  # an argument of a command
            for name, command in self.greps.items():
                time = self.grep(command, pattern)
                if time:
                    rows[name] = time
        return rows

    def grep(self, command, pattern):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, "--", pattern, self.text], capture_output=True, text=True, preexec_fn=limit)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            return None
        return 1e6 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime), int(done.stdout or 0)


OURS = ["compile", "mim", "first", "full", "failure"]


def row(name, size, times, before, megabytes):
    opponents = {e: t for e, t in times.items() if e not in OURS and "grep" not in e and e not in ("rg", "hyperscan")}
    counted = times.get("mim", (float("inf"), 0))
    best = min((t for t, _ in opponents.values()), default=None)
    cells = [f"{times['compile'][0] / 1000:>9.1f}" if "compile" in times else f"{'-':>9}"]
    for e in ["mim", "first", "full", "re2", "pcre2-jit", "hyperscan", "rust", "mim grep", "rg", "grep"]:
        cells.append(f"{times[e][0] / megabytes / 1000:>9.2f}" if e in times else f"{'-':>9}")
    ratio = f"{best / counted[0]:>8.2f}" if best else f"{'-':>8}"
    step = f"{counted[0] / before:>6.2f}" if before else f"{'-':>6}"
    print(f"{name:8}{size:>8}" + "".join(cells) + ratio + step, flush=True)
    wrong = [f"{e} on {name} {size}: {n} instead of {counted[1]}" for e, (_, n) in opponents.items() if n != counted[1]]
    if "failure" in times:
        wrong.append(f"mim::Regex on {name} {size} ends with {times['failure'][0]}")
    lines = {e: times[e][1] for e in ("mim grep", "rg", "grep") if e in times}
    if len(set(lines.values())) > 1:
        wrong.append(f"lines on {name} {size}: {lines}")
    return counted[0], wrong


def run(bench, o):
    cliffs, wrong = Cliffs(bench, o), []
    print(f"{'':8}{'size':>8}{'compile':>9}{'count':>9}{'first':>9}{'full':>9}{'re2':>9}{'pcre2':>9}{'hs':>9}{'rust':>9}"
          f"{'mim grep':>9}{'rg':>9}{'grep':>9}{'x best':>8}{'step':>6}")
    for name, (sizes, pattern) in FAMILIES.items():
        before = None
        for size in sizes:
            if size > o.most or (o.only and name not in o.only):
                continue
            before, failed = row(name, size, cliffs.measure(pattern(size)), before, o.megabytes)
            wrong += failed
    return wrong
