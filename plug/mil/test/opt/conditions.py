#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of the optimizer on MIL is used where its conditions hold, and not where one of them does not.

    conditions.py MIM FOLDER

A row is the rule, whether it is used, why, and the text; `@` stands for the prefix of the row's names, and the rule is looked for in
the block `@f`. All rows are one program, of which each rewrite is traced. Rule 6 changes no computation: its rows say what the block
has in the end."""
import re
import subprocess
import sys

HEAD = """require "basic.mil"
require "io.mil"
primitive noinline impure :: [] >>= []
data List a = Nil | Cons a (List a)
bitdata Junk/2 = Low [B00] | High [B11]
bitdata Full/1 = Off [B0] | On [B1]
loud[x] =
  [] <- noinline(())
  [] <- printWord((x))
  return x
spin[x] =
  f <- primEq((x, 0))
  if f then zero[] else spin[x]
zero[] =
  return 0
large[x] =
  [] <- printWord((1))
  [] <- printWord((2))
  [] <- printWord((3))
  [] <- printWord((4))
  [] <- printWord((5))
  [] <- printWord((6))
  [] <- printWord((7))
  return x
last{x} y = add((x, y))
count[n, xs] =
  [] <- printWord((n))
  case xs of
    Nil  -> give[n]
    Cons -> more[n, xs]
give[n] =
  return n
more[n, xs] =
  ys <- Cons 1 xs
  m <- add((n, 1))
  count[m, ys]
pick[x] =
  [] <- printWord((x))
  f <- primEq((x, 0))
  if f then pickNil[] else pickCons[x]
pickNil[] =
  Nil()
pickCons[x] =
  [] <- printWord((x))
  n <- Nil()
  Cons(x, n)
choose[x] =
  [] <- printWord((x))
  f <- primEq((x, 0))
  if f then chooseOne[x] else chooseTwo[x]
chooseOne[x] =
  last{x}
chooseTwo[x] =
  [] <- printWord((x))
  last{1}
ends[x] =
  [] <- printWord((x))
  ends[x]
"""

LOOK = "case v of { Nil -> @a[x]; Cons -> @b[v] }\n@a[x] =\n return x\n@b[v] =\n Cons 0 v"


def rows():
    """(rule, used, why, text)"""
    f = "@f[x] =\n "
    two = "@f[x, y] =\n "
    quiet = " [] <- noinline(())\n [] <- printWord((x))\n "
    branching = "\n@g[x] =\n f <- primEq((x, 3))\n if f then zero[] else give[x]"
    any_list = "\n@g[x, l] =\n" + quiet + "return l"
    mixed = "\n@g[a, b, c] =\n [] <- printWord((a))\n f <- primEq((b, c))\n if f then zero[] else @g[b, a, c]"
    yield from [
        ("1", True, "a copy", f + "y <- return x\n add((y, 1))"),
        ("1", True, "several at once", two + "[a, b] <- return [y, x]\n sub((a, b))"),
        ("1", False, "a computation", f + "y <- div((7, x))\n add((y, 1))"),
        ("2", True, "the result", f + "y <- div((7, x))\n return y"),
        ("2", False, "another result", f + "y <- div((7, x))\n return x"),
        ("2", False, "another order", f + "[a, b] <- @p[x]\n return [b, a]\n@p[x] =\n" + quiet + "return [x, 1]"),
        ("3", True, "small", f + "y <- @g[x]\n div((y, x))\n@g[x] =\n add((x, 1))"),
        ("3", False, "it branches", f + "y <- @g[x]\n div((y, x))" + branching),
        ("3", False, "it calls itself", f + "y <- spin[x]\n div((y, x))"),
        ("3", False, "it is large", f + "y <- large[x]\n div((y, x))"),
        ("3", False, "it says so", f + "y <- loud[x]\n div((y, x))"),
        ("4", True, "small, with branches", f + "@g[x]" + branching),
        ("4", False, "it calls itself", f + "spin[x]"),
        ("4", False, "it is large", f + "large[x]"),
        ("4", False, "it says so", f + "loud[x]"),
        ("5", True, "a primitive", f + "y <- halt(())\n div((y, x))"),
        ("5", True, "a block", f + "y <- ends[x]\n div((y, x))"),
        ("5", False, "it may return", f + "y <- spin[x]\n div((y, x))"),
        ("6", True, "not needed", f + "y <- div((7, x))\n return x"),
        ("6", False, "needed", f + "y <- div((7, x))\n div((y, y))"),
        ("7", True, "a pure primitive", f + "y <- add((x, 5))\n div((7, x))"),
        ("7", True, "an allocation", f + "y <- last{x}\n div((7, x))"),
        ("7", True, "a division by a constant", f + "y <- div((x, 5))\n div((7, x))"),
        ("7", True, "a block without effects", f + "y <- @g[x]\n div((7, x))" + branching),
        ("7", False, "a division", f + "y <- div((5, x))\n div((7, x))"),
        ("7", False, "a division by 0", f + "y <- div((x, 0))\n div((7, x))"),
        ("7", False, "a closure is entered", "@f[x, k] =\n y <- k @ x\n div((7, x))"),
        ("7", False, "a block with effects", f + "y <- loud[x]\n div((7, x))"),
        ("7", False, "a block that may not end", f + "y <- spin[x]\n div((7, x))"),
        ("8", True, "the same again", two + "a <- add((x, y))\n b <- add((x, y))\n div((a, b))"),
        ("8", True, "the same field", "@f[v] =\n a <- Cons 0 v\n b <- Cons 0 v\n div((a, b))"),
        ("8", False, "another operand", two + "a <- add((x, y))\n b <- add((x, 1))\n div((a, b))"),
        ("8", False, "it may be of another type", f + "a <- Nil()\n b <- Nil()\n [] <- printWord((x))\n return [a, b]"),
        ("8", False, "it may stop", two + "a <- div((x, y))\n b <- div((x, y))\n div((a, b))"),
    ]
    for used, why, tail in [
        (True, "zero", "and((x, 0))"), (True, "unit", "or((x, 0))"), (True, "by 1", "div((x, 1))"),
        (True, "remainder by 1", "rem((x, 1))"), (False, "0 by something", "div((0, x))"), (True, "equal", "xor((x, x))"),
        (True, "an order of equals", "primUlt((x, x))"), (False, "not equal", "and((x, y))"), (True, "constants", "add((2, 3))"),
        (True, "signed constants", "div((7, 2))"), (False, "constants by 0", "div((7, 0))"), (True, "commutative", "and((3, x))"),
        (True, "a constant subtracted", "sub((x, 3))"), (False, "not commutative", "shl((3, x))"),
        (True, "an order, mirrored", "primUlt((3, x))"),
    ]:
        yield "9-15", used, why, two + tail
    for used, why, first, tail in [
        (True, "constants meet", "v <- and((x, 12))", "and((v, 10))"), (True, "shifts add up", "v <- shl((x, 3))", "shl((v, 4))"),
        (False, "shifts of two kinds", "v <- ashr((x, 3))", "lshr((v, 4))"), (True, "equality moves", "v <- add((x, 3))", "primEq((v, 5))"),
        (False, "an order does not", "v <- add((x, 3))", "primSlt((v, 5))"), (True, "bits above an or", "v <- or((x, 12))", "and((v, 10))"),
        (False, "an or of variables", "v <- or((x, y))", "and((v, 10))"),
    ]:
        yield "9-15", used, why, f"{two}{first}\n w <- div((v, y))\n [] <- printWord((w))\n {tail}"
    yield from [
        ("9-15", True, "bits around an and", two + "v <- or((x, 12))\n w <- and((v, 10))\n or((w, 1))"),
        ("16", True, "it is made here", f + "n <- Nil()\n [] <- printWord((x))\n v <- Cons(x, n)\n " + LOOK),
        ("16", True, "it is asserted", "@f[x, v] =\n assert v Cons\n [] <- printWord((x))\n " + LOOK),
        ("16", True, "all branches are the same", "@f[x, v] =\n case v of { Nil -> loud[x]; Cons -> loud[x] }"),
        ("16", True, "a row has no junk", "@f[x, v] =\n case v of { Off -> loud[x]; On -> loud[x] }"),
        ("16", True, "a known flag", f + "f <- primUlt((1, 2))\n if f then loud[x] else zero[]"),
        ("16", False, "it is unknown", "@f[x, v] =\n " + LOOK),
        ("16", False, "a constructor is missing", "@f[x, v] =\n case v of { Cons -> loud[x] }"),
        ("16", False, "a row has junk", "@f[x, v] =\n case v of { Low -> loud[x]; High -> loud[x] }"),
        ("17", True, "it is made here", f + "k <- last{x}\n [] <- printWord((x))\n k @ 1"),
        ("17", True, "a top-level value", "@k <- last{3}\n" + f + "@k @ x"),
        ("17", False, "a parameter", "@f[x, k] =\n k @ x"),
        ("18", True, "it looks into the argument", f + "n <- Nil()\n xs <- Cons(x, n)\n count[x, xs]"),
        ("18", True, "an argument comes twice", two + "@g[x, x, y]" + mixed),
        ("18", False, "nothing is known", "@f[x, xs] =\n count[x, xs]"),
        ("18", False, "it does not look", f + "n <- Nil()\n xs <- Cons(x, n)\n @g[x, xs]" + any_list),
        ("19", True, "it gives a closure", f + "k <- choose[x]\n k @ x"),
        ("19", False, "it gives any", "@f[x, l] =\n k <- @g[x, l]\n k @ x" + any_list),
        ("20", True, "it gives a constructor", f + "v <- pick[x]\n " + LOOK),
        ("20", False, "it gives any", "@f[x, l] =\n v <- @g[x, l]\n " + LOOK + any_list),
    ]


def output_of(mim, what, options):
    made = subprocess.run([mim, "build", "--emit", what, *options], capture_output=True, check=False, text=True)
    if made.returncode:
        sys.exit(made.stderr)
    return made.stdout


def main():
    mim, folder = sys.argv[1:]
    table = [(rule, used, why, text, f"r{i}_") for i, (rule, used, why, text) in enumerate(rows())]
    with open(f"{folder}.mil", "w", encoding="utf-8") as file:
        file.write(HEAD)
        for _, _, _, text, prefix in table:
            file.write(re.sub(r"@(?=\w)", prefix, text) + "\n")
    options = ["--set", "mil.passes=opt", "--set", "mil.trace=1", "-o", "-", f"{folder}.mil"]
    trace, after = (output_of(mim, what, options) for what in ("mil-trace", "mil"))
    seen = {(m[1].split()[0], m[2]) for m in re.finditer(r"^(\d\S* [^\n]*), in (\S+):$", trace, re.M)}
    wrong = 0
    for rule, used, why, _, prefix in table:
        is_used = (rule, f"{prefix}f") in seen
        if rule == "6":
            is_used = re.search(rf"^{prefix}f\[x\] =\n  _ <-", after, re.M) is not None
        if is_used != used:
            wrong += 1
            print(f"rule {rule} is {'' if is_used else 'not '}used: {why} ({prefix}f)")
    print(f"{len(table)} conditions, {wrong} wrong")


main()
