# SPDX-License-Identifier: MIT
"""Instances of the laws about vectors, about elements that are not said, and about other roundings, as laws.py has the others."""
from instances import BOOL, FLOAT, INT, array, literal, text_of
from registry import law, matrix, not_divided, refused, row


def width(g):
    return g.rng.choice([literal(2), literal(4)])


def lane(g):
    return g.rng.choice([INT, FLOAT, BOOL])


def numbers(g, k, elem=None):
    return g.parameter(array(g.size() * k, elem or lane(g)))


def lanes(k):
    return f"asVector({k.text}) |> asScalar"


def partial(g):
    """A function that has no value for 0, which its condition keeps away."""
    v = g.fresh("v")
    return f"fun({v}: i32 => if {v} == 0 then 0 else 7 {g.rng.choice('/%')} {v})"


# ---- views


@law("after")
def after(g):
    k = width(g)
    return f"after({k.text})", numbers(g, k)


@refused("after")
def after_refused(g):
    n, k = not_divided(g)
    return f"(isMap ; after({k}))", f"map({g.function(INT, INT, [])})({g.parameter(array(n, INT))})"


@law("afterBy")
def after_by(g):
    k = width(g)
    return f"afterBy({k.text})", f"id({numbers(g, k)})"


@law("tail")
def tail(g):
    k = width(g)
    rest = literal(g.rng.randrange(k.value))
    return f"tail({k.text})", g.parameter(array(g.size() * k + rest, lane(g)))


@refused("tail")
def tail_refused(g):
    x = g.parameter(array(g.known_sizes[0], INT))
    return "(isMap ; tail(2))", f"map({g.function(INT, INT, [])})({x})"


@law("tailBy")
def tail_by(g):
    k = width(g)
    rest = literal(g.rng.randrange(k.value))
    return f"tailBy({k.text}, {rest.text})", f"id({g.parameter(array(g.size() * k + rest, lane(g)))})"


@law("asScalarAsVectorId")
def as_scalar_as_vector(g):
    k = width(g)
    aligned = g.rng.choice(["", "Aligned"])
    again = g.rng.choice(["", f" |> {lanes(k)}"])
    return "asScalarAsVectorId", f"{numbers(g, k)} |> asVector{aligned}({k.text}) |> asScalar{again}"


@refused("asScalarAsVectorId")
def as_scalar_as_vector_refused(g):
    v = g.fresh("v")
    return "asScalarAsVectorId", f"{numbers(g, literal(4), INT)} |> asVector(4) |> map(fun({v} => {v} + {v})) |> asScalar"


@law("asScalarOutsideZip")
def outside_zip(g):
    k, n = width(g), g.size()
    x, y = g.parameter(array(n * k, lane(g))), g.parameter(array(n * k, lane(g)))
    return "asScalarOutsideZip", f"zip({x} |> {lanes(k)})({y} |> {lanes(k)})"


@refused("asScalarOutsideZip")
def outside_zip_refused(g):
    n = g.size() * literal(4)
    x, y = g.parameter(array(n, INT)), g.parameter(array(n, INT))
    return "asScalarOutsideZip", f"zip({x} |> {lanes(literal(2))})({y} |> {lanes(literal(4))})"


@law("asScalarOutsidePair")
def outside_pair(g):
    k, m = width(g), width(g)
    return "asScalarOutsidePair", f"({numbers(g, k)} |> {lanes(k)}, {numbers(g, m)} |> {lanes(m)})"


@refused("asScalarOutsidePair")
def outside_pair_refused(g):
    return "asScalarOutsidePair", f"({numbers(g, literal(2))} |> {lanes(literal(2))}, {numbers(g, literal(2))})"


# ---- maps and reductions


@law("beforeMap")
def before_map(g):
    k, s = width(g), lane(g)
    return "beforeMap", f"map({g.function(s, lane(g), [])})({numbers(g, k, s)}) |> {lanes(k)}"


@law("beforeMap")
def before_map_of_pairs(g):
    k, n, s, t = width(g), g.size(), lane(g), lane(g)
    x, y = g.parameter(array(n * k, s)), g.parameter(array(n * k, t))
    f = g.function(("pair", s, t), lane(g), [])
    return "beforeMap", f"map({f})(zip({x})({y})) |> {lanes(k)}"


@refused("beforeMap")
def before_map_refused(g):
    k, v = width(g), g.fresh("v")
    f = g.rng.choice([partial(g), f"fun({v}: i32 => reduceSeq(add)({v})([1, 2]))"])
    return "beforeMap", f"map({f})({numbers(g, k, INT)}) |> {lanes(k)}"


@law("beforeMapReduce")
def before_map_reduce(g):
    op, unit, t = g.reduction()
    k, m = width(g), g.size()
    x = matrix(g, g.size() * k, m, t)[0]
    fold = g.rng.choice([f"reduce({op})({unit})", f"reduceSeq({g.fold(t, INT, [])})(1)"])
    return "beforeMapReduce", f"map({row(g, array(m, t), lambda r: f'{fold}({r})')})({x}) |> {lanes(k)}"


@refused("beforeMapReduce")
def before_map_reduce_refused(g):
    k, m = width(g), literal(2)
    x = matrix(g, g.size() * k, m, INT)[0]
    start = row(g, array(m, INT), lambda r: f"reduceSeq(add)(idx(lidx(0, 2))({r}))({r})")
    return "beforeMapReduce", f"map({start})({x}) |> {lanes(k)}"


@law("vectorReduce")
def vector_reduce(g):
    op, unit, t = g.reduction()
    k = width(g)
    return f"vectorReduce({k.text})", f"reduce({op})({unit})({numbers(g, k, t)})"


@refused("vectorReduce")
def vector_reduce_refused(g):
    n, k = not_divided(g)
    a, b = g.fresh("a"), g.fresh("b")
    x = g.parameter(array(n, INT))
    y = numbers(g, literal(2), INT)
    return g.rng.choice([
        (f"vectorReduce({k})", f"reduce(add)(0)({x})"), ("vectorReduce(3)", f"reduce(add)(0)({x})"),
        ("vectorReduce(2)", f"reduce(fun({a}: i32 => fun({b}: i32 => max({a})({b} + {b}))))(0)({y})")])


# ---- elements that are not said are taken off again


def padded(g, term, length):
    return f"{term} |> padEmpty({g.rng.choice([0, 1, 3])}) |> take({length.text})"


@law("padEmptyNothing")
def pad_nothing(g):
    return "padEmptyNothing", f"padEmpty(0)({g.parameter(array(g.size(), INT))})"


@law("padEmptyBeforeTranspose")
def pad_transpose(g):
    m = g.count()
    x = matrix(g, g.size(), m, INT)[0]
    return "padEmptyBeforeTranspose", padded(g, f"{x} |> transpose", m)


@law("padEmptyBeforeZip")
def pad_zip(g):
    n = g.count()
    return "padEmptyBeforeZip", padded(g, f"zip({g.parameter(array(n, INT))})({g.parameter(array(n, FLOAT))})", n)


@law("padEmptyBeforeSlide")
def pad_slide(g):
    size, step, n = literal(g.rng.choice([1, 2, 3])), literal(g.rng.choice([1, 2])), g.size()
    x = g.parameter(array(step * n + size, INT))
    return "padEmptyBeforeSlide", padded(g, f"{x} |> slide({size.text})({step.text})", n + literal(1))


@law("padEmptyBeforeTake")
def pad_take(g):
    n = g.count()
    return "padEmptyBeforeTake", padded(g, f"{g.parameter(array(n + g.size(), INT))} |> take({n.text})", n)


@law("padEmptyBeforeMap")
def pad_map(g):
    n = g.count()
    return "padEmptyBeforeMap", padded(g, f"map({g.function(INT, g.data(), [])})({g.parameter(array(n, INT))})", n)


@refused("padEmptyBeforeMap")
def pad_map_refused(g):
    n = g.count()
    return "padEmptyBeforeMap", padded(g, f"map({partial(g)})({g.parameter(array(n, INT))})", n)


@refused("padEmptyNothing")
def pad_something(g):
    n = g.count()
    return "padEmptyNothing", f"padEmpty(1)({g.parameter(array(n, INT))}) |> take({n.text})"


# ---- other roundings, where nothing is rounded


@law("useFma")
def use_fma(g):
    v = g.fresh("v")
    body = g.rng.choice(["{0} * {0} + 1.0f", "2.0f + {0} * 3.0f"]).format(v)
    if g.rng.random() < 0.5:
        return "useFma", f"map(fun({v}: f32 => {body}))({g.parameter(array(g.size(), FLOAT))})"
    k = width(g)
    body = g.rng.choice(["{0} * {0} + {0}", "{0} + {0} * {0}"]).format(v)
    return "useFma", f"{numbers(g, k, FLOAT)} |> asVector({k.text}) |> map(fun({v}: Vec[{k.text}, f32] => {body})) |> asScalar"


@refused("useFma")
def use_fma_refused(g):
    v, t = g.fresh("v"), text_of(INT)
    return "useFma", f"map(fun({v}: {t} => {v} * {v} + 1))({g.parameter(array(g.size(), INT))})"


@law("useRsqrt")
def use_rsqrt(g):
    v, k = g.fresh("v"), width(g)
    if g.rng.random() < 0.5:
        return "useRsqrt", f"map(fun({v}: f32 => 1.0f / sqrt({v})))({g.parameter(array(g.size(), FLOAT))})"
    body = f"vectorFromScalar(1.0f) / sqrt({v})"
    return "useRsqrt", f"{numbers(g, k, FLOAT)} |> asVector({k.text}) |> map(fun({v}: Vec[{k.text}, f32] => {body})) |> asScalar"


@refused("useRsqrt")
def use_rsqrt_refused(g):
    v = g.fresh("v")
    return "useRsqrt", f"map(fun({v}: f32 => 2.0f / sqrt({v})))({g.parameter(array(g.size(), FLOAT))})"
