#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures each way to match whole subjects on generated patterns, and fits the costs by which Mim chooses one.

usage: costs.py measure [--mim PROGRAM] [--cpu NAME] [--patterns N] [--seed S] [--folder FOLDER] > MEASURED
       costs.py again MEASURED…    the same figures with the features that this Mim finds
       costs.py fit MEASURED…      the table of coefficients (plug/regex/costs.inc)
       costs.py check MEASURED…    of patterns that were not fitted: how far what is chosen is from the best way

A line of what is measured is JSON: the pattern, what Mim knows of its automaton (the features that `--verbose` tells), and for each way
nanoseconds for a subject, on lines of which half match (`half`) and on lines that mostly fail early (`few`). CPU time, the least of
several passes; all ways must agree.
"""
import argparse, json, os, random, re, resource, subprocess
import patterns

SECONDS = 6  # of CPU time that compiling all ways may take; what takes longer is left out
HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["branches", "table", "shifts", "shuffles", "strides", "compare", "hash"]
PROGRAM = """plugin regex;
let pattern = %regex.full (%regex.parse "{}");
lam answer (r: %regex.RegEx) (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = {{
    let (mem, ok, _) = r (mem, text, %core.bitcast (Idx n) 0);
    (mem, ok)
}};
fun extern mim_auto (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] = return (answer pattern (mem, n, text));
"""
WAY = """fun extern mim_{0} (mem: %mem.M, n: Nat, text: %regex.Str n): [%mem.M, Bool] =
    return (answer (%regex.by.{0} pattern) (mem, n, text));
"""
WORDS = ("get set put post head info warn error debug true false null none yes no red green blue north south east west open "
         "close").split()
CLASSES = ["[a-z]", "[A-Z]", r"\d", r"\w", "[0-9a-f]", "[A-Za-z0-9]", "[a-z0-9_.-]", "[ \\t]", "[^,]", "[^\"]", "[01]", "[aeiou]",
           "[^ ]", "."]


def quantifier(dice):
    low = dice.choice([0, 1, 1, 2, 3])
    return dice.choice(["", "", "?", "*", "+", "+", f"{{{low + 1}}}", f"{{{low},{low + dice.randint(1, 6)}}}",
                        f"{{{dice.randint(4, 40)}}}", f"{{{dice.randint(2, 8)},{dice.randint(9, 70)}}}"])


def part(dice, depth):
    kind = dice.random()
    if kind < 0.45:
        return dice.choice(CLASSES) + quantifier(dice)
    if kind < 0.65:
        return re.escape(dice.choice(WORDS + [":", "-", "/", "=", ", ", "@", "."]))
    if kind < 0.73:
        return "(?:" + "|".join(dice.sample(WORDS, dice.randint(2, 9))) + ")"
    if kind < 0.78:
        return dice.choice([r"(?:0[1-9]|[12]\d|3[01])", r"(?:25[0-5]|2[0-4]\d|1?\d?\d)", r"(?:[01]\d|2[0-3])", r"(?:19|20)\d\d"])
    if kind < 0.82:
        return "".join(f"[{c}{c.upper()}]" for c in dice.choice(WORDS))
    if depth == 0:
        return dice.choice(CLASSES)
    inner = "".join(part(dice, depth - 1) for _ in range(dice.randint(1, 3)))
    if kind < 0.9:
        return f"(?:{inner})" + dice.choice(["?", "*", "+", f"{{{dice.randint(2, 6)}}}", f"{{1,{dice.randint(2, 31)}}}"])
    other = "".join(part(dice, depth - 1) for _ in range(dice.randint(1, 3)))
    return f"(?:{inner}|{other})"


def generated(dice):
    """A pattern whose texts are neither all short nor very long."""
    while True:
        text = "".join(part(dice, 2) for _ in range(dice.randint(1, 6)))
        samples = [len(line) for line in patterns.lines(text, 1, 20)]
        if 2 <= sum(samples) / 20 <= 150 and len(text) < 200:
            return text


def subjects(pattern, count):
    """Of which half match, and of which few do: lines of other patterns, and what begins otherwise."""
    half, dice = patterns.lines(pattern, "half", count), random.Random("few")
    few = []
    for line in half:
        kind = dice.random()
        if kind < 0.05:
            few.append(line)
        elif kind < 0.45:
            few.append("".join(dice.choice("etaoin shrdlu019-.,") for _ in range(dice.randint(0, 40))))
        else:
            at = dice.randrange(min(len(line), 6) + 1)
            few.append(line[:at] + dice.choice("etaoin shrdlu019-.,") + line[at:])
    return half, few


def save(path, text):
    with open(path, "w", encoding="latin-1") as f:
        f.write(text)
    return path


def build(o, pattern, number, ways=WAYS):
    """The library of these ways, the features and what was chosen."""
    source, cpu = f"{o.folder}/{number}.mim", [] if o.cpu == "native" else ["--cpu", o.cpu]
    text = PROGRAM.format(pattern.replace("\\", "\\\\").replace('"', '\\"'))
    save(source, text + "".join(map(WAY.format, ways)))
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    command = [o.mim, "build", "-O2", "--verbose", "--set", "regex.features=true", *cpu, "--emit", "shared", "-o", f"{source}.so", source]
    notes = subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=limit).stderr
    chosen = next(n for n in re.findall(r"note: this pattern is (.*)", notes) if "asked for" not in n)
    asked = re.findall(r"by `%regex\.by\.(\w+)`[^\n]*that was asked for", notes)
    features = re.search(r"\[features: ([^\]]*)\]", notes)
    return f"{source}.so", re.search(r"by\.(\w+)", chosen)[1], set(asked), [float(x) for x in features[1].split()] if features else None


def measure(o):
    exe, dice = f"{o.folder}/costs", random.Random(o.seed)
    os.makedirs(o.folder, exist_ok=True)
    subprocess.run(["clang++-19", "-std=c++20", "-O3", f"{HERE}/engines/costs.cpp", "-ldl", "-o", exe], check=True)
    for number in range(o.patterns):
        pattern = generated(dice)
        try:
            library, chosen, asked, features = build(o, pattern, number)
        except (subprocess.CalledProcessError, StopIteration):
            continue
        row = {"pattern": pattern, "cpu": o.cpu, "features": features, "chosen": chosen}
        for kind, lines in zip(("half", "few"), subjects(pattern, 2000)):
            texts = save(f"{o.folder}/{number}.{kind}", "".join(f"{line}\n" for line in lines))
            command = [exe, library, texts, str(o.seconds), "auto", *(way for way in WAYS if way in asked)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            row[kind] = {way: float(time) for way, time in map(str.split, out.splitlines())}
        os.remove(library)
        print(json.dumps(row), flush=True)


def again(o):
    os.makedirs(o.folder, exist_ok=True)
    for row in read(o.files):
        o.cpu = row["cpu"]
        _, row["chosen"], _, row["features"] = build(o, row["pattern"], "again", [])
        print(json.dumps(row), flush=True)


LEVELS = ["x86-64-v2", "x86-64-v3", "native"]  # vectors of 16, 32 and 64 bytes
PARTS = ["subject", "steps", "halves", "turns", "blocks", "bits", "skips", "more"]
LEARNED = 20  # bits that a processor learns by heart; more of them take longer (costs.cpp)
BLOCKS = ("subject", "halves", "turns")
CHARS = ("subject", "steps")
USED = [("subject", "blocks", "bits", "skips", "more"), CHARS, CHARS, *[BLOCKS] * 7, ("subject",), ("subject",)]
ROWS = ["branches", "table", "shifts", *["shuffles"] * 4, *["strides"] * 3, "compare", "hash"]
MOST_BLOCKS, WEIGHTS = 384, (2, 1)  # of plan.cpp


def read(files):
    rows = [json.loads(line) for name in files for line in open(name)]
    return [row for row in rows if row["features"]]


def works(row):
    """What each kind of subjects makes a way do, and its nanoseconds."""
    f = row["features"]
    work = lambda numbers: [1, *numbers, max(numbers[4] - LEARNED, 0)]
    return [(work(f[0:6]), row["half"]), (work(f[6:12]), row["few"])]


def row_of(row, way):
    if way in ("shuffles", "strides"):
        return int(row["features"][14 if way == "shuffles" else 15])
    return ROWS.index(way)


def fitted(points, used):
    """Coefficients of at least zero with about the least sum of squares of logarithms of errors, one after the other until they stay."""
    coefficients = [0.0] * len(PARTS)
    columns = [PARTS.index(name) for name in used]
    weights = [1 / time**2 for _, time in points]
    for _ in range(8):
        for _ in range(300):
            for k in columns:
                top = bottom = 0.0
                for (work, time), weight in zip(points, weights):
                    rest = time - sum(coefficients[j] * work[j] for j in columns if j != k)
                    top += rest * work[k] * weight
                    bottom += work[k] ** 2 * weight
                coefficients[k] = max(top / bottom, 0.0) if bottom else 0.0
        guess = [max(sum(c * w for c, w in zip(coefficients, work)), 1.0) for work, _ in points]
        weights = [1 / (time * g) for (_, time), g in zip(points, guess)]
    return coefficients


def fit(o):
    rows = read(o.files)
    print("// Made by bench/regex/costs.py fit. Nanoseconds, by vectors of 16, 32 and 64 bytes, and by Row:")
    print("// " + ", ".join(PARTS))
    for level in LEVELS:
        print("{")
        for number, used in enumerate(USED):
            points = []
            for row in rows:
                if row["cpu"] == level and ROWS[number] in row["half"] and row_of(row, ROWS[number]) == number:
                    points += [(work, times[ROWS[number]]) for work, times in works(row)]
            print("    {" + ", ".join(f"{c:.3g}" for c in fitted(points, used)) + f"}}, // {len(points)} of {ROWS[number]}")
        print("},")


def table():
    """The coefficients that Mim has, by level and row."""
    with open(f"{HERE}/../../plug/regex/costs.inc") as f:
        numbers = [[float(x) for x in line[:-1].split(",")] for line in re.findall(r"^    \{([^}]*\})", f.read(), re.M)]
    return {level: numbers[i * len(ROWS) : (i + 1) * len(ROWS)] for i, level in enumerate(LEVELS)}


def chosen(row, coefficients):
    """As plan.cpp does."""
    costs = {}
    for way in row["half"]:
        if way != "auto" and not (way == "branches" and row["features"][12] > MOST_BLOCKS):
            c = coefficients[row["cpu"]][row_of(row, way)]
            costs[way] = [sum(a * b for a, b in zip(c, work)) for work, _ in works(row)]
    least = [min(c[kind] for c in costs.values()) for kind in (0, 1)]
    return min(costs, key=lambda way: sum(n * c / best for n, c, best in zip(WEIGHTS, costs[way], least)))


def check(o):
    """How far what is chosen is from the best way. `both`: subjects of which half match count twice, as in plan.cpp."""
    coefficients, rows = table(), read(o.files)
    for level in LEVELS:
        worst, ratios = [], {"both": [], "half": [], "few": []}
        for row in rows:
            ways = [way for way in row["half"] if way != "auto"]
            if row["cpu"] != level or len(ways) < 2:
                continue
            way = chosen(row, coefficients)
            least = [min(row[kind][w] for w in ways) for kind in ("half", "few")]
            of = lambda w: sum(n * row[kind][w] / best for n, kind, best in zip(WEIGHTS, ("half", "few"), least))
            both = of(way) / min(map(of, ways))
            ratios["both"].append(both)
            for kind, best in zip(("half", "few"), least):
                ratios[kind].append(row[kind][way] / best)
            worst.append((both, way, min(ways, key=of), row["pattern"]))
        if not worst:
            continue
        for kind, all in ratios.items():
            within = sum(r <= 1.2 for r in all) / len(all)
            print(f"{level:10} {kind:5} {len(all)} patterns: {100 * within:.0f} % within 1.2 x of the best way, "
                  f"the worst {max(all):.2f} x, {sum(r > 2 for r in all)} beyond 2 x")
        for ratio, way, best, pattern in sorted(worst, reverse=True)[: o.worst]:
            print(f"    {ratio:.2f} {way} instead of {best}: {pattern}")


def options():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["measure", "again", "fit", "check"])
    p.add_argument("files", nargs="*")
    p.add_argument("--mim", default="mim")
    p.add_argument("--cpu", default="native")
    p.add_argument("--patterns", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--worst", type=int, default=10)
    p.add_argument("--seconds", type=float, default=0.004)
    p.add_argument("--folder", default="/tmp/mim-costs")
    return p.parse_intermixed_args()


if __name__ == "__main__":
    o = options()
    {"measure": measure, "again": again, "fit": fit, "check": check}[o.what](o)
