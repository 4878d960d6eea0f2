#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the laws of with/core.mim: all operands at 8 bits, a million random ones at 32 and 64 bits.

    laws.py [--cc COMPILER] [--count N]

Each law becomes a function in C that compares its sides wherever its condition holds; what operations mean is said here
once more, apart from the normalizers."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

LAWS = pathlib.Path(__file__).resolve().parents[1] / "with/core.mim"
MEANING = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef uint64_t W;
static unsigned bits;
static W mask(W a) { return bits == 64 ? a : a & ((1ull << bits) - 1); }
static int64_t sign(W a) { return (int64_t)(a << (64 - bits)) >> (64 - bits); }
static W f_and(W a, W b) { return a & b; }
static W f_or(W a, W b) { return a | b; }
static W f_xor(W a, W b) { return a ^ b; }
static W f_add(W a, W b) { return mask(a + b); }
static W f_sub(W a, W b) { return mask(a - b); }
static W f_mul(W a, W b) { return mask(a * b); }
static W f_shl(W a, W b) { return b >= bits ? 0 : mask(a << b); }
static W f_lshr(W a, W b) { return b >= bits ? 0 : a >> b; }
static W f_ashr(W a, W b) { return mask((W)(sign(a) >> (b >= bits ? bits - 1 : b))); }
static W f_not(W a) { return mask(~a); }
static W f_neg(W a) { return mask(-a); }
static W f_eq(W a, W b) { return a == b; }
static W f_neq(W a, W b) { return a != b; }
static W f_slt(W a, W b) { return sign(a) < sign(b); }
static W f_sle(W a, W b) { return sign(a) <= sign(b); }
static W f_sgt(W a, W b) { return sign(a) > sign(b); }
static W f_sge(W a, W b) { return sign(a) >= sign(b); }
static W f_ult(W a, W b) { return a < b; }
static W f_ule(W a, W b) { return a <= b; }
static W f_ugt(W a, W b) { return a > b; }
static W f_uge(W a, W b) { return a >= b; }
static W f_bnot(W a) { return a ^ 1; }
static W f_of_flag(W a) { return a; }
static W f_to_flag(W a) { return a & 1; }
static W f_zero(void) { return 0; }
static W f_one(void) { return 1; }
static W f_ones(void) { return mask(~0ull); }
static W f_is_zero(W a) { return a == 0; }
static W f_is_one(W a) { return a == 1; }
static W f_is_ones(W a) { return a == f_ones(); }
static W f_is_power(W a) { return a && !(a & (a - 1)); }
static W f_exponent(W a) { return a ? __builtin_ctzll(a) : 0; }
static W f_known(W a, W b) { return 1; }
static W seed = 88172645463325252ull;
static W next(void) {
    static const W some[] = {0, 1, 2, 7, 8, 31, 32, 63, 64, ~0ull, 1ull << 31, 1ull << 63, (1ull << 31) - 1};
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    W v = seed >> 8;
    switch (seed & 7) {
        case 0: return mask(some[v % 13]);
        case 1: return v % 70;
        case 2: return mask(1ull << v % bits);
        default: return mask(seed * 0x9e3779b97f4a7c15ull);
    }
}
"""
NAMES = {"%mil.word.and_": "and", "%mil.word.or_": "or", "%mil.word.xor_": "xor", "%mil.unary.not_": "not",
         "%core.bit2.and_": "and", "%core.bit2.or_": "or", "%core.bit2.xor_": "xor", "%core.shr.l": "lshr", "%core.pe.known": "known"}
NEEDLESS = {"0", "s"}  # modes and sizes


def tokens(text):
    return re.findall(r"%?[A-Za-z_][\w.]*|\d+|[(),]", text)


class Term:
    """An application, in C."""

    def __init__(self, text):
        self.rest = tokens(text)
        self.text = self.term()
        assert not self.rest, self.rest

    def atom(self):
        if self.rest[0] != "(":
            word = self.rest.pop(0)
            return {"tt": "1", "ff": "0"}.get(word, word)
        self.rest.pop(0)
        parts = [self.term()]
        while self.rest[0] == ",":
            self.rest.pop(0)
            parts.append(self.term())
        assert self.rest.pop(0) == ")"
        return ", ".join(parts)

    def term(self):
        head = self.atom()
        is_call = head.startswith("%") or head in ("known", "zero", "one", "ones", "is_zero", "is_one", "is_ones", "is_power", "exponent")
        if not is_call:
            return head
        name = NAMES.get(head, head.split(".")[-1])
        arguments = []
        while self.rest and self.rest[0] not in (",", ")"):
            is_needless = self.rest[0] in NEEDLESS
            argument = self.atom()
            if not is_needless:
                arguments.append(argument)
        if head == "%core.pe.known":
            arguments.append("0")
        return f"f_{name}({', '.join(arguments)})"


def read():
    """(name, {variable: whether it is a flag}, left, condition, right) of each law."""
    text = re.sub(r"//[^\n]*", "", LAWS.read_text(encoding="utf-8"))
    for law in re.findall(r"\bnorm\s+(.*?);", text, re.S):
        head, sides = law.split("):", 1)
        name = head.split()[0]
        variables = {}
        for names, kind in re.findall(r"([a-z ]+):\s*(Idx s|Bool)", head[head.index("("):] + ")"):
            variables |= {v: kind == "Bool" for v in names.split()}
        left, right = sides.split("=>")
        left, _, condition = left.partition(" when ")
        yield name, variables, Term(left).text, Term(condition).text if condition else "1", Term(right).text


def function(law):
    name, variables, left, condition, right = law
    loops = "".join(f"for (W {v} = 0; {v} != {2 if flag else 256}; ++{v}) " for v, flag in variables.items())
    drawn = " ".join(f"W {v} = {'next() & 1' if flag else 'next()'};" for v, flag in variables.items())
    check = f'if (({condition}) && {left} != {right}) {{ printf("{name}: wrong at %u bits\\n", bits); return 1; }}'
    unused = " ".join(f"(void){v};" for v in variables)
    return (f"static int all_{name}(void) {{ {loops} {{ {unused} {check} }} return 0; }}\n"
            f"static int some_{name}(long n) {{ while (n--) {{ {drawn} {unused} {check} }} return 0; }}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="gcc-12")
    parser.add_argument("--count", type=int, default=1_000_000)
    options = parser.parse_args()
    laws = list(read())
    program = MEANING + "".join(map(function, laws)) + "int main(void) {\n    int wrong = 0;\n"
    for name, *_ in laws:
        program += f"    bits = 8; wrong += all_{name}();\n"
        program += "".join(f"    bits = {n}; wrong += some_{name}({options.count});\n" for n in (32, 64))
    program += f'    printf("{len(laws)} laws, %d wrong\\n", wrong);\n    return wrong != 0;\n}}\n'
    with tempfile.TemporaryDirectory() as folder:
        exe = f"{folder}/laws"
        subprocess.run([options.cc, "-O2", "-x", "c", "-", "-o", exe], input=program, text=True, check=True)
        return subprocess.run([exe], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
