# SPDX-License-Identifier: MIT
"""Laws of loops, of padding, and of what moves past cuts and windows."""
from instances import BOOL, INT, Size, array, literal, text_of
from registry import law, mapped, matrix, refused, row, steps


# ---- loops


@law("loopInterchange")
def loop_interchange(g):
    a, b, c = g.data(), g.data(), g.data()
    x, y = g.parameter(array(g.size(), a)), g.parameter(array(g.size(), b))
    u, v = g.fresh("v"), g.fresh("v")
    body = g.expr(g.parameters + [(u, a), (v, b)], c)
    return "loopInterchange", f"map(fun({u}: {text_of(a)} => map(fun({v}: {text_of(b)} => {body}))({y})))({x})"


@refused("loopInterchange")
def loop_interchange_refused(g):
    x, _, m, _ = matrix(g, elem=INT)
    return "loopInterchange", f"map({row(g, array(m, INT), lambda r: f'map({steps(g, 2)})({r})')})({x})"


@law("letOutsideMap")
def let_outside_map(g):
    a, b, c = g.data(), g.data(), g.data()
    x, y = g.parameter(array(g.size(), a)), g.parameter(b)
    u, v = g.fresh("v"), g.fresh("v")
    value = g.expr([(y, b)], b)
    body = g.expr([(u, a), (v, b)], c)
    return "letOutsideMap", f"map(fun({u}: {text_of(a)} => let {v} = {value}; {body}))({x})"


@refused("letOutsideMap")
def let_outside_map_refused(g):
    x, u = g.parameter(array(g.size(), INT)), g.fresh("v")
    return "letOutsideMap", f"map(fun({u}: i32 => let w1 = {u} + 1; w1 * w1))({x})"


# ---- padding


def pads(g):
    return g.size(), g.size(), g.size() + literal(1)


@law("mapFBeforePadClamp")
def map_before_pad(g):
    l, r, n = pads(g)
    return "mapFBeforePadClamp", f"{mapped(g, n)} |> padClamp({l.text})({r.text})"


@law("padClampBeforeMapF")
def pad_before_map(g):
    (l, r, n), s = pads(g), g.data()
    x = g.parameter(array(n, s))
    return "padClampBeforeMapF", f"{x} |> padClamp({l.text})({r.text}) |> map({g.function(s, g.data())})"


@law("padCstBeforeMapF")
def constant_pad_before_map(g):
    l, r, n, s = g.size(), g.size(), g.size(), g.data()
    x, c = g.parameter(array(n, s)), g.parameter(s)
    return "padCstBeforeMapF", f"{x} |> padCst({l.text})({r.text})({c}) |> map({g.function(s, g.data())})"


@law("padClampInZip")
def pad_in_zip(g):
    l, r, n = pads(g)
    x, y = g.parameter(array(n, g.data())), g.parameter(array(n, g.data()))
    return "padClampInZip", f"zip({x})({y}) |> padClamp({l.text})({r.text})"


@law("padClampOutsideZip")
def pad_outside_zip(g):
    l, r, n = pads(g)
    x, y = g.parameter(array(n, g.data())), g.parameter(array(n, g.data()))
    pad = f"padClamp({l.text})({r.text})"
    return "padClampOutsideZip", f"zip({x} |> {pad})({y} |> {pad})"


@refused("padClampOutsideZip")
def pad_outside_zip_refused(g):
    x, y = g.parameter(array(literal(3), INT)), g.parameter(array(literal(3), INT))
    return "padClampOutsideZip", f"zip({x} |> padClamp(1)(2))({y} |> padClamp(2)(1))"


@refused("mapFBeforePadClamp", "padClampBeforeMapF", "padCstBeforeMapF", "padClampInZip", "padNothing")
def of_pads_refused(g):
    x = g.parameter(array(literal(3), INT))
    return "{}", g.rng.choice([f"{x} |> mapSeq(id) |> padClamp(1)(0)", f"{x} |> padCst(0)(1)(4i32) |> mapSeq(id)"])


@law("padNothing")
def pad_nothing(g):
    x, c = g.parameter(array(g.size() + literal(1), INT)), g.parameter(INT)
    return "padNothing", f"{x} |> {g.rng.choice(['padClamp(0)(0)', f'padCst(0)(0)({c})'])}"


@law("padToInterior")
def pad_to_interior(g):
    l, r, size, t = g.count(), g.count(), g.count(), g.data(0)
    x = g.parameter(array(g.size() + size, t))
    f = g.function(array(size, t), g.data())
    return "padToInterior", f"{x} |> padClamp({l.text})({r.text}) |> slide({size.text})(1) |> map({f})"


@refused("padToInterior")
def pad_to_interior_refused(g):
    x = g.parameter(array(literal(2), INT))
    pad, window = g.rng.choice([("padClamp(0)(1)", 2), ("padClamp(1)(0)", 2), ("padClamp(2)(1)", 3)])
    return "padToInterior", f"{x} |> {pad} |> slide({window})(1) |> map(reduce(add)(0))"


# ---- the rest of moving


@law("takeOfTake", "dropOfDrop")
def of_cut_twice(g):
    a, b, c = g.size(), g.size(), g.size()
    x = g.parameter(array(a + b + c, g.data()))
    first, second = ((a + b).text, a.text) if g.name == "takeOfTake" else (a.text, b.text)
    cut = g.name[:4]
    return "{}", f"{x} |> {cut}({first}) |> {cut}({second})"


@law("joinBeforeTake", "joinBeforeDrop")
def join_before_cut(g):
    n, m, r = g.size(), g.count(), g.size()
    x, _, _, _ = matrix(g, n + r, m)
    return "{}", f"{x} |> join |> {g.name[10:].lower()}({(n * m).text})"


@refused("joinBeforeTake", "joinBeforeDrop", "takeOfTake", "dropOfDrop")
def join_before_cut_refused(g):
    x, _, _, _ = matrix(g, literal(3), literal(2), INT)
    return "{}", f"{x} |> join |> {g.rng.choice(['take', 'drop'])}({g.rng.choice('135')})"


@law("zipFstAfter", "zipSndAfter")
def zip_after(g):
    return "{}", g.parameter(array(g.size(), g.data()))


@law("slideAfter")
def slide_after(g):
    return "slideAfter", g.parameter(array(g.size() + literal(1), g.data()))


@refused("slideAfter")
def slide_after_refused(g):
    x = g.parameter(array(g.rng.choice([literal(0), g.known_sizes[0]]), INT))
    return f"(equals({x}) ; slideAfter)", x


@law("slideBeforeSplit")
def slide_before_split(g):
    size, step, k, many = g.size(), g.count(), g.count(), g.count()
    length = step * (g.size() * k) + size
    # the number of windows is a multiple of k: one less is what the type says
    rest = {"1": literal(0), "2": literal(1), "3": literal(2)}.get(k.text)
    if rest is None:
        k, rest = literal(2), literal(1)
    x = g.parameter(array(step * (many * k + rest) + size, g.data()))
    return "slideBeforeSplit", f"{x} |> slide({size.text})({step.text}) |> split({k.text})"


@refused("slideBeforeSplit")
def slide_before_split_refused(g):
    x = g.parameter(array(literal(8), INT))
    return "slideBeforeSplit", f"{x} |> slide(2)(2) |> mapSeq(id) |> split(2)"


@law("slideBeforeTake")
def slide_before_take(g):
    size, step, t, r = g.size(), g.count(), g.size(), g.size()
    x = g.parameter(array(step * (t + r) + size, g.data()))
    return "slideBeforeTake", f"{x} |> slide({size.text})({step.text}) |> take({(t + literal(1)).text})"


@refused("slideBeforeTake")
def slide_before_take_refused(g):
    x = g.parameter(array(literal(6), INT))
    return "slideBeforeTake", f"{x} |> slide(2)(1) |> take(0)"


@law("slideBeforeDrop")
def slide_before_drop(g):
    size, step, d, r = g.size(), g.count(), g.size(), g.size()
    x = g.parameter(array(step * (d + r) + size, g.data()))
    return "slideBeforeDrop", f"{x} |> slide({size.text})({step.text}) |> drop({d.text})"


@refused("slideBeforeDrop")
def slide_before_drop_refused(g):
    x = g.parameter(array(literal(5), INT))
    return "slideBeforeDrop", f"{x} |> slide(2)(1) |> drop(4)"


@law("slideTile", "slideTileBy")
def slide_tile(g):
    size, step, more, many = g.rng.randrange(1, 4), g.rng.randrange(1, 4), g.rng.randrange(0, 3), g.size()
    tile = size + step * more
    length = literal(step * (more + 1)) * many + literal(tile)
    parameter = tile if g.name == "slideTile" else more
    return f"{{}}({parameter})", f"{g.parameter(array(length, g.data()))} |> slide({size})({step})"


@refused("slideTile", "slideTileBy")
def slide_tile_refused(g):
    x = g.parameter(array(literal(6), INT))
    if g.name == "slideTileBy":
        return "slideTileBy(2)", f"{x} |> slide(2)(1)"
    return g.rng.choice([("slideTile(4)", f"{x} |> slide(2)(1)"), ("slideTile(3)", f"{x} |> slide(2)(2)"),
                         ("slideTile(1)", f"{x} |> slide(2)(1)")])


@law("reduceMapFission")
def reduce_map_fission(g):
    op, unit, t = g.reduction()
    s, a, v = g.data(), g.fresh("a"), g.fresh("v")
    x = g.parameter(array(g.size(), s))
    g_of_v = g.expr(g.parameters + [(v, s)], t)
    fold = f"fun({a}: {text_of(t)} => fun({v}: {text_of(s)} => {op}({a})({g_of_v})))"
    return "reduceMapFission", f"reduceSeq({fold})({unit})({x})"


@refused("reduceMapFission")
def reduce_map_fission_refused(g):
    x = g.parameter(array(g.size(), INT))
    return "reduceMapFission", g.rng.choice([f"reduceSeq(sub)(0)({x})", f"reduceSeq(add)(1)({x})", f"reduceSeq(mul)(0)({x})",
                                             f"reduceSeq(fun(a, v => a + v * a))(0)({x})"])


@law("treeReduce")
def tree_reduce(g):
    op, unit, t = g.reduction()
    k, p = g.rng.choice([(2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 2), (4, 1)])
    return f"treeReduce({k})", f"reduce({op})({unit})({g.parameter(array(literal(k ** p), t))})"


@refused("treeReduce")
def tree_reduce_refused(g):
    n, k = g.rng.choice([("6", 2), ("0", 2), ("4", 1), ("n", 2)])
    x = g.parameter(array(literal(int(n)) if n != "n" else g.known_sizes[0], INT))
    return f"treeReduce({k})", f"reduce(add)(0)({x})"


# ---- choices of arrays


def choice(g, n, elem):
    c, x, y = g.parameter(BOOL), g.parameter(array(n, elem)), g.parameter(array(n, elem))
    return f"(if {c} then {x} else {y})"


@law("takeInSelect", "dropInSelect")
def cut_of_choice(g):
    n, t = g.size(), g.data()
    return "{}", f"{choice(g, n + g.size(), t)} |> {g.name[:4]}({n.text})"


@law("takeOutsideSelect", "dropOutsideSelect")
def choice_of_cuts(g):
    n, m, t = g.size(), g.size(), g.data()
    c, x, y = g.parameter(BOOL), g.parameter(array(n + m, t)), g.parameter(array(n + m, t))
    cut = f"{g.name[:4]}({n.text})"
    return "{}", f"if {c} then ({x} |> {cut}) else ({y} |> {cut})"


@law("mapInSelect")
def map_of_choice(g):
    t = g.data()
    return "mapInSelect", f"{choice(g, g.size(), t)} |> map({g.function(t, g.data())})"


@law("mapOutsideSelect")
def choice_of_maps(g):
    n, t = g.size(), g.data()
    c, x, y = g.parameter(BOOL), g.parameter(array(n, t)), g.parameter(array(n, t))
    f = g.function(t, g.data())
    return "mapOutsideSelect", f"if {c} then (map({f})({x})) else (map({f})({y}))"


@refused("takeInSelect", "dropInSelect", "mapInSelect", "takeOutsideSelect", "dropOutsideSelect", "mapOutsideSelect")
def of_choice_refused(g):
    c, x, y = g.parameter(BOOL), g.parameter(array(literal(3), INT)), g.parameter(array(literal(3), INT))
    return "{}", g.rng.choice([f"if {c} then (take(1)({x})) else (drop(2)({y}))", f"if {c} then (map(abs)({x})) else (map(neg)({y}))",
                               f"if {c} then (mapSeq(abs)({x})) else {y}"])


# ---- zip, and what is behind it


@law("slideOutsideZip")
def slide_outside_zip(g):
    size, step, p = g.count(), g.count(), g.fresh("p")
    n = step * g.size() + size
    x, y = g.parameter(array(n, g.data())), g.parameter(array(n, g.data()))
    window = f"slide({size.text})({step.text})"
    return "slideOutsideZip", f"zip({window}({x}))({window}({y})) |> map(fun({p} => zip({p}.1)({p}.2)))"


@refused("slideOutsideZip")
def zipped_refused(g):
    x, y, p = g.parameter(array(literal(5), INT)), g.parameter(array(literal(5), INT)), g.fresh("p")
    other = f"zip(slide(2)(1)({x}))(slide(2)(1)({y})) |> map(fun({p} => zip({p}.2)({p}.1)))"
    return "{}", g.rng.choice([other, f"zip({x})({y}) |> map(fun({p} => ({p}.1, {p}.2 + {p}.1)))"])


# ---- steps


@law("iterateOrFirst")
def iterate_or_first(g):
    """Some of the numbers of steps are 0."""
    steps = g.rng.choice([size for size in g.known_sizes if size.text != "p"])
    base, result, elem = g.rng.choice([1, 2, 2, 3]), g.size(), g.scalar()
    length = Size(f"({result.text} * {base}^{steps.text})", result.value * base**steps.value)
    x, row = g.parameter(array(length, elem)), g.fresh("r")
    step = g.expr([(row, array(literal(base), elem))], elem)
    each = f"fun(z: (l * {base}).{text_of(elem)} => split({base})(z) |> map(fun({row} => {step})))"
    return "iterateOrFirst", f"{x} |> iterate({steps.text})(depFun((l: Nat) => {each}))"


@refused("iterateOrFirst")
def iterate_or_first_refused(g):
    k, p = g.rng.choice(["0", "1", "3"]), g.parameter(array(g.size(), INT))
    return "iterateOrFirst", f"{p} |> iterate({k})(depFun((l: Nat) => fun(z: l.i32 => z |> map(abs))))"
