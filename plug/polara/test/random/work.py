#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operations that random programs of Polara run: never more in the list that programs are compiled by than in the text, and, in
paper form, never more behind the passes than before. Sharing again finds nothing, and lists in paper form do not grow.

    work.py [--mim PATH] [--seed N] [--count N] [--jobs N] --folder FOLDER

Lists are read as `--emit ainf` writes them, and interpreted here, eagerly: what stands under loops runs in each turn, under
conditions where they hold, and under a function in each of its calls. Literals, and what makes functions and arrays, count
nothing. A list whose value is another one says nothing, since text has six digits of a number: how many there are is printed."""
import itertools
import math
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "test/random"))
from sweep import sweep

BINDING = re.compile(r"^  let (.*)\(x(\d+) : (.*) := (.*)\)$")
PAIRS = (("raw", "full"), ("norm", "all"))
AGAIN = (("norm_cse", "ainf.cse"), ("full", "ainf.simplify"))
MASK = 2**64 - 1
skipped = []


def split(text):
    """At commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    return [part for part in parts + [text[begin:].strip()] if part]


class Binding:
    def __init__(self, line):
        frames, number, self.type, self.text = BINDING.match(line).groups()
        self.number, self.env = int(number), [tuple(re.split("[ :]", frame, maxsplit=2)) for frame in split(frames)]
        self.uses = ["x" + n for n in re.findall(r"\bx(\d+)", self.text)]


class Closure:
    def __init__(self, binding, scope):
        self.binding, self.scope = binding, scope


class List:
    """A list with sizes and the bindings of the body of each function and fold."""

    def __init__(self, text, sizes, has_dead):
        lines = text.splitlines()
        self.bindings = [Binding(line) for line in lines[:-1]]
        self.result, self.sizes, self.has_dead = lines[-1], sizes, has_dead
        self.by_name = {f"x{b.number}": b for b in self.bindings}
        self.values, self.count, self.ids, self.bodies = {}, 0, itertools.count(), {}

    def size(self, text):
        return eval(text, {}, self.sizes)

    def body(self, binder, frame):
        """The bindings under the frame of the binder; in a list as it is written, also those that nobody uses."""
        if binder.number not in self.bodies:
            depth = len(binder.env)
            inside = [b for b in self.bindings if len(b.env) > depth and b.number < binder.number]
            if self.has_dead:
                inside = [b for b in inside if b.env[:depth + 1] == binder.env + [frame]]
                last = max((b.number for b in self.bindings if b.number < binder.number and b.env == binder.env
                            and b.text.split(" ")[0] in ("fun", "for", "fold", "scan", "if")), default=-1)
                inside = [b for b in inside if b.number > last]
            else:
                used, todo = set(), list(binder.uses)
                while todo:
                    name = todo.pop()
                    b = self.by_name[name]
                    if name in used or frame not in b.env:
                        continue
                    used.add(name)
                    todo += b.uses + [word for f in b.env if f[0] == "if" for word in re.findall(r"x\d+", f[1])]
                inside = [b for b in self.bindings if f"x{b.number}" in used]
            self.bodies[binder.number] = inside
        return self.bodies[binder.number]

    def get(self, name, scope):
        if name[0] == "i":
            return scope[name][1]
        key = [name]
        for frame in self.by_name[name].env:
            if frame[0] != "if":
                key.append(scope[frame[1]][0])
        return self.values[tuple(key)]

    def run(self, b, frames, scope):
        if not frames:
            key = [f"x{b.number}"] + [scope[frame[1]][0] for frame in b.env if frame[0] != "if"]
            self.values[tuple(key)] = self.primitive(b, scope)
            return
        frame = frames[0]
        if frame[0] == "for":
            for turn in range(self.size(frame[2])):
                self.run(b, frames[1:], {**scope, frame[1]: (turn, turn)})
        elif frame[0] == "if":
            name, sign = re.match(r"(\w+)([!=]=)0", frame[1]).groups()
            if (self.get(name, scope) != 0) == (sign == "!="):
                self.run(b, frames[1:], scope)

    def inside(self, binder, frame, scope):
        for b in self.body(binder, frame):
            self.run(b, [f for f in b.env if f != frame and f not in binder.env], scope)  # conditions may be outside of the frame

    def call(self, f, argument):
        _, index, type_ = re.match(r"(fun) (\w+):(.*), \w+$", f.binding.text).groups()
        scope = {**f.scope, index: (next(self.ids), argument)}
        self.inside(f.binding, ("fun", index, type_), scope)
        return self.get(f.binding.text.rsplit(", ", 1)[1], scope)

    def fold(self, b, scope):
        word, frame, start, body = re.match(r"(fold|scan) (.*) from (\w+), (\w+)$", b.text).groups()
        frame = tuple(re.split("[ :]", "fold " + frame, maxsplit=2))
        turn_name, size = re.search(r"(i\d+):([^:]*)$", frame[2]).groups()
        value, values = self.get(start, scope), []
        for turn in range(self.size(size)):
            inner = {**scope, frame[1]: ((b.number, turn), value), turn_name: (turn, turn)}
            self.inside(b, frame, inner)
            value = self.get(body, inner)
            values.append(value)
        return values if word == "scan" else value

    def primitive(self, b, scope):
        text = b.text
        if text.startswith("fun "):
            return Closure(b, dict(scope))
        if text.startswith("for "):
            frame = re.match(r"for (\w+):(.*), (\w+)$", text)
            return [self.get(frame[3], {**scope, frame[1]: (turn, turn)}) for turn in range(self.size(frame[2]))]
        if not re.search(r"\b[xi]\d", text):
            return float(text) if b.type == "Float" else int(text)
        self.count += 1
        if text.startswith(("fold ", "scan ")):
            return self.fold(b, scope)
        choice = re.match(r"if (\w+) != 0 then (\w+) else (\w+)$", text)
        if choice:
            return self.get(choice[2] if self.get(choice[1], scope) != 0 else choice[3], scope)
        args = [self.get(name, scope) for name in re.findall(r"\b[xi]\d+", text)]
        return self.operation(text, args, b.type == "Float")

    def operation(self, text, args, is_flt):
        words = text.split(" ")
        if text.startswith("("):
            return tuple(args)
        if "[" in text:
            return args[0][args[1]]
        if len(words) == 2 and words[0][0] in "xi" and words[0][1:].isdigit():
            return self.call(args[0], args[1])
        unary = {"fst": lambda p: p[0], "snd": lambda p: p[1], "val": lambda i: i, "ofNat": float, "exp": exp, "log": log,
                 "normCdf": norm_cdf, "sum": lambda a: total(a, is_flt), "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan}
        if words[0] in unary:
            return unary[words[0]](args[0])
        if words[0] == "max":
            return args[0] if math.isnan(args[1]) else args[1] if math.isnan(args[0]) else max(args)
        a, b = args
        sign = words[1]
        if sign in ("<", "=="):
            return int(a < b if sign == "<" else a == b)
        if is_flt:
            return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else divided(a, b)
        return (a + b) & MASK if sign == "+" else max(0, a - b) if sign == "-" else (a * b) & MASK if sign == "*" else a // b if b else 0

    def main(self, arguments):
        for b in self.bindings:
            self.run(b, b.env, {})
        value = self.get(self.result, {})
        for argument in arguments:
            value = self.call(value, argument)
        return value


def total(array, is_flt):
    value = 0.0 if is_flt else 0
    for x in array:
        value = value + x if is_flt else (value + x) & MASK
    return value


def exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def log(x):
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan


def divided(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def norm_cdf(d):
    k = 1 / (1 + 0.2316419 * abs(d)) if not math.isnan(d) else d
    p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    c = 0.3989422804014327 * exp(-0.5 * d * d) * p
    return 1 - c if d > 0 else c


def shown(value):
    if isinstance(value, (list, tuple)):
        return [shown(part) for part in value]
    return struct.pack("<d", value).hex() if isinstance(value, float) and not math.isnan(value) else str(value)


def list_of(options, file, pipeline):
    """Its text; None if it is too large."""
    command = [options.mim, "build", str(file), "--emit", "ainf", "-o", "-", "--pipeline", pipeline]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
    return result.stdout.decode() if result.returncode == 0 else None


def check(options, seed, _):
    file = options.folder / f"t{seed}.polara"
    text = subprocess.run([sys.executable, str(HERE / "generate.py"), str(seed), "1"], stdout=subprocess.PIPE, check=True).stdout.decode()
    file.write_text(text)
    arguments = [eval(line[len("-- argument "):], {}) for line in text.splitlines() if line.startswith("-- argument ")]
    sizes = {"n": len(arguments[0]), "m": len(arguments[1])}
    wrong = []
    for stages in PAIRS if all(sizes.values()) else ():
        texts = [list_of(options, file, f"%polara.stage.{stage}") for stage in stages]
        if None in texts:
            continue
        lists = [List(text, sizes, i == 0) for i, text in enumerate(texts)]
        if stages[0] == "norm" and len(lists[1].bindings) > len(lists[0].bindings):
            wrong.append(f"{file}: {stages[1]} is longer than {stages[0]}")
        values = [shown(one.main(arguments)) for one in lists]
        if values[0] != values[1]:
            skipped.append(f"{seed} {stages[1]}")
        elif lists[1].count > lists[0].count:
            wrong.append(f"{file}: {stages[0]} runs {lists[0].count} operations, {stages[1]} {lists[1].count}")
    for stage, phase in AGAIN:
        once = list_of(options, file, f"%polara.stage.{stage}")
        if once != list_of(options, file, f'%compile.seq (%polara.stage.{stage}, %compile.phase "{phase}")'):
            wrong.append(f"{file}: {phase} finds more behind {stage}")
    if not wrong:
        file.unlink()
    return wrong


if __name__ == "__main__":
    sys.setrecursionlimit(100000)
    status = sweep(__doc__, 1, check)
    if skipped:
        print(f"{len(skipped)} lists have another value by six digits")
    sys.exit(status)
