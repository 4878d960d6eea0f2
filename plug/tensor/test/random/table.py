#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each operation of `generate.py` with arrays of each element type, rank and kind of extents, evaluated and compiled: all ways must
print the same numbers.

    table.py [--mim PATH] [--turn N/M] --folder FOLDER

A row of the table is an operation and an element type. Its programs have arrays of ranks 0 to 4 with an extent 0, with an extent 1, and
with odd extents only, literal or known at run time. Prints what there is no program for, and the annexes of the plugin that no
program names. `--turn`: the programs of each M-th row are run; the list is that of all rows."""
import argparse
import itertools
import pathlib
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True

from element_types import TYPE
from generate import Dim, OPERATIONS, Program, RUN_TIME, file_of

RANKS, EXTENTS = range(5), ("0", "1", "odd")
WAYS = (["run", "--eval"], ["run", "-O0"], ["run"])
TRIES = 16  # for each rank and kind of extents
COMPOSED = ("rows", "nest", "sums", "siblings", "pair", "part", "compare", "choose", "both")  # of operations with other names
PLUGIN = pathlib.Path(__file__).resolve().parents[2] / "tensor.mim"


class Case(Program):
    """One operation, which gets arrays of this type, rank and kind of extents where it can have them."""

    def __init__(self, operation, number, type_, rank, extents):
        super().__init__(random.Random(number), number)
        self.type, self.rank, self.extents, self.given = type_, rank, extents, []
        getattr(self, operation)()
        made = "\n".join(self.lines)
        is_made = operation in COMPOSED or re.search(rf"%tensor\.{operation}\b", made)
        self.covered = self.cells() if is_made else set()

    def kind(self):
        return self.type

    def dim(self, few=False):
        own = {"0": [0], "1": [1], "odd": [3]}[self.extents]
        value = self.rng.choice([1, 3] if few and own == [0] else own + [3])
        name = next(name for name, known in RUN_TIME.items() if known == value)
        return Dim(name if self.rng.random() < 0.5 else str(value), value)

    def pick(self, rank=None, at_least=0, types=tuple(TYPE)):
        rank = max(self.rank, at_least) if rank is None else rank
        type_ = self.type if self.type in types else self.rng.choice(types)
        return self.generate([self.dim() for _ in range(rank)], type_)

    def generate(self, dims=None, type_=None):
        dims = [self.dim() for _ in range(self.rank)] if dims is None else dims
        self.given.append(super().generate(dims, type_))
        return self.given[-1]

    def cells(self):
        """Ranks and kinds of extents of the arrays of this type that the operation got."""
        result = set()
        for array in self.given:
            extents = {str(d.value) for d in array.dims}
            kinds = extents & {"0", "1"} or {"odd"}
            kinds = kinds if extents else EXTENTS
            result |= {(len(array.dims), kind) for kind in kinds if array.type == self.type}
        return result

    def text(self):
        result = "17I64"
        for a in self.arrays:
            result = f"%tensor.fold @(I64, {TYPE[a.type]}) hash{a.type} @{a.size()} ({result}, {self.flat(a)})"
        lines = "\n".join(self.lines)
        return f"lam program{self.number} ({' '.join(RUN_TIME)}: Nat) @ff: I64 = {{\n{lines}\n    {result}\n}};\n"


def row(operation, type_, first):
    """Its programs, each of which has something that those before it have not, and what they have."""
    programs, covered = [], set()
    for number, (rank, extents, _) in enumerate(itertools.product(RANKS, EXTENTS, range(TRIES)), first):
        if (rank, extents) in covered:
            continue
        case = Case(operation, number, type_, rank, extents)
        if not case.covered <= covered:
            programs.append(case)
            covered |= case.covered
    return programs, covered


def outputs(options, file):
    for way in WAYS:
        result = subprocess.run([options.mim, *way, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
        yield f"{result.stdout.decode(errors='replace')}status {result.returncode}"


def differs(options, programs, file):
    file.write_text(file_of(programs))
    results = list(outputs(options, file))
    if set(results) == {results[0]} and results[0].endswith("status 0"):
        file.unlink()
        return False
    print(f"{file} differs")
    return True


def text_of(cells):
    """Of a rank: the kinds of extents, if not all are there."""
    texts = []
    for rank in RANKS:
        kinds = [kind for kind in EXTENTS if (rank, kind) in cells]
        if kinds:
            texts.append(f"{rank}" if len(kinds) == len(EXTENTS) else f"{rank}({','.join(kinds)})")
    return " ".join(texts)


def missing_of(operation, covered_of):
    """A line for each list of missing cells, with the types that miss them."""
    everything, lines = set(itertools.product(RANKS, EXTENTS)), {}
    for type_, covered in covered_of.items():
        text = f"rank {text_of(everything - covered)}" if covered else "at any rank"
        lines.setdefault(text, []).append({"F": "f64", "G": "f32"}.get(type_, TYPE[type_]))
    return [f"{operation}: not {text}: {' '.join(types)}" for text, types in lines.items() if text != "rank "]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--turn", default="0/1")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    turn, turns = map(int, options.turn.split("/"))
    count, wrong, rows, named = 0, 0, 0, set()
    for operation in sorted(set(OPERATIONS)):
        covered_of = {}
        for type_ in TYPE:
            programs, covered_of[type_] = row(operation, type_, rows * 100)
            count += len(programs)
            named |= {name for program in programs for name in re.findall(r"%tensor\.(\w+)", program.text())}
            if programs and rows % turns == turn % turns:
                wrong += differs(options, programs, options.folder / f"{operation}{type_}.mim")
            rows += 1
        print("\n".join(missing_of(operation, covered_of)) or f"{operation}: all")
    declared = re.findall(r"^(?:axm|lam) %tensor\.(\w+)", PLUGIN.read_text(), re.MULTILINE)
    print("not named: " + " ".join(sorted(set(declared) - named)))
    print(f"table: {rows} rows, {count} programs, {wrong} files that differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
