#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the run-*.mim next to it: programs that apply each operation of %core to run-time values of many sizes and print a checksum
for each size. What they must print is computed here, from the definition of the operations, with Python's integers. Values reach the
operations through loops, so that nothing is folded at compile time; run-dynamic.mim passes the sizes at run time as well.

usage: generate.py [FOLDER]        writes into FOLDER, by default its own
"""
import pathlib
import sys

from checksum import PRELUDE

MASK = 2**64 - 1
SMALL = [2, 3, 5, 8, 23]
LARGE = [1000, 2**16, 2**32 + 1, 2**63 + 1, 2**64 - 1, 2**64]
ROTATED = [2, 3, 23, 2**7, 2**8, 1000, 2**15, 2**16, 10**6, 2**24, 2**32, 10**12, 2**40, 2**63 + 1, 2**64 - 1, 2**64]

# The checksum of f over all pairs below n.
SWEEP = """
fun sweep (n: Nat) (f: [Nat, Nat] → I64) (h: I64): I64 = loop (0, 0, h) where
    con loop (a b: Nat, h: I64) = (row, exit)#(%core.ncmp.e (a, n)) () where
        con row () = (step, next)#(%core.ncmp.e (b, n)) () where
            con next () = loop (%core.nat.add (a, 1), 0, h);
            con step () = loop (a, %core.nat.add (b, 1), mix (h, f (a, b)));
        end;
        con exit () = return h;
    end;
end;
"""

# The same for what has an effect.
SWEEP_EFFECT = """
fun sweep (n: Nat) (f: [%mem.M, Nat, Nat] → [%mem.M, I64]) (mem: %mem.M, h: I64): [%mem.M, I64] = loop (mem, 0, 0, h) where
    con loop (mem: %mem.M, a b: Nat, h: I64) = (row, exit)#(%core.ncmp.e (a, n)) mem where
        con row (mem: %mem.M) = (step, next)#(%core.ncmp.e (b, n)) mem where
            con next (mem: %mem.M) = loop (mem, %core.nat.add (a, 1), 0, h);
            con step (mem: %mem.M) = {
                let (mem, v) = f (mem, a, b);
                loop (mem, a, %core.nat.add (b, 1), mix (h, v))
            };
        end;
        con exit (mem: %mem.M) = return (mem, h);
    end;
end;
"""


# --- the operations ----------------------------------------------------------------------------------------------------------------
def signed(v, s):
    return v if 2 * v < s else v - s


def bits(s):
    return (s - 1).bit_length()


def table(op, a, b, s):
    m = 2 ** bits(s) - 1
    return ((op >> 3 & 1) * (a & b) | (op >> 2 & 1) * (a & ~b) | (op >> 1 & 1) * (~a & b) | (op & 1) * (~a & ~b)) & m


def shr_a(a, b, s):
    v = signed(a, s)
    return (v >> min(b, 100)) % s


def rotate_left(a, b, s):
    w = bits(s)
    k = b % w if w else 0
    return (a << k | a >> (w - k)) % 2**w % s


def rotate_right(a, b, s):
    return rotate_left(a, -b, s)


def reverse(a, s, unit):
    whole = bits(s) // unit
    parts = [a >> i * unit & (2**unit - 1) for i in range(whole)]
    low = sum(part << (whole - 1 - i) * unit for i, part in enumerate(parts))
    return ((a >> whole * unit << whole * unit) + low) % s


def relation(a, b, s):
    if a == b:
        return 0
    x, y = signed(a, s) < 0, signed(b, s) < 0
    if x != y:
        return 4 if y else 3
    return 1 if a < b else 2


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


WRAP = {"add": lambda a, b, s: a + b, "sub": lambda a, b, s: a - b, "mul": lambda a, b, s: a * b,
        "shl": lambda a, b, s: a * pow(2, b, s)}
BIT2 = ["f", "nor", "nciff", "nfst", "niff", "nsnd", "xor_", "nand", "and_", "nxor", "snd", "iff", "fst", "ciff", "or_", "t"]
BIT1 = {"f": 0, "neg": 3, "id": 12, "t": 15}
EXTREMA = {"umin": min, "umax": max}
ICMP = ["".join((u if n >> i & 1 else u.lower()) for u, i in zip("XYGLE", (4, 3, 2, 1, 0))) for n in range(32)]
NCMP = ["".join((u if n >> i & 1 else u.lower()) for u, i in zip("GLE", (2, 1, 0))) for n in range(8)]


def wrap_ops():
    return [(f"%core.wrap.{n} 0 (x, y)", lambda a, b, s, f=f: f(a, b, s) % s) for n, f in WRAP.items()]


def bit_ops():
    ops = [(f"%core.bit2.{n} 0 (x, y)", lambda a, b, s, i=i: table(i, a, b, s) % s) for i, n in enumerate(BIT2)]
    ops += [(f"%core.bit1.{n} 0 x", lambda a, b, s, i=i: table(i, a, 0, s) % s)
            for n, i in BIT1.items()]
    return ops + [("%core.shr.l (x, y)", lambda a, b, s: a >> min(b, 100)), ("%core.shr.a (x, y)", shr_a)]


def permutations():
    return [("%core.rotate.left (x, y)", rotate_left), ("%core.rotate.right (x, y)", rotate_right),
            ("%core.reverse.bits x", lambda a, b, s: reverse(a, s, 1)), ("%core.reverse.bytes x", lambda a, b, s: reverse(a, s, 8))]


def rotations_by_literals():
    """By 0, 1, one less than the width, the width and more, of a few fixed sizes."""
    ops = []
    for s in (2**7, 2**8, 1000, 2**24, 2**32, 2**64):
        w, size = bits(s), size_text(s)
        for name, f in (("left", rotate_left), ("right", rotate_right)):
            ops += [(f"%core.rotate.{name} (%core.conv.u {size} x, {k}:(Idx {size}))", lambda a, b, _, f=f, s=s, k=k: f(a % s, k, s))
                    for k in (0, 1, w - 1, w, 3 * w + 5)]
    return ops


def cmp_ops():
    ops = [(f"%core.icmp.{n} (x, y)", lambda a, b, s, i=i: i >> relation(a, b, s) & 1) for i, n in enumerate(ICMP)]
    ops += [(f"%core.extrema.{n} (x, y)", lambda a, b, s, f=f: f(a, b)) for n, f in EXTREMA.items()]
    return ops + [(f"%core.extrema.{n} (x, y)", lambda a, b, s, f=f: f(a, b, key=lambda v: signed(v, s)))
                  for n, f in (("smin", min), ("smax", max))]


def conv_ops():
    ops = []
    for d in (1, 2, 3, 8, 23, 256, 1000, 2**32, 2**63 + 1, 2**64):
        size = "i64" if d == 2**64 else d
        ops.append((f"%core.conv.u {size} x", lambda a, b, s, d=d: a % d))
        ops.append((f"%core.conv.s {size} x", lambda a, b, s, d=d: signed(a, s) % d))
    return ops


DIV = {"udiv": lambda a, b, s: a // b, "urem": lambda a, b, s: a % b,
       "sdiv": lambda a, b, s: trunc_div(signed(a, s), signed(b, s)) % s,
       "srem": lambda a, b, s: (signed(a, s) - signed(b, s) * trunc_div(signed(a, s), signed(b, s))) % s}


# --- programs ----------------------------------------------------------------------------------------------------------------------
def edges(s):
    return [0, 1, 2, s // 2 - 1, s // 2, s // 2 + 1, s - 2, s - 1]


def amounts(s):
    """Amounts around the width, and numbers none of whose bits or bytes are alike."""
    w = bits(s)
    return [v % s for v in (0, 1, w - 1, w, w + 1, 0x0123456789abcdef, 0xfedcba9876543210, s - 1)]


def size_text(s):
    return "i64" if s == 2**64 else str(s)


def checksum(values, f):
    h = 0
    for a in values:
        for b in values:
            h = (h * 31 + f(a, b)) & MASK
    return h


def mixed(ops, a, b, s):
    h = 0
    for _, f in ops:
        h = (h * 31 + f(a, b, s)) & MASK
    return h


def mix_text(ops):
    text = "0I64"
    for op, _ in ops:
        text = f"mix ({text},\n            %core.conv.u i64 ({op}))"
    return text


def operands(s, picked=edges):
    """How the counters a and b become x and y: the values of small sizes, 8 that are picked of large ones."""
    if s in SMALL:
        return f"%core.bitcast (Idx {s}) a", f"%core.bitcast (Idx {s}) b", str(s), range(s)
    values = "(" + ", ".join(f"{v}:(Idx {size_text(s)})" for v in picked(s)) + ")"
    return f"{values}#(%core.bitcast (Idx 8) a)", f"{values}#(%core.bitcast (Idx 8) b)", "8", picked(s)


def main_text(calls):
    return "\nfun extern main(mem: %mem.M): [%mem.M, I32] =\n" + "".join(calls) + "    return (mem, 0I32);\n"


def program(name, about, ops, sizes, folder, picked=edges):
    text, calls, out = "", [], []
    for i, s in enumerate(sizes):
        x, y, count, values = operands(s, picked)
        second = f"    let y = {y};\n" if any("y" in op for op, _ in ops) else ""
        text += f"\nlam f{i} (a {'b' if second else '_b'}: Nat): I64 = {{\n    let x = {x};\n{second}    {mix_text(ops)}\n}};\n"
        calls.append(f"    ret h{i} = sweep {count} f{i} $ 0I64;\n    ret mem = print $ (mem, h{i});\n")
        out.append(checksum(values, lambda a, b: mixed(ops, a, b, s)))
    write(folder, name, about, SWEEP + text + main_text(calls), out)


def program_div(folder):
    """Divisors are never 0, and the least number is not divided by -1: y is made 1 there."""
    text, calls, out = "", [], []
    for i, s in enumerate(SMALL[1:] + LARGE):
        x, y, count, values = operands(s)
        body = "    let m0 = mem;\n"
        for j, op in enumerate(DIV):
            body += f"    let (m{j + 1}, r{j}) = %core.div.{op} (m{j}, (x, z));\n"
        body += "    let (m5, r4) = %core.abs (m4, z);\n"
        text += (f"\nlam f{i} (mem: %mem.M, a b: Nat): [%mem.M, I64] = {{\n    let x = {x};\n    let y = {y};\n"
                 f"    let one = 1:(Idx {size_text(s)});\n"
                 f"    let w = (y, one)#(%core.icmp.e (y, 0:(Idx {size_text(s)})));\n")
        bad = f"%core.icmp.e (w, {s - 1}:(Idx {size_text(s)}))"
        lo = f"%core.icmp.e (w, {s // 2}:(Idx {size_text(s)}))"
        text += f"    let v = (w, one)#({bad});\n    let z = (v, one)#({lo});\n" + body
        mixes = "0I64"
        for j in range(5):
            mixes = f"mix ({mixes}, %core.conv.u i64 r{j})"
        text += f"    (m5, {mixes})\n}};\n"
        calls.append(f"    ret (mem, h{i}) = sweep {count} f{i} $ (mem, 0I64);\n    ret mem = print $ (mem, h{i});\n")

        def value(a, b):
            z = 1 if b in (0, s - 1, s // 2) else b
            h = 0
            for f in list(DIV.values()) + [lambda x, z, s: abs(signed(z, s))]:
                h = (h * 31 + f(a, z, s)) & MASK
            return h

        out.append(checksum(values, value))
    write(folder, "run-div", "Division and absolute values, where they are defined.", SWEEP_EFFECT + text + main_text(calls), out)


def program_nat(folder):
    ops = [("%core.bitcast I64 (%core.nat.add (a, b))", lambda a, b, s: a + b),
           ("%core.bitcast I64 (%core.nat.sub (a, b))", lambda a, b, s: max(0, a - b)),
           ("%core.bitcast I64 (%core.nat.mul (a, b))", lambda a, b, s: a * b)]
    ops += [(f"%core.ncmp.{n} (a, b)", lambda a, b, s, i=i: i >> (0 if a == b else 1 if a < b else 2) & 1) for i, n in enumerate(NCMP)]
    text = f"\nlam f (a b: Nat): I64 = {mix_text(ops)};\n"
    calls = ["    ret h = sweep 20 f $ 0I64;\n    ret mem = print $ (mem, h);\n"]
    write(folder, "run-nat", "Nat at run time.", SWEEP + text + main_text(calls), [checksum(range(20), lambda a, b: mixed(ops, a, b, 0))])


def program_dynamic(folder):
    """One function of the size and two numbers, called with many sizes; nothing of it is specialized."""
    ops = wrap_ops() + bit_ops() + permutations() + cmp_ops()
    ops += [(f"%core.conv.{k} 23 x", lambda a, b, s, k=k: (a if k == "u" else signed(a, s)) % 23) for k in "us"]
    ops += [(f"%core.conv.{k} n (%core.conv.u 1000 x)", lambda a, b, s, k=k: (a % 1000 if k == "u" else signed(a % 1000, 1000)) % s)
            for k in "us"]
    ops += [("%core.idx n 0 12345", lambda a, b, s: 12345 % s)]
    sizes = [1, 2, 3, 8, 23, 256, 1000, 2**24, 2**32 + 1, 2**63, 2**63 + 1, 2**64 - 1]
    text = ("\nfun f (n: Nat, a b: Nat): I64 = {\n    let x = %core.bitcast (Idx n) a;\n    let y = %core.bitcast (Idx n) b;\n"
            f"    return ({mix_text(ops)})\n}};\n")
    calls, out = [], []
    for i, s in enumerate(sizes):
        for a, b in ((s // 2, s // 3), (s - 1, s // 2), (s // 5, s - 1)):
            calls.append(f"    ret h = f $ ({s}, {a}, {b});\n    ret mem = print $ (mem, h);\n")
            out.append(mixed(ops, a, b, s))
    write(folder, "run-dynamic", "Integers whose size is known at run time only.", text + main_text(calls), out)


def write(folder, name, about, text, out):
    lines = "".join(f"// OUT| {n}\n" for n in out)
    (folder / f"{name}.mim").write_text(f"// {about} Made by generate.py.\n// RUN: mim run %s\n{lines}plugin core;\n{PRELUDE}{text}")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    folder = folder if folder.is_dir() else folder.parent
    program("run-wrap", "Arithmetic that wraps.", wrap_ops(), SMALL + LARGE, folder)
    program("run-bits", "Bit operations and shifts.", bit_ops(), SMALL + LARGE, folder)
    program("run-rotate", "Rotations, and bits and bytes in reverse order.", permutations(), ROTATED, folder, amounts)
    program("run-rotate-by", "Rotations by literals.", rotations_by_literals(), [2**64], folder, amounts)
    program("run-cmp", "Comparisons, minimum and maximum.", cmp_ops(), SMALL + LARGE, folder)
    program("run-conv", "Conversions between sizes.", conv_ops(), SMALL + LARGE, folder)
    program_div(folder)
    program_nat(folder)
    program_dynamic(folder)


main()
