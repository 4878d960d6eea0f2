#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generators of rows of bits at random widths, against the integers of Python: on the abstract machine, and as code.

    rows.py [--mim PATH] [--seed N] [--count N] [--jobs N] [--passes "P,Q"] [--least N] [--most N] --folder FOLDER

A program has all generators at one width, with some operands. It prints rows in pieces of 16 bits. A program that fails
stays in the folder. Widths up to 130 come in order, first those from the seed on, then some up to 1000."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from sweep import sweep

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from agree import run

ENDS = "opt single opt special data bits opt"


class Program:
    """Text, and what it prints."""

    def __init__(self, rng, bits):
        self.rng, self.bits = rng, bits
        self.externals, self.lines, self.expected = {}, [], []

    def external(self, generator, arguments, kind):
        key = f"{{{generator} {arguments}}} :: {kind}"
        return self.externals.setdefault(key, f"e{len(self.externals)}")

    def number(self, width):
        choice = self.rng.randrange(6)
        if choice == 0:
            return self.rng.choice([0, 1, (1 << width) - 1, (1 << width) >> 1]) & ((1 << width) - 1)
        if choice == 1:
            return self.rng.getrandbits(width) & self.rng.getrandbits(width) & self.rng.getrandbits(width) if width else 0
        if choice == 2:
            return self.rng.getrandbits(self.rng.randrange(width) + 1) if width else 0
        return self.rng.getrandbits(width) if width else 0

    def literal(self, value, width):
        if width == 0:
            return "(" + self.external("primBitFromLiteral", "0 0", "ProxyNat 0 -> Bit 0") + " #0)"
        return f"B{value:0{width}b}"

    def row(self, text, value, width):
        """Prints a row."""
        name = f"show{width}"
        self.lines.append(f"{name} ({text})")
        for place in range(0, max(width, 1), 16):
            self.expected.append(str(value >> place & 0xffff))
        self.externals[name] = width

    def word(self, text, value):
        signed = value - (1 << self.bits) if value >> (self.bits - 1) & 1 else value
        self.lines.append(f"printWord ({text})")
        self.expected.append(str(signed))

    def truth(self, text, value):
        self.lines.append(f"printWord (if {text} then 1 else 0)")
        self.expected.append(str(int(value)))

    def text(self):
        shows, externals = [], []
        for key, name in list(self.externals.items()):
            if isinstance(name, str):
                continue
            pieces = []
            for place in range(0, max(name, 1), 16):
                size = min(16, name - place)
                piece = self.external("primBitSelect", f"{name} {place} {size}", f"Bit {name} -> ProxyNat {place} -> Bit {size}")
                as_word = self.external("primBitToWord", str(size), f"Bit {size} -> Word")
                pieces.append(f"printWord ({as_word} ({piece} x #{place}))")
            shows.append(f"{key} :: Bit {name} -> Proc Unit\n{key} x = do\n  " + "\n  ".join(pieces) + "\n")
        externals = [f"external {name} {key}" for key, name in self.externals.items() if isinstance(name, str)]
        groups = [self.lines[i : i + 20] for i in range(0, len(self.lines), 20)]
        parts = [f"part{i} :: Proc Unit\npart{i} = do\n  " + "\n  ".join(g) + "\n" for i, g in enumerate(groups)]
        main = "export main :: Proc Unit\nmain = do\n  " + "\n  ".join(f"part{i}" for i in range(len(groups)))
        return "\n".join(['require "core.llc"', 'require "io.mil"', *externals, "", *shows, *parts, main, ""])


def signed(value, width):
    return value - (1 << width) if width and value >> (width - 1) & 1 else value


def fill(p, n):
    """Calls of all generators at the width n."""
    rng, mask = p.rng, (1 << n) - 1
    kind = f"Bit {n}"
    two = f"{kind} -> {kind} -> {kind}"
    x, y = p.number(n), p.number(n)
    if rng.randrange(4) == 0:
        y = x
    lx, ly = p.literal(x, n), p.literal(y, n)
    results = {"And": x & y, "Or": x | y, "Xor": x ^ y, "Plus": x + y, "Minus": x - y, "Times": x * y}
    for name, value in results.items():
        p.row(p.external(f"primBit{name}", n, two) + f" {lx} {ly}", value & mask, n)
    p.row(p.external("primBitNot", n, f"{kind} -> {kind}") + f" {lx}", ~x & mask, n)
    p.row(p.external("primBitNegate", n, f"{kind} -> {kind}") + f" {lx}", -x & mask, n)
    tests = {"Eq": x == y, "Ne": x != y, "Lt": x < y, "Le": x <= y, "Gt": x > y, "Ge": x >= y}
    for name, value in tests.items():
        p.truth(p.external(f"primBit{name}", n, f"{kind} -> {kind} -> Bool") + f" {lx} {ly}", value)
    if n:
        a, b = signed(x, n), signed(y, n)
        for name, value in {"SLt": a < b, "SLe": a <= b, "SGt": a > b, "SGe": a >= b}.items():
            p.truth(p.external(f"primBit{name}", n, f"{kind} -> {kind} -> Bool") + f" {lx} {ly}", value)
    v = rng.getrandbits(min(n, 63)) if n else 0
    p.row(p.external("primBitFromLiteral", f"{v} {n}", f"ProxyNat {v} -> {kind}") + f" #{v}", v, n)
    p.word(p.external("primBitToWord", n, f"{kind} -> Word") + f" {lx}", x & ((1 << p.bits) - 1))
    w = rng.getrandbits(p.bits - 1)
    p.row(p.external("primWordToBit", n, f"Word -> {kind}") + f" {w}", w & mask, n)
    m = rng.choice([0, 1, 5, 31, 32, 33, 64, 70])
    z = p.number(m)
    if n + m <= 1000:
        concat = p.external("primBitsConcat", f"{n} {m} {n + m}", f"{kind} -> Bit {m} -> Bit {n + m}")
        p.row(f"{concat} {lx} {p.literal(z, m)}", x << m | z, n + m)
    o = rng.randrange(n + 1)
    k = rng.randrange(n - o + 1)
    p.row(p.external("primBitSelect", f"{n} {o} {k}", f"{kind} -> ProxyNat {o} -> Bit {k}") + f" {lx} #{o}", x >> o & ((1 << k) - 1), k)
    p.row(p.external("primBitsHi", f"{n} {k}", f"{kind} -> Bit {k}") + f" {lx}", x >> (n - k), k)
    p.row(p.external("primBitsLo", f"{n} {k}", f"{kind} -> Bit {k}") + f" {lx}", x & ((1 << k) - 1), k)
    if n:
        places(p, n, x, lx)
        divisions(p, n, x, y, lx)


def places(p, n, x, lx):
    rng, mask = p.rng, (1 << n) - 1
    kind = f"Bit {n}"
    index = f"Ix {n}"
    i = rng.choice([0, n - 1, rng.randrange(n), rng.randrange(n)])
    li = "(" + p.external("primIxFromLiteral", f"{i} {n}", f"ProxyNat {i} -> {index}") + f" #{i})"
    for name, value in {"SetBit": x | 1 << i, "ClearBit": x & ~(1 << i), "FlipBit": x ^ 1 << i,
                        "ShiftL": x << i & mask, "ShiftRu": x >> i}.items():
        p.row(p.external(f"primBit{name}", n, f"{kind} -> {index} -> {kind}") + f" {lx} {li}", value, n)
    p.truth(p.external("primBitTestBit", n, f"{kind} -> {index} -> Bool") + f" {lx} {li}", x >> i & 1)
    p.row(p.external("primBitBit", n, f"{index} -> {kind}") + f" {li}", 1 << i, n)
    size = p.external("primBitBitSize", n, f"{kind} -> {index}")
    p.word(p.external("primIxToBit", f"{n} {p.bits}", f"{index} -> Word") + f" ({size} {lx})", n - 1)
    if n >= (n - 1).bit_length():
        p.row(p.external("primIxToBit", f"{n} {n}", f"{index} -> {kind}") + f" {li}", i, n)
    m = rng.choice([1, 2, 3, 10, 16, 255, 1 << 20, (1 << 31) - 1])
    mod = p.external("primModIx", f"{n} {m}", f"{kind} -> Ix {m}")
    p.word(p.external("primIxToBit", f"{m} {p.bits}", f"Ix {m} -> Word") + f" ({mod} {lx})", x % m)


def divisions(p, n, x, y, lx):
    kind, nz = f"Bit {n}", f"NZBit {n}"
    y = y or 1
    nonzero = p.external("primNZBitNonZero", n, f"{kind} -> Maybe ({nz})")
    forget = p.external("primNZBitForget", n, f"{nz} -> {kind}")
    ly = p.literal(y, n)
    div = p.external("primNZBitDiv", n, f"{kind} -> {nz} -> {kind}")
    rem = p.external("primNZBitRem", n, f"{kind} -> {nz} -> {kind}")
    for text, value in ((f"{div} {lx} v", x // y), (f"{rem} {lx} v", x % y), (f"{forget} v", y)):
        p.row(f"case {nonzero} {ly} of {{ Just v -> {text}; Nothing -> {lx} }}", value, n)
    p.truth(f"(case {nonzero} {p.literal(0, n)} of {{ Just v -> True; Nothing -> False }})", False)
    v = p.rng.randrange(1, 1 << min(n, 62))
    literal = p.external("primNZBitFromLiteral", f"{v} {n}", f"ProxyNat {v} -> {nz}")
    p.row(f"{forget} ({literal} #{v})", v, n)


def ways(options, program, turn, file):
    words = ["--set", f"mil.word={program.bits}"]
    wanted = "\n".join(program.expected) + "\nstatus 0"
    if run(options.mim, ["run", "--eval", *words], file) != wanted:
        yield f"machine, {program.bits} bits"
        return
    for passes in options.passes.split(","):
        chosen = ["--set", f"mil.passes={passes}"]
        if run(options.mim, ["run", "--eval", *words, *chosen], file) != wanted:
            yield f"machine behind {passes}, {program.bits} bits"
        level = ["-O0", "-O2"][turn % 2]
        if run(options.mim, ["run", level, *words, *chosen, "--set", "mil.check-heap=1"], file) != wanted:
            yield f"code {level} behind {passes}, {program.bits} bits"


def check(options, seed, count):
    wrong = []
    for own in range(seed, seed + count):
        rng = random.Random(own)
        place = own // 2 % 160
        width = options.least + place if options.least + place <= 130 else rng.randrange(131, options.most + 1)
        program = Program(rng, [32, 64][own % 2])
        for _ in range(2 if width <= 130 else 1):
            fill(program, width)
        file = options.folder / f"r{own}.lc"
        file.write_text(program.text())
        found = list(ways(options, program, own, file))
        if found:
            wrong.append(f"{own} (width {width}): {', '.join(found)}")
        else:
            file.unlink()
    return wrong


def more(parser):
    parser.add_argument("--passes", default=f"none,{ENDS}")
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--most", type=int, default=1000)


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 1, check, more))
