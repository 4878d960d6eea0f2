#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs for measuring the compiler on long programs of Polara.

usage: gen.py KIND N > FILE.polara
  egypt   a square, N times applied: 2^N multiplications, if nothing is shared
  conds   N different conditions around one operation
  loops   N loops side by side, which sum different products
  back    N lets, each of which uses the one before and the one half way back
  flat    N bindings or so in a straight line, without any two equal
"""
import sys


def egypt(n):
    yield "def sq(y: nat) := y * y"
    yield "def main(x: nat): nat :="
    yield "  " + "sq (" * n + "x" + ")" * n


def egypt_lets(n):
    yield "def sq(y: nat) := y * y"
    yield "def main(x: nat): nat :="
    yield "  let x0 := x"
    yield from (f"  let x{i + 1} := sq x{i}" for i in range(n))
    yield f"  x{n}"


def conds(n):
    yield "def main(b: nat): nat :="
    yield "  let s0 := 0"
    yield from (f"  let s{i + 1} := s{i} + ite (b + {i}) (b * b) 0" for i in range(n))
    yield f"  s{n}"


def loops(n):
    yield "def main{n}(v: n => nat): nat :="
    yield "  let s0 := 0"
    yield from (f"  let s{i + 1} := s{i} + (sum i. v[i] * {i + 2})" for i in range(n))
    yield f"  s{n}"


def back(n):
    yield "def main(x: nat): nat :="
    yield "  let x0 := x"
    yield from (f"  let x{i} := x{i - 1} + x{i // 2}" for i in range(1, n + 1))
    yield f"  x{n}"


def flat(n):
    yield "def main(x: nat): nat :="
    yield "  let x0 := x"
    yield from (f"  let x{i + 1} := (x{i} + x) * x{i}" for i in range(n // 2))
    yield f"  x{n // 2}"


KINDS = {"egypt": egypt_lets, "nested": egypt, "conds": conds, "loops": loops, "back": back, "flat": flat}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    for line in KINDS[sys.argv[1]](int(sys.argv[2])):
        print(line)
