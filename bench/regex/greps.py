# SPDX-License-Identifier: MIT
"""run.py --grep: `mim grep` against ripgrep on one processor, with the same output.

Milliseconds of CPU time, the median of --rounds rounds in which both take turns, and how many times as long Mim takes; what both
print must be the same. The text is generated from a fixed seed, --megabytes of it; --only names rows.
"""
import os, random, resource, shutil, statistics, subprocess, sys

LETTERS = "etaoinshrdlcumwfgypbvk"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
FILES = 10000
PLAIN = ["rg", "-j1", "--no-unicode", "--no-config"]


def word(dice):
    return "".join(dice.choice(LETTERS) for _ in range(dice.randint(2, 10)))


def words(count):
    dice, result = random.Random(1), {}
    while len(result) < count:
        one = word(dice)
        if len(one) > 3:
            result[one] = True
    return list(result)


def line(dice, common, wanted):
    parts = [dice.choice(common) for _ in range(dice.randint(4, 14))]
    chance = dice.random()
    if chance < 0.01:
        parts.append(f"{word(dice)}@{word(dice)}.org")
    elif chance < 0.02:
        parts.append(f"{dice.randint(1, 28)} {dice.choice(MONTHS.split('|'))} {dice.randint(1900, 2026)}")
    elif chance < 0.025:
        parts.append(dice.choice(wanted))
    elif chance < 0.026:
        parts.append("Sherlock Holmes")
    return " ".join(parts)


def text(size):
    """The same in each run. What is behind the first megabytes repeats them."""
    dice = random.Random(2)
    common, wanted, parts, length = [word(dice) for _ in range(20000)], words(1000), [], 0
    while length < min(size, 10_000_000):
        parts.append(line(dice, common, wanted) + "\n")
        length += len(parts[-1])
    return ("".join(parts) * (size // length + 1))[:size]


def nearly(one):
    return one[:-1] + "~"


def equal(one):
    return one


class Greps:
    def __init__(self, o):
        self.o = o
        self.folder = os.path.join(o.folder, "grep")
        self.big, self.long, self.tiny, self.tree = (os.path.join(self.folder, n) for n in ("big.txt", "long.txt", "tiny.txt", "tree"))
        if not os.path.exists(self.tiny):
            self.write()

    def write(self):
        os.makedirs(self.tree, exist_ok=True)
        whole = text(self.o.megabytes * 1000000)
        self.save(self.big, whole)
        self.save(self.long, whole[:60_000_000].replace("\n", " ") + "\n")
        for i in range(FILES):
            folder = os.path.join(self.tree, str(i % 100))
            os.makedirs(folder, exist_ok=True)
            self.save(os.path.join(folder, f"{i}.txt"), whole[i * 997 : i * 997 + 1 + i % 5000] + "\n")
        self.save(self.tiny, "a tiny file\nwith Sherlock Holmes\n")

    def save(self, path, content):
        with open(path, "w") as f:
            f.write(content)

    def words_file(self, count):
        path = os.path.join(self.folder, f"{count}.words")
        self.save(path, "\n".join(words(count)) + "\n")
        return path

    def text_of_words(self, count, change):
        """10 MB of words of a set, each of which is changed."""
        path = os.path.join(self.folder, f"{count}.{change.__name__}.txt")
        dice, those, parts, length = random.Random(3), words(count), [], 0
        while length < 10_000_000:
            parts.append(" ".join(change(dice.choice(those)) for _ in range(dice.randint(4, 14))) + "\n")
            length += len(parts[-1])
        self.save(path, "".join(parts))
        return path

    def rows(self):
        """By name: the options and operands, for both."""
        return {
            "literal": ["Sherlock Holmes", self.big],
            "class": ["[0-9]{2} [A-Z][a-z]+ 19[0-9]{2}", self.big],
            "email": [r"[\w.]+@[\w.]+\.org", self.big],
            "months": [f"({MONTHS}) [0-9]{{4}}", self.big],
            "50 words": ["-f", self.words_file(50), self.big],
            "1000 words": ["-f", self.words_file(1000), self.big],
            "100k words": ["-c", "-f", self.words_file(100_000), self.big],
            "100k nearly": ["-c", "-f", self.words_file(100_000), self.text_of_words(100_000, nearly)],
            "100k equal": ["-c", "-f", self.words_file(100_000), self.text_of_words(100_000, equal)],
            "a.*b.*c": ["a.*b.*c", self.big],
            "c a.*b.*c": ["-c", "a.*b.*c", self.big],
            "no": ["-no", "[A-Z][a-z]+ [0-9]+", self.big],
            "no words": ["-no", r"\w+ing", self.big],
            "rl": ["-l", "Sherlock", self.tree],
            "long line": ["-c", "Sherlock [A-Z]", self.long],
            "tiny": ["Sherlock", self.tiny],
        }

    def commands(self, name, arguments):
        mim, rg = [self.o.mim, "grep"], list(PLAIN)
        if name == "rl":
            mim, rg = [*mim, "-r"], [*rg, "-uuu", "--sort", "path"]
        return [*mim, *arguments], [*rg, *arguments]


def cpu(command, path):
    """Milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(path, "w") as out:
        done = subprocess.run(command, stdout=out)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, command, stderr="")
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def same(paths):
    """In any order: of several files, each program has its own."""
    contents = []
    for path in paths:
        with open(path, "rb") as f:
            contents.append(sorted(f.read().splitlines()))
    return contents[0] == contents[1]


def run(o):
    if not shutil.which("rg"):
        print("not measured: rg (not installed)")
        return []
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    greps, wrong = Greps(o), []
    outputs = [os.path.join(greps.folder, n) for n in ("mim.out", "rg.out")]
    print(f"{'':12}{'mim':>9}{'rg':>9}{'x rg':>7}")
    for name, arguments in greps.rows().items():
        if o.only and name not in o.only:
            continue
        pairs = [[cpu(c, p) for c, p in zip(greps.commands(name, arguments), outputs)] for _ in range(o.rounds)]
        mim, rg = (statistics.median(times) for times in zip(*pairs))
        print(f"{name:12}{mim:>9.1f}{rg:>9.1f}{mim / rg:>7.2f}", flush=True)
        if not same(outputs):
            wrong.append(name)
    return wrong
