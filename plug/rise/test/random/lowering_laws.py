# SPDX-License-Identifier: MIT
"""Laws that lower."""
from instances import BOOL, INT, array, text_of
from registry import law, mapped, matrix, refused, steps


# ---- lowering


@law("copyInit")
def copy_init(g):
    n, m, k, s = g.size(), g.size(), g.size(), g.data()
    t = g.rng.choice([array(m, INT), array(m, array(k, INT))])
    start, x = g.parameter(t), g.parameter(array(n, s))
    return "copyInit", f"reduceSeq({g.fold(s, t)})({start})({x})"


@refused("copyInit")
def copy_init_refused(g):
    return "copyInit", f"reduceSeq({g.fold(INT, INT, [])})(7i32)({g.parameter(array(g.size(), INT))})"


KINDS = ["toMapSeq", "toMapSeqUnroll", "toMapPar", "toMapVec", "toMapGlobal", "toMapWorkGroup", "toMapLocal"]


@law(*KINDS)
def to_map(g):
    dimension = g.rng.choice(["", "(1)", "(2)"]) if KINDS.index(g.name) > 3 else ""
    return "{}" + dimension, mapped(g, g.size())


@refused(*KINDS)
def to_map_refused(g):
    return "{}", f"mapSeq({g.function(INT, INT, [])})({g.parameter(array(g.size(), INT))})"


@law("subexpressionElimination")
def named_part(g):
    t, n = g.data(), g.size()
    x, f = g.parameter(array(n, t)), g.function(t, t)
    v = g.fresh("v")
    part = f"toMem(Global)({x})"
    return "subexpressionElimination(toMem)", g.rng.choice([
        f"zip({part} |> map({f}))({part})", f"map(fun({v}: {text_of(t)} => zip({part})({part})))({x})"])


@refused("subexpressionElimination")
def named_part_refused(g):
    v, n = g.fresh("v"), g.count()
    x, _, _, _ = matrix(g, g.size(), n, INT)
    body = g.rng.choice(["mapSeq(id)({})", "toMem(Global)({})"])
    return "subexpressionElimination(toMem)", f"map(fun({v}: {text_of(array(n, INT))} => {body.format(v)}))({x})"


@law("toReduceSeq", "toReduceSeqUnroll")
def to_reduce(g):
    op, unit, t = g.reduction()
    return "{}" + g.rng.choice(["", "(Global)"]), f"reduce({op})({unit})({g.parameter(array(g.size(), t))})"


@law("unroll")
def unroll(g):
    x = g.parameter(array(g.size(), INT))
    return "unroll", g.rng.choice([f"mapSeq({steps(g, 2)})({x})", f"reduceSeq({g.fold(INT, BOOL)})(true)({x})"])


@refused("unroll")
def unroll_refused(g):
    return "unroll", f"mapPar({steps(g, 2)})({g.parameter(array(g.size(), INT))})"
