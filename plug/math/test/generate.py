#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the run-*.mim next to it: programs that apply each operation of %math to run-time values of each format and print a checksum for
each operation. What they must print is computed by ieee.py. Values reach the operations through loops and tables, so that nothing is
folded by normalizers. All NaNs count as one, but for operations that only touch the sign.

usage: generate.py [FOLDER]        writes into FOLDER, by default its own
"""
import math
import pathlib
import random
import sys
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "core/test"))
import ieee
from checksum import PRELUDE
from ieee import FORMATS

MASK = 2**64 - 1
# The checksum of f over all pairs below n and m.
SWEEP = """
fun sweep (n m: Nat) (f: [Nat, Nat] → I64) (h: I64): I64 = loop (0, 0, h) where
    con loop (a b: Nat, h: I64) = (row, exit)#(%core.ncmp.e (a, n)) () where
        con row () = (step, next)#(%core.ncmp.e (b, m)) () where
            con next () = loop (%core.nat.add (a, 1), 0, h);
            con step () = loop (a, %core.nat.add (b, 1), mix (h, f (a, b)));
        end;
        con exit () = return h;
    end;
end;
"""


def values(f, signaling=True):
    """Bits at all edges of a format, and some in between; maybe a signaling NaN, of which C's pow (1, ·) is no 1."""
    one, half, two = f.bias << f.p, f.bias - 1 << f.p, f.bias + 1 << f.p
    rng = random.Random(f.width)
    middle = [(f.bias + rng.randrange(-f.p, f.p + 2) << f.p) + rng.randrange(2**f.p) for _ in range(5)]
    small = [0, 1, (1 << f.p) - 1, 1 << f.p]
    near = [half, one, one + 1, two - 1, two + (1 << f.p - 1), (f.bias + 3 << f.p) + 1]
    large = [f.inf - 1, f.inf]
    positive = small + near + middle + large
    return positive + [v | f.sign for v in positive[::2]] + [f.sign, f.inf | f.sign, f.nan, (f.inf if signaling else f.nan) | 1]


# --- operations: text with x and y, and the function of two numbers ---------------------------------------------------------------------
def binary_ops():
    return [(f"%math.arith.{n} 0 (x, y)", getattr(ieee, n)) for n in ("add", "sub", "mul", "div", "rem")] + [
        (f"%math.extrema.{n} 0 (x, y)", lambda a, b, n=n: ieee.extremum(a, b, n.endswith("max"), n[0] == "f"))
        for n in ("fmin", "fmax", "ieee754min", "ieee754max")]


def unary_ops():
    return [("%math.rt.sq 0 x", ieee.sqrt)] + [(f"%math.round.{n} 0 x", lambda a, n=n: ieee.to_integer(a, n)) for n in "fcrt"]


RELATIONS = ["".join(c if n >> i & 1 else c.lower() for c, i in zip("UGLE", (3, 2, 1, 0))) for n in range(16)]
INT_SIZES = [256, 1000, 2**32, 2**63 + 1, 2**64]


def size_text(s):
    return "i64" if s == 2**64 else str(s)


def read_signed(v, s):
    return v if 2 * v < s else v - s


class Program:
    """The text of a program and what it prints. For the formats it has the table of their values, and their bits as a number."""

    def __init__(self, formats, signaling=True):
        self.text, self.calls, self.out, self.signaling = SWEEP, [], [], signaling
        for f in formats:
            idx, table = size_text(2**f.width), values(f, signaling)
            elems = ", ".join(f"{v}:(Idx {idx})" for v in table)
            self.text += (f"\nlam table_{f.name} (i: Nat): Idx {idx} = ({elems})#(%core.bitcast (Idx {len(table)}) i);\n"
                          f"lam value_{f.name} (i: Nat): {f.spelling} = %core.bitcast {f.spelling} (table_{f.name} i);\n")
        for f in FORMATS:
            self.text += (f"lam bits_{f.name} (v: {f.spelling}): I64 = {{\n"
                          f"    let b = %core.conv.u i64 (%core.bitcast (Idx {size_text(2**f.width)}) v);\n"
                          f"    (b, {f.nan}I64)#(%math.cmp.u 0 (v, v))\n}};\n")

    def add(self, f, lets, result, expected, pairs=True):
        """One line of output: the checksum of `result` (an I64) for all values of f, or all pairs; `expected` takes bits."""
        name, both, table = f"g{len(self.out)}", "b" if pairs else "_b", values(f, self.signaling)
        self.text += f"\nlam {name} (a {both}: Nat): I64 = {{\n{lets}    {result}\n}};\n"
        self.calls.append(f"    ret h = sweep ({len(table)}, {len(table) if pairs else 1}) {name} $ 0I64;\n"
                          "    ret mem = print $ (mem, h);\n")
        h = 0
        for a in table:
            for b in table if pairs else [0]:
                h = (h * 31 + (expected(a, b) & MASK)) & MASK
        self.out.append(h)


def x_is(f):
    return f"    let x = value_{f.name} a;\n"


def xy_are(f):
    return x_is(f) + f"    let y = value_{f.name} b;\n"


def arithmetic(f, folder):
    p = Program([f])
    for text, op in binary_ops():
        p.add(f, xy_are(f), f"bits_{f.name} ({text})", lambda a, b, op=op: f.encode(op(f.decode(a), f.decode(b))))
    for text, op in unary_ops():
        p.add(f, x_is(f), f"bits_{f.name} ({text})", lambda a, _, op=op: f.encode(op(f.decode(a))), pairs=False)
    idx = f"(Idx {size_text(2**f.width)})"
    p.add(f, x_is(f), f"%core.conv.u i64 (%core.bitcast {idx} (%math.minus 0 x))", lambda a, _: a ^ f.sign, pairs=False)
    p.add(f, x_is(f), f"%core.conv.u i64 (%core.bitcast {idx} (%math.abs 0 x))", lambda a, _: a & (f.sign - 1), pairs=False)
    for rel, name in enumerate(RELATIONS):
        p.add(f, xy_are(f), f"%core.conv.u i64 (%math.cmp.{name} 0 (x, y))",
              lambda a, b, rel=rel: rel >> ieee.relation(f.decode(a), f.decode(b)) & 1)
    write(folder, f"run-{f.name}", f"Arithmetic and comparisons of {f.spelling}.", "mim run %s", p.text, p.calls, p.out)


# Modes, what they leave undefined (nnan 1, ninf 2), and what they permit (nsz 4, arcp 8, contract 16, afn 32, reassoc 64): of one operation
# alone the sign of a zero and, with arcp or afn, the last bits of quotients and roots. Everything else is as IEEE 754 says.
MODES = [1, 2, 4, 8, 16, 32, 64, 127]
CONTENT = [1, 2, 4, 127]  # those that say something of operations that are no arithmetic


def few_values(f):
    one = f.bias << f.p
    positive = [0, 1, 1 << f.p, one - 1, one, one + 1, (f.bias + 1 << f.p) + (1 << f.p - 1), f.inf - 1, f.inf, f.nan]
    return positive + [v | f.sign for v in positive[::2]]


def is_defined(mode, *numbers):
    return not any((mode & 1 and n[2]) or (mode & 2 and n[1] == ieee.INF) for n in numbers)


def modes(f, folder):
    """Every operation and relation in every mode, at run time; what the mode makes undefined is left out, and permitted differences too.
    Each line is the checksum of one operation in all modes."""
    p = Program([])
    numbers = [f.decode(v) for v in few_values(f)]
    n, idx = len(numbers), size_text(2**f.width)
    elems = ", ".join(f"{v}:(Idx {idx})" for v in few_values(f))
    p.text += f"""
lam value (i: Nat): {f.spelling} = %core.bitcast {f.spelling} (({elems})#(%core.bitcast (Idx {n}) i));
// What a mode without NaNs, or without infinities, excludes.
lam bad (nnan ninf: Bool, x: {f.spelling}): Bool = {{
    let is_inf = %math.cmp.e 0 (%math.abs 0 x, %math.inf {f.spelling.lower()});
    %core.bit2.or_ 0 (%core.bit2.and_ 0 (nnan, %math.cmp.u 0 (x, x)), %core.bit2.and_ 0 (ninf, is_inf))
}};
lam bits (nsz: Bool) (x: {f.spelling}): I64 =
    (bits_{f.name} x, 0I64)#(%core.bit2.and_ 0 (nsz, %math.cmp.e 0 (x, 0:{f.spelling})));
"""

    def add(text, op, pairs, modes=CONTENT, is_number=True):
        """`text` with x and y in the mode m, the function of numbers, and the modes in which its result is known."""
        name, both = f"g{len(p.out)}", "b" if pairs else "_b"
        result = f"bits nsz ({text})" if is_number else f"%core.conv.u i64 ({text})"
        bad = f"%core.bit2.or_ 0 (bad (nnan, ninf, x), bad (nnan, ninf, {'y' if pairs else 'x'}))"
        if is_number:
            bad = f"%core.bit2.or_ 0 ({bad}, bad (nnan, ninf, {text.replace(' m ', ' 0 ', 1)}))"
        p.text += (f"\nlam {name} (m: Nat) (nnan ninf nsz: Bool) (a {both}: Nat): I64 = {{\n    let x = value a;\n"
                   + ("    let y = value b;\n" if pairs else "") + f"    ({result}, 0I64)#({bad})\n}};\n")
        h = 0
        for mode in modes:
            flags = ", ".join("tt" if mode & bit else "ff" for bit in (1, 2, 4))
            start = "0I64" if mode == modes[0] else "h"
            p.calls.append(f"    ret h = sweep ({n}, {n if pairs else 1}) ({name} {mode} ({flags})) $ {start};\n")
            for a in numbers:
                for b in numbers if pairs else [numbers[0]]:
                    h = (h * 31 + expected(mode, op, (a, b) if pairs else (a,), is_number)) & MASK
        p.calls.append("    ret mem = print $ (mem, h);\n")
        p.out.append(h)

    def expected(mode, op, args, is_number):
        value = op(*args)
        results = [f.decode(f.encode(value))] if is_number else []
        if not is_defined(mode, *args, *results):
            return 0
        bits = f.encode(value) if is_number else value
        return 0 if mode & 4 and is_number and bits == f.sign else bits

    def in_mode(text):
        return text.replace(" 0 ", " m ", 1)

    for text, op in binary_ops():
        add(in_mode(text), op, True, [m for m in MODES if not (".div" in text and m & 8)])
    for text, op in unary_ops():
        add(in_mode(text), op, False, [m for m in CONTENT if not (".sq" in text and m & 32)])
    for name, op in (("minus", ieee.minus), ("abs", lambda a: (0, a[1], a[2]))):
        add(f"%math.{name} m x", op, False)
    for rel, name in enumerate(RELATIONS):
        add(f"%math.cmp.{name} m (x, y)", lambda a, b, rel=rel: rel >> ieee.relation(a, b) & 1, True, is_number=False)
    run = ("mim run -O0 %s > %t.0 && mim run -O3 %s > %t.3 && mim run --eval %s > %t.e && cmp %t.0 %t.3 && cmp %t.0 %t.e "
           "&& cat %t.0")
    about = f"Operations and relations of {f.spelling} in every mode, with and without optimization and evaluated."
    write(folder, f"run-modes-{f.name}", about, run, p.text, p.calls, p.out)


def conversions(f, folder):
    p = Program([f])
    for g in FORMATS:
        p.add(f, x_is(f), f"bits_{g.name} (%math.conv.f2f {g.spelling.lower()} x)", lambda a, _, g=g: g.encode(f.decode(a)), pairs=False)
    for s in INT_SIZES:
        idx, factor = size_text(s), 0x100000001000107
        for kind in "su":
            p.add(f, f"    let n = %core.conv.u {idx} (%core.wrap.mul 0 (%core.conv.u i64 (table_{f.name} a), {factor}I64));\n",
                  f"bits_{f.name} (%math.conv.{kind}2f {f.spelling.lower()} n)",
                  lambda a, _, s=s, kind=kind: from_integer(f, (a * factor & MASK) % s, s, kind), pairs=False)
            bound = min(s // 2 if kind == "s" else s, int(f.decode(f.inf - 1)[1]))
            lo, hi = (-bound if kind == "s" else 0), bound
            below = f"%math.cmp.l 0 (x, {hi}.0:{f.spelling})"
            above = f"%math.cmp.g 0 (x, {lo}.0:{f.spelling})"
            p.add(f, x_is(f), f"(0I64, %core.conv.u i64 (%math.conv.f2{kind} {idx} x))#(%core.bit2.and_ 0 ({below}, {above}))",
                  lambda a, _, s=s, lo=lo, hi=hi: to_integer(f, a, s, lo, hi), pairs=False)
    write(folder, f"run-conv-{f.name}", f"Conversions from and to {f.spelling}.", "mim run %s", p.text, p.calls, p.out)


def literal(f, n):
    return ieee.signed(f.decode(f.encode(ieee.of(Fraction(n)))))


def from_integer(f, n, s, kind):
    return f.encode(ieee.of(Fraction(read_signed(n, s) if kind == "s" else n)))


def to_integer(f, a, s, lo, hi):
    x = f.decode(a)
    if x[2] or not literal(f, lo) < ieee.signed(x) < literal(f, hi):
        return 0
    return math.trunc(ieee.signed(x)) % s


def constants(folder):
    """Operations on literals that only LLVM sees: what it folds is what the processor computes."""
    p = Program(FORMATS)
    for f in FORMATS:
        rng, table = random.Random(f.p), values(f)
        for i, (op, function) in enumerate(binary_ops()):
            name = f"{f.name}_{i}"
            p.text += f"\nfun {name} (x y: {f.spelling}): I64 = return (bits_{f.name} ({op}));\n"
            for _ in range(6):
                a, b = rng.choice(table), rng.choice(table)
                literals = ", ".join(f"%core.bitcast {f.spelling} ({v}:(Idx {size_text(2**f.width)}))" for v in (a, b))
                p.calls.append(f"    ret h = {name} $ ({literals});\n    ret mem = print $ (mem, h);\n")
                p.out.append(f.encode(function(f.decode(a), f.decode(b))))
    write(folder, "run-constants", "Operations on literals that are folded by LLVM, if at all.", "mim run -O3 %s", p.text, p.calls, p.out)


# --- functions --------------------------------------------------------------------------------------------------------------------------
def cbrt(x):
    root = math.copysign(abs(x) ** (1 / 3), x)
    return root - (root * root * root - x) / (3 * root * root)  # one step of Newton's


FUNCTIONS = {  # name: reference, arguments
    "tri.sin": (math.sin, (0.5, -1.25, 3)), "tri.cos": (math.cos, (0.5, -1.25, 3)), "tri.tan": (math.tan, (0.5, -1.25, 3)),
    "tri.sinh": (math.sinh, (0.5, -1.25, 3)), "tri.cosh": (math.cosh, (0.5, -1.25, 3)), "tri.tanh": (math.tanh, (0.5, -1.25, 3)),
    "tri.asin": (math.asin, (0.5, -0.75)), "tri.acos": (math.acos, (0.5, -0.75)), "tri.atan": (math.atan, (0.5, -1.25, 30)),
    "tri.asinh": (math.asinh, (0.5, -1.25, 30)), "tri.acosh": (math.acosh, (1.5, 30)), "tri.atanh": (math.atanh, (0.5, -0.75)),
    "rt.sq": (math.sqrt, (0.5, 2, 30)), "rt.cb": (cbrt, (0.5, -2, 30)),
    "exp.exp": (math.exp, (0.5, -1.25, 3)), "exp.exp2": (lambda x: 2**x, (0.5, -1.25, 3)), "exp.exp10": (lambda x: 10**x, (0.5, -1.25, 3)),
    "exp.log": (math.log, (0.5, 1.25, 30)), "exp.log2": (math.log2, (0.5, 1.25, 30)), "exp.log10": (math.log10, (0.5, 1.25, 30)),
    "er.f": (math.erf, (0.5, -1.25)), "er.fc": (math.erfc, (0.5, -1.25)),
    "gamma.t": (math.gamma, (0.5, 4.5)), "gamma.l": (math.lgamma, (0.5, 4.5, 30)),
}


def accuracy(folder):
    """Each function at some arguments, in three modes: the number of results that are far off."""
    text, calls, out = "", [], []
    for f in FORMATS:
        text += (f"\nfun count_{f.name} (m: Nat) (zero: {f.spelling}): I64 = {{\n"
                 f"    lam hide (x: {f.spelling}): {f.spelling} = %math.arith.add 0 (x, zero);\n"
                 f"    lam far (x e bound: {f.spelling}): I64 =\n"
                 f"        %core.conv.u i64 (%math.cmp.ug 0 (%math.abs 0 (%math.arith.sub 0 (x, e)), bound));\n"
                 "    let s = 0I64;\n")
        tests = [(f"%math.{name} m (hide ({float(x)!r}:{f.spelling}))", reference(x))
                 for name, (reference, args) in FUNCTIONS.items() for x in args]
        tests.append((f"%math.pow m (hide (2.5:{f.spelling}), hide (-1.25:{f.spelling}))", 2.5 ** -1.25))
        for op, expected in tests:
            bound = abs(expected) * 2.0 ** -(min(f.p, 50) - 2)
            text += f"    let s = %core.wrap.add 0 (s, far ({op}, {expected!r}:{f.spelling}, {bound!r}:{f.spelling}));\n"
        text += "    return s\n};\n"
        for mode in ("none", "afn", "fast"):
            calls.append(f"    ret h = count_{f.name} %math.mode.{mode} $ (0:{f.spelling});\n    ret mem = print $ (mem, h);\n")
            out.append(0)
    write(folder, "run-accuracy", "The functions of the C library, near their true results.", "mim run %s", text, calls, out)


def agreement(folder):
    """Each function at all values of a format: the same bits without optimization, with it, and in the evaluator."""
    p = Program(FORMATS, signaling=False)
    for f in FORMATS:
        for name in FUNCTIONS:
            p.add(f, x_is(f), f"bits_{f.name} (%math.{name} 0 x)", lambda a, _: 0, pairs=False)
        p.add(f, xy_are(f), f"bits_{f.name} (%math.pow 0 (x, y))", lambda a, b: 0)
        # sine and cosine of one number, which LLVM may compute together
        both = "%math.arith.add 0 (%math.tri.sin 0 x, %math.tri.cos 0 x)"
        p.add(f, x_is(f), f"bits_{f.name} ({both})", lambda a, _: 0, pairs=False)
        for name, (_, args) in FUNCTIONS.items():  # of a literal that only LLVM sees
            label = f"{name.replace('.', '_')}_{f.name}"
            p.text += f"\nfun {label} (x: {f.spelling}): I64 = return (bits_{f.name} (%math.{name} 0 x));\n"
            p.calls.append(f"    ret h = {label} $ ({float(args[0]) + 0.1}:{f.spelling});\n    ret mem = print $ (mem, h);\n")
    run = ("mim run -O0 %s > %t.0 && mim run -O3 %s > %t.3 && mim run --eval %s > %t.e && cmp %t.0 %t.3 && cmp %t.0 %t.e "
           "&& wc -l < %t.0")
    write(folder, "run-functions", "The functions of the C library are the same at every level.", run, p.text, p.calls, [len(p.calls)])


def write(folder, name, about, run, text, calls, out):
    lines = "".join(f"// OUT| {n}\n" for n in out)
    main = "\nfun extern main(mem: %mem.M): [%mem.M, I32] =\n" + "".join(calls) + "    return (mem, 0I32);\n"
    plugins = "plugin core;\nplugin mem;\nplugin math;\n"
    (folder / f"{name}.mim").write_text(f"// {about} Made by generate.py.\n// RUN: {run}\n{lines}{plugins}{PRELUDE}{text}{main}")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    for f in FORMATS:
        arithmetic(f, folder)
        conversions(f, folder)
        modes(f, folder)
    constants(folder)
    accuracy(folder)
    agreement(folder)


main()
