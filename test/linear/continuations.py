#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of local continuations, with a token around them: what the checker accepts passes all verifiers, and gives what the
evaluator gives.

    continuations.py --mim BUILD/bin/mim [--seed 1] [--count 100] [--dir OUT]    OUT keeps the programs that fail

A function of a program declares continuations within continuations. Each of them gets numbers and other continuations, calls one
that it sees, or chooses one of two, and passes it numbers and continuations that it sees; so ways out are captured, passed, passed
twice, chosen, and left alone. No program recurs.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

# The parameters of each type of continuation: I is a number; F, S are types of this table.
TYPES = {"F": "I", "S": "F", "G": "FI", "H": "IF", "K": "FIF", "T": "SF", "U": "SIF"}
HEAD = "plugin core;\nplugin mem;\nlet F = Cn I32;\nlet S = Cn F;\n"
MAIN = "fun extern main (mem: %mem.M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): [%mem.M, I32] = { "
DEPTH = 3
REFUSED = ("[E302]", "[E525]")  # what may leave twice, or leads out where paths do not show it


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        functions = [self.function(i) for i in range(self.random.randint(1, 3))]
        calls = [f"ret a{i} = f{i} $ {f'a{i - 1}' if i else 'argc'}; " for i in range(len(functions))]
        self.text = HEAD + "\n".join(functions) + "\n" + MAIN + "".join(calls) + f"return (mem, a{len(functions) - 1}) }};\n"

    def function(self, i):
        seen = {type: [] for type in TYPES} | {"I": ["n"]}
        seen["F"] = ["return"]
        return f"fun f{i} (n: I32): I32 = {self.body(seen, DEPTH)};"

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def number(self, seen):
        some = self.random.choice(seen["I"])
        other = self.random.choice(seen["I"] + [f"{self.random.randint(0, 9)}I32"])
        return self.random.choice([some, other, f"({some} + {other})", f"({some} * 3I32)", f"({some} - 1I32)"])

    def argument(self, seen, type):
        elems = [self.number(seen) if part == "I" else self.random.choice(seen[part]) for part in TYPES[type]]
        return elems[0] if len(elems) == 1 else "(" + ", ".join(elems) + ")"

    def call(self, seen):
        possible = [type for type, parts in TYPES.items() if seen[type] and all(seen[part] for part in parts)]
        type = self.random.choice(possible)
        callee = self.random.choice(seen[type])
        if self.random.random() < 0.35:
            other = self.random.choice(seen[type])
            callee = f"({callee}, {other})#({self.number(seen)} == {self.random.randint(0, 4)}I32)"
        return f"{callee} {self.argument(seen, type)}"

    def continuation(self, seen, depth):
        type = self.random.choice(list(TYPES))
        params = [(self.fresh("x"), part) for part in TYPES[type]]
        inner = {t: names + [name for name, part in params if part == t] for t, names in seen.items()}
        types = ", ".join(f"{name}: {'I32' if part == 'I' else part}" for name, part in params)
        name = self.fresh("c")
        text = f"con {name} ({types}) = {self.body(inner, depth - 1)};"
        return name, type, text

    def body(self, seen, depth):
        seen = {type: list(names) for type, names in seen.items()}
        declared = []
        for _ in range(self.random.randint(depth == DEPTH, 2) if depth else 0):
            name, type, text = self.continuation(seen, depth)
            seen[type].append(name)
            declared.append(text)
        return "{ " + " ".join(declared) + " " + self.call(seen) + " }" if declared else self.call(seen)


def run(mim, file, *options):
    return subprocess.run([mim, "run", *options, file], capture_output=True, text=True, timeout=120, cwd=file.parent)


def errors_of(done):
    return [line for line in done.stderr.split("\n") if "error:" in line]


def is_refused(done, codes):
    """Whether the program has errors, all of which have one of these codes."""
    errors = errors_of(done)
    return done.returncode == 1 and bool(errors) and all(any(code in error for code in codes) for error in errors)


def check(mim, file):
    """None: it is refused. Otherwise what is wrong, or an empty text."""
    compiled = run(mim, file, "--verify-each")
    if is_refused(compiled, REFUSED):
        return None
    errors = errors_of(compiled)
    if errors:
        return errors[0]
    evaluated = run(mim, file, "--eval")
    if errors_of(evaluated) or evaluated.returncode != compiled.returncode:
        return f"the program gives {compiled.returncode}, the evaluator {evaluated.returncode}: {''.join(errors_of(evaluated)[:1])}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "continuations")
    args = parser.parse_args()
    folder = args.dir.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    accepted, failed = 0, 0
    for seed in range(args.seed, args.seed + args.count):
        file = folder / f"c{seed}.mim"
        file.write_text(Program(seed).text)
        wrong = check(args.mim.resolve(), file)
        accepted += wrong is not None
        failed += bool(wrong)
        if wrong:
            print(f"{file}: {wrong}")
        else:
            file.unlink()
    print(f"{args.count} programs of continuations from seed {args.seed}: {accepted} accepted, {failed} failed")
    if accepted * 2 < args.count:
        sys.exit("less than half of the programs was accepted: they say little")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
