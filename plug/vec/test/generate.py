#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes every-integer.mim and every-float.mim: each element-wise axiom with each subtag, compared with its scalar axiom at each lane.

usage: generate.py; then bless what it wrote."""
import pathlib

HERE = pathlib.Path(__file__).parent
BIT2 = "f nor nciff nfst niff nsnd xor_ nand and_ nxor snd iff fst ciff or_ t".split()
ICMP = ("xygle xyglE xygLe xygLE xyGle xyGlE xyGLe xyGLE xYgle xYglE xYgLe xYgLE xYGle xYGlE xYGLe xYGLE "
        "Xygle XyglE XygLe XygLE XyGle XyGlE XyGLe XyGLE XYgle XYglE XYgLe XYgLE XYGle XYGlE XYGLe XYGLE").split()
FUNCTIONS = [(f"tri.{s}", "large" if s == "acosh" else "small")
             for s in "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh".split()]
FUNCTIONS += [(f"exp.{s}", "small") for s in "exp exp2 exp10 log log2 log10".split()]
CMP = "ugle uglE ugLe ugLE uGle uGlE uGLe uGLE Ugle UglE UgLe UgLE UGle UGlE UGLe UGLE".split()

HEAD = """// {what} Made by generate.py.
// RUN: mim run %s
// RUN: mim run --cpu x86-64 %s
// RUN: mim run --cpu x86-64-v3 %s
import "files/show.mim";

// the lanes, and whether they are what the scalar operation gives
fun same {{n s: Nat}} (mem: %mem.M, v: %vec.V (n, Idx s), scalars: «n; Idx s»): %mem.M = {{
    let word  = ("wrong", "right")#(%vec.all (%vec.icmp.e (v, %vec.from @(n, Idx s) scalars)));
    ret mem = %std.print.text $ (mem, word);
    show ((mem, v), return)
}};
"""
# What the C library computes is not the same everywhere.
RIGHT = """
// the same without the lanes
fun right {n s: Nat} (mem: %mem.M, v: %vec.V (n, Idx s), scalars: «n; Idx s»): %mem.M =
    ret mem = %std.print.text $ (mem, ("wrong", "right")#(%vec.all (%vec.icmp.e (v, %vec.from @(n, Idx s) scalars))));
    %std.print.newline (mem, return);
"""
MAIN = """
fun extern main (mem: %mem.M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): [%mem.M, I32] = {
    let z = %core.wrap.sub 0 (argc, 1I32);
"""
END = "    return (mem, 0I32)\n};\n"


def two(vec, scalar, mode):
    scalars = f"%{scalar}{mode} (%vec.get (a, i), %vec.get (b, i))"
    return f"    ret mem = same $ (mem, %{vec}{mode} (a, b), ‹i: 4; {scalars}›);\n"


def one(vec, scalar, mode):
    return f"    ret mem = same $ (mem, %{vec}{mode} a, ‹i: 4; %{scalar}{mode} (%vec.get (a, i))›);\n"


def integers():
    text = HEAD.format(what="All integer operations.")
    body = ""
    body += "".join(one(f"vec.bit1.{s}", f"core.bit1.{s}", " 0") for s in ("f", "neg", "id", "t"))
    body += "".join(two(f"vec.bit2.{s}", f"core.bit2.{s}", " 0") for s in BIT2)
    body += "".join(two(f"vec.shr.{s}", f"core.shr.{s}", "") for s in "al")
    body += "".join(two(f"vec.wrap.{s}", f"core.wrap.{s}", " 0") for s in ("add", "sub", "mul", "shl"))
    body += "".join(two(f"vec.icmp.{s}", f"core.icmp.{s}", "") for s in ICMP)
    body += "".join(two(f"vec.extrema.{s}", f"core.extrema.{s}", "") for s in ("sm", "sM", "Sm", "SM"))
    body += "".join(one(f"vec.conv.{s}", f"core.conv.{s}", f" {size}") for s in "su" for size in ("16", "0x10000", "i64", "7"))
    text += "\nfun all {s: Nat} (mem: %mem.M, a b: %vec.V (4, Idx s)): %mem.M = {\n" + body + "    return mem\n};\n"
    pairs = (("(1I8, 200I8, 127I8, 255I8)", "(1I8, 100I8, 3I8, 128I8)"),
             ("(70000I32, 5I32, 9I32, 0x80000000I32)", "(3I32, 33I32, 9I32, 1I32)"),
             ("(9_10, 0_10, 5_10, 3_10)", "(4_10, 9_10, 5_10, 7_10)"))
    text += MAIN
    for a, b in pairs:
        text += f"    ret mem = all $ (mem, hide (z, %vec.from {a}), hide (z, %vec.from {b}));\n"
    (HERE / "every-integer.mim").write_text(text + END)


def floats():
    text = HEAD.format(what="All operations on floats.") + RIGHT
    widths = {"F16": "0x10000", "F32": "i32", "F64": "i64"}
    for f, bits in widths.items():
        pe = f.lower()
        text += f"""
lam bits_{f} (x: %math.{f}): Idx {bits} = %core.bitcast (Idx {bits}) x;
lam lanes_{f} (v: %vec.V (4, %math.{f})): %vec.V (4, Idx {bits}) = %vec.from ‹i: 4; bits_{f} (%vec.get (v, i))›;
fun all_{f} (mem: %mem.M, a b: %vec.V (4, %math.{f})): %mem.M = {{
    let large = %vec.splat 4 (1.0:%math.{f}) + %vec.abs 0 a;
    let small = %vec.splat 4 (1.0:%math.{f}) / large;
"""
        def line(vectors, scalars, wrap=True):
            v, s = (f"lanes_{f} ({vectors})", f"bits_{f} ({scalars})") if wrap else (vectors, scalars)
            return f"    ret mem = same $ (mem, {v}, ‹i: 4; {s}›);\n"
        def plain(vectors, scalars):
            return f"    ret mem = right $ (mem, lanes_{f} ({vectors}), ‹i: 4; bits_{f} ({scalars})›);\n"
        x, y = "%vec.get (a, i)", "%vec.get (b, i)"
        pairs = [("arith", s) for s in ("add", "sub", "mul", "div", "rem")]
        pairs += [("extrema", s) for s in ("fmin", "fmax", "ieee754min", "ieee754max")]
        text += "".join(line(f"%vec.{t}.{s} 0 (a, b)", f"%math.{t}.{s} 0 ({x}, {y})") for t, s in pairs)
        singles = ["minus", "abs", "round.f", "round.c", "round.r", "round.t", "rt.cb"]
        text += "".join(line(f"%vec.{t} 0 a", f"%math.{t} 0 ({x})") for t in singles)
        text += line("%vec.rt.sq 0 (%vec.abs 0 a)", f"%math.rt.sq 0 (%math.abs 0 ({x}))") # which NaN comes of others is open
        text += "".join(plain(f"%vec.{t} 0 ({v})", f"%math.{t} 0 (%vec.get ({v}, i))") for t, v in FUNCTIONS)
        text += "".join(line(f"%vec.cmp.{s} 0 (a, b)", f"%math.cmp.{s} 0 ({x}, {y})", False) for s in CMP)
        text += "    return mem\n};\n"
    text += MAIN
    text += "    let ints = hide (z, %vec.from (3I32, 0xfffffff8I32, 100I32, 7I32));\n"
    text += "    let more = hide (z, %vec.from (2I32, 5I32, 0xffffff9cI32, 7I32));\n"
    for f in widths:
        pe = f"%math.{f.lower()}"
        text += f"    let a_{f} = %vec.arith.div 0 (%vec.conv.s2f {pe} ints, %vec.splat 4 (2.5:%math.{f}));\n"
        text += f"    let b_{f} = %vec.conv.s2f {pe} more;\n"
        text += f"    ret mem = all_{f} $ (mem, a_{f}, b_{f});\n"
    for op in ("fadd", "fmul", "fmin", "fmax"):
        text += f"    ret mem = show $ (mem, %vec.from (bits_F64 (%vec.reduce.{op} 0 a_F64)));\n"
        text += f"    ret mem = show $ (mem, %vec.from (bits_F16 (%vec.reduce.{op} 0 b_F16)));\n"
        text += f"    ret mem = show $ (mem, %vec.from (bits_F32 (%vec.reduce.{op} %math.mode.reassoc b_F32)));\n"
    text += "    ret mem = show $ (mem, %vec.conv.f2s i32 a_F64);\n"
    text += "    ret mem = show $ (mem, %vec.conv.f2u 0x100 (%vec.abs 0 a_F32));\n"
    text += "    ret mem = show $ (mem, lanes_F32 (%vec.conv.f2f %math.f32 a_F64));\n"
    text += "    ret mem = show $ (mem, lanes_F16 (%vec.conv.f2f %math.f16 a_F64));\n"
    text += "    ret mem = show $ (mem, lanes_F64 (%vec.conv.u2f %math.f64 ints));\n"
    (HERE / "every-float.mim").write_text(text + END)


integers()
floats()
