# SPDX-License-Identifier: MIT
"""Element types of the programs that `generate.py` makes: their names in Mim, their constants, and text for what is done with elements."""

ELEMENTS = [  # key, name, zero, some other constant, rings
    ("I", "I64", "0I64", "7I64", ["R64"]),
    ("B", "I8", "0I8", "7I8", ["R8"]),
    ("H", "I16", "0I16", "7I16", ["R16"]),
    ("J", "I32", "0I32", "7I32", ["R32"]),
    ("F", "F", "(0.0:F)", "(7.5:F)", ["%tensor.f64"]),
    ("G", "G", "(0.0:G)", "(7.5:G)", ["%tensor.f32"]),
    ("T", "Bool", "ff", "tt", ["R2", "RT"]),
    ("P", "P", "(0I64, (0.0:F))", "(7I64, (7.5:F))", ["RP"]),
    ("Q", "Q", "(0I8, ff)", "(7I8, tt)", ["RQ"]),
]
TYPE, ZERO, SEVEN, RINGS = ({element[0]: element[column] for element in ELEMENTS} for column in range(1, 5))
INTEGERS = "IBHJ"
FLOATS = "FG"
NUMBERS = INTEGERS + FLOATS
FORMAT = {"F": "%math.f64", "G": "%math.f32"}
WIDTHS = {"F": "52, 11", "G": "23, 8"}
PARTS = {"P": "IF", "Q": "BT"}  # of a pair

HEAD = """plugin std;
plugin tensor;
let F = %math.F64;
let G = %math.F32;
let P = [I64, F];
let Q = [I8, Bool];
let R64 = %tensor.int 0I64;
let R8 = %tensor.int 0I8;
let R16 = %tensor.int 0I16;
let R32 = %tensor.int 0I32;
let R2 = %tensor.int ff;
lam addT (x y: Bool): Bool = x || y;
lam subT (x y: Bool): Bool = x && !y;
lam mulT (x y: Bool): Bool = x && y;
let RT: %tensor.Ring = (Bool, addT, mulT, ff, tt);
lam addP (x y: P): P = (x#0 + y#0, x#1 + y#1);
lam subP (x y: P): P = (x#0 - y#0, x#1 - y#1);
lam mulP (x y: P): P = (x#0 * y#0, x#1 * y#1);
let RP: %tensor.Ring = (P, addP, mulP, (0I64, (0.0:F)), (1I64, (1.0:F)));
lam addQ (x y: Q): Q = (x#0 + y#0, addT (x#1, y#1));
lam subQ (x y: Q): Q = (x#0 - y#0, subT (x#1, y#1));
lam mulQ (x y: Q): Q = (x#0 * y#0, mulT (x#1, y#1));
let RQ: %tensor.Ring = (Q, addQ, mulQ, (0I8, ff), (1I8, tt));
lam keepI (x: I64) @ff: I64 = x * 5I64 + 1I64;
lam keepB (x: I8) @ff: I8 = x * 5I8 + 1I8;
lam keepH (x: I16) @ff: I16 = x * 5I16 + 1I16;
lam keepJ (x: I32) @ff: I32 = x * 5I32 + 1I32;
lam keepT (x: Bool) @ff: Bool = !x;
lam keepP (x: P) @ff: P = (x#0 * 5I64 + 1I64, x#1 * 0.25);
lam keepQ (x: Q) @ff: Q = (x#0 * 5I8 + 1I8, !(x#1));
lam hashI (h: I64, x: I64): I64 = h * 31I64 + x;
lam hashB (h: I64, x: I8): I64 = h * 31I64 + %core.conv.u i64 x;
lam hashH (h: I64, x: I16): I64 = h * 31I64 + %core.conv.u i64 x;
lam hashJ (h: I64, x: I32): I64 = h * 31I64 + %core.conv.u i64 x;
// All NaNs are the same: nothing says which bits one has.
lam hashF (h: I64, x: F): I64 = h * 31I64 + (%core.bitcast I64 x, 1I64)#(x != x);
lam hashG (h: I64, x: G): I64 = h * 31I64 + (%core.conv.u i64 (%core.bitcast I32 x), 1I64)#(x != x);
lam hashT (h: I64, x: Bool): I64 = h * 31I64 + %core.conv.u i64 x;
lam hashP (h: I64, x: P): I64 = hashF (hashI (h, x#0), x#1);
lam hashQ (h: I64, x: Q): I64 = hashT (hashB (h, x#0), x#1);
fun show (mem: %mem.M, x: I64): %mem.M = {
    ret mem = %std.print.nat $ (mem, %core.bitcast Nat x);
    %std.print.newline (mem, return)
};
"""


def plus(type_, x, y):
    return f"({x} + {y})" if type_ in NUMBERS else f"add{type_} ({x}, {y})"


def minus(type_, x, y):
    return f"({x} - {y})" if type_ in NUMBERS else f"sub{type_} ({x}, {y})"


def times(type_, x, y):
    return f"({x} * {y})" if type_ in NUMBERS else f"mul{type_} ({x}, {y})"


def unary(rng, type_):
    """A function of one element."""
    k, t = rng.randrange(1, 5), TYPE[type_]
    if type_ in INTEGERS:
        bodies = [f"x * 3{t} + {k}{t}", f"x - {k}{t}", f"keep{type_} x"]
    elif type_ in FLOATS:
        bodies = [f"x * 0.5 + {k}.0", f"x - {k}.25"]
    elif type_ == "T":
        bodies = ["!x", "keepT x"]
    else:
        bodies = [f"keep{type_} x", f"sub{type_} (x, {SEVEN[type_]})", f"add{type_} (x, mul{type_} (x, {SEVEN[type_]}))"]
    return f"(λ (x: {t}): {t} = {rng.choice(bodies)})"


def binary(rng, type_):
    """A function of two elements, whose order matters."""
    t = TYPE[type_]
    if type_ in INTEGERS:
        bodies = [f"x * 3{t} - y", "x + y", f"keep{type_} x - y"]
    elif type_ in FLOATS:
        bodies = ["x * 0.5 - y", "x + y * 0.25"]
    else:
        bodies = [f"sub{type_} (keep{type_} x, y)", f"add{type_} (x, y)", f"sub{type_} (x, y)"]
    return f"(λ (x y: {t}): {t} = {rng.choice(bodies)})"


def number_from(rng, indices, type_):
    """An element that depends on these indices."""
    if type_ in PARTS:
        return "(" + ", ".join(number_from(rng, indices, part) for part in PARTS[type_]) + ")"
    total = " + ".join(f"%core.bitcast Nat {i} * {rng.randrange(1, 9)}" for i in indices) or "4"
    number = f"({total} + {rng.randrange(9)}) % 7"
    if type_ == "T":
        return f"({number} < 3)"
    value = f"%core.bitcast {TYPE[type_] if type_ in INTEGERS else 'I64'} ({number})"
    return value if type_ in INTEGERS else f"%math.conv.u2f {FORMAT[type_]} ({value})"
