#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random instances of the laws of RISE: the evaluator makes of a program what it makes of it after a law has rewritten it.

A law whose condition does not hold must not fire: there `not` stands in front of it.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] --folder FOLDER [--compiled] [--law NAME]

`--each`: instances in one program. Of a program that fails, the instances that fail alone stay in the folder, each in a file with its seed.
`--compiled` runs what was rewritten as code as well; `--law` says the law of all instances."""
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[3] / "test/random")]
from instances import Instance, text_of, value  # noqa: E402
from registry import LAWS, REFUSED  # noqa: E402
from sweep import sweep  # noqa: E402
import laws, moving_laws, lowering_laws, vector_laws  # noqa: E402, E401, F401

DECLARATIONS = HERE.parents[1]
NATIVE = re.compile(r"^axm %rise\.(\w+):.*%elevate\.Strategy;", re.M)
WRITTEN = re.compile(r"^rule (\w+)", re.M)


def all_rules():
    """Those that have to be here."""
    written = WRITTEN.findall((DECLARATIONS / "with/elevate.mim").read_text())
    native = NATIVE.findall((DECLARATIONS / "rise.mim").read_text())
    return (set(written) | set(native)) - {"dfnf"}


def sizes_of(seed):
    """The same for all instances of a program."""
    rng = random.Random(f"sizes {seed}")
    return {"n": rng.choice([0, 1, 2, 3]), "m": rng.choice([0, 1, 2, 4]), "p": rng.choice([1, 2, 3])}


def definition(seed, name, sizes, only):
    """The text, and the types of its parameters. A third of the instances must not be rewritten."""
    rng = random.Random(f"instance {seed}")
    table = REFUSED if rng.random() < 0.33 else LAWS
    g = Instance(rng, sizes)
    rules = sorted(LAWS)
    g.name = only or rules[seed % len(rules)]
    functions = table.get(g.name) or LAWS[g.name]
    fires = functions is LAWS[g.name]
    inside = rng.random() < 0.2
    if inside:
        outer = (g.fresh("x"), ("array", g.size(), ("i32",)))
        g.parameters.append(("w", ("i32",)))
    strategy, term = rng.choice(functions)(g)
    strategy = strategy.format(g.name)
    by = f"{rng.choice(['topDown', 'bottomUp', 'someTd'])}({strategy})" if fires else f"not(topDown({strategy}))"
    if inside:
        g.parameters = [(x, t) for x, t in g.parameters if x != "w"] + [outer]
        outer_map = "map" if fires else "mapSeqUnroll"  # which no refused instance is about
        term = f"{outer_map}(fun(w: i32 => {term}))({outer[0]})"
    head = "".join(f"fun({x}: {text_of(t)} => " for x, t in g.parameters)
    body = f"depFun((n: Nat, m: Nat, p: Nat) where 1 <= p =>\n  {head}{term}{')' * len(g.parameters)})"
    return f"def {name} by {by} = {body}\n", [t for _, t in g.parameters]


def program(seed, numbers, sizes, only=None):
    """The text, and the arguments on the command line."""
    rng = random.Random(f"values {seed}")
    text, calls, parameters, arguments = "", [], [], []
    for i in numbers:
        one, types = definition(seed + i, f"l{i}", sizes, only)
        text += one
        names = [f"y{i}_{j}" for j in range(len(types))]
        parameters += [f"fun({x}: {text_of(t)} => " for x, t in zip(names, types)]
        arguments += [value(rng, t) for t in types]
        calls.append(f"l{i}(n)(m)(p)" + "".join(f"({x})" for x in names))
    result = calls[-1]
    for call in reversed(calls[:-1]):
        result = f"({call},\n  {result})"
    text += f"export def main = depFun((n: Nat, m: Nat, p: Nat) where 1 <= p =>\n  {''.join(parameters)}{result}{')' * len(parameters)})\n"
    return text, [f"{name}={number}" for name, number in sizes.items()] + arguments


def output_of(command):
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return "out of time"
    lines = (result.stdout + result.stderr).decode(errors="replace").splitlines()
    return "\n".join(lines[:20]) + f"\nstatus {result.returncode}"


def difference(options, file, text, arguments):
    """Empty, or the way that is wrong."""
    file.write_text(text)
    rewritten = file.with_suffix(".by.rise")
    before = output_of([options.mim, "run", "--eval", str(file), *arguments])
    if not before.endswith("status 0"):
        return "as it is written: " + before
    built = output_of([options.mim, "build", str(file), "--emit", "rise", "-o", str(rewritten)])
    if not built.endswith("status 0"):
        return "rewriting: " + built
    after = output_of([options.mim, "run", "--eval", str(rewritten), *arguments])
    if after != before:
        return f"rewritten: {after}, not {before}"
    compiled = output_of([options.mim, "run", str(file), *arguments]) if options.compiled else before
    if compiled != before:
        return f"compiled: {compiled}, not {before}"
    rewritten.unlink()
    file.unlink()
    return ""


def check(options, seed, count):
    sizes = sizes_of(seed)
    whole = difference(options, options.folder / f"t{seed}.rise", *program(seed, range(count), sizes, options.law))
    if not whole:
        return []
    result = []
    for i in range(count):
        text, arguments = program(seed, [i], sizes, options.law)
        file = options.folder / f"t{seed}-{i}.rise"
        wrong = difference(options, file, f"{text}// mim run {' '.join(arguments)}\n", arguments)
        if wrong:
            result.append(f"{file}: {wrong}")
    return result or [f"t{seed}.rise: {whole}"]


def add_options(parser):
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--law")


if __name__ == "__main__":
    missing = all_rules() - set(LAWS)
    unknown = set(LAWS) - all_rules()
    if missing or unknown:
        sys.exit(f"agree: no instances of {sorted(missing)}, no rules {sorted(unknown)}")
    sys.exit(sweep(__doc__, 20, check, add_options))
