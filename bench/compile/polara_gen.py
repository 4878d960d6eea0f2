#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs for measuring the compiler on long programs of Polara.

usage: polara_gen.py KIND N > FILE.polara
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


def chain(parameters, start, step, n):
    """`main` with n lets, of which let i + 1 is step(i)."""
    yield f"def main{parameters}: nat :="
    yield f"  let x0 := {start}"
    yield from (f"  let x{i + 1} := {step(i)}" for i in range(n))
    yield f"  x{n}"


def egypt_lets(n):
    yield "def sq(y: nat) := y * y"
    yield from chain("(x: nat)", "x", lambda i: f"sq x{i}", n)


def conds(n):
    return chain("(b: nat)", "0", lambda i: f"x{i} + ite (b + {i}) (b * b) 0", n)


def loops(n):
    return chain("{n}(v: n => nat)", "0", lambda i: f"x{i} + (sum i. v[i] * {i + 2})", n)


def back(n):
    return chain("(x: nat)", "x", lambda i: f"x{i} + x{(i + 1) // 2}", n)


def flat(n):
    return chain("(x: nat)", "x", lambda i: f"(x{i} + x) * x{i}", n // 2)


KINDS = {"egypt": egypt_lets, "nested": egypt, "conds": conds, "loops": loops, "back": back, "flat": flat}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    for line in KINDS[sys.argv[1]](int(sys.argv[2])):
        print(line)
