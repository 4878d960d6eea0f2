# SPDX-License-Identifier: MIT
"""Laws of plug/rise/with/elevate.mim, and rules in C++, that divide, fuse, reduce, transpose and move: random terms where each fires, and
random terms where it must not."""
from instances import INT, array, literal, pair
from registry import law, mapped, matrix, not_divided, refused, row, steps


# ---- divide and fuse


@law("splitJoin")
def split_join(g):
    k = g.count()
    return f"splitJoin({k.text})", mapped(g, g.size() * k)


@refused("splitJoin")
def split_join_refused(g):
    n, k = not_divided(g)
    x = g.parameter(array(n, INT))
    return f"splitJoin({k})", f"map({g.function(INT, INT, [])})({x})"


@law("splitJoin2")
def split_join_2(g):
    k = g.count()
    return f"splitJoin2({k.text})", g.parameter(array(g.size() * k, g.data()))


@refused("splitJoin2")
def split_join_2_refused(g):
    n, _ = not_divided(g)
    return "splitJoin2(97)", g.parameter(array(n, INT))  # the rule fits any array: 97 divides no length of those around this one either


@law("splitJoinId")
def split_join_id(g):
    k = g.count()
    return "splitJoinId", f"{g.parameter(array(g.size() * k, g.data()))} |> split({k.text}) |> join"


@refused("splitJoinId")
def split_join_id_refused(g):
    k = g.count()
    return "splitJoinId", f"{g.parameter(array(g.size() * k, INT))} |> split({k.text}) |> map(id) |> join"


@law("joinSplitId")
def join_split_id(g):
    x, _, m, _ = matrix(g, m=g.count())
    return "joinSplitId", f"{x} |> join |> split({m.text})"


@refused("joinSplitId")
def join_split_id_refused(g):
    x, _, _, _ = matrix(g, literal(3), literal(4))
    return "joinSplitId", f"{x} |> join |> split({g.rng.choice('1236')})"


@law("mapFusion")
def map_fusion(g):
    a, b, c, n = g.data(), g.data(), g.data(), g.size()
    return "mapFusion", f"map({g.function(b, c)})({mapped(g, n, a, b)})"


@refused("mapFusion")
def map_fusion_refused(g):
    n = g.size()
    return "mapFusion", f"{g.parameter(array(n, INT))} |> mapSeq({g.function(INT, INT, [])}) |> map({g.function(INT, INT, [])})"


@law("mapLastFission", "mapFirstFission", "mapFullFission")
def map_fission(g):
    x = g.parameter(array(g.size(), INT))
    return "{}", f"map({steps(g, g.rng.choice([2, 3, 4]))})({x})"


@law("mapLastFission", "mapFirstFission", "mapFullFission")
def map_fission_of_arrays(g):
    n, m = g.size(), g.count()
    x = g.parameter(array(n, array(m, INT)))
    inner = f"{row(g, array(m, INT), lambda r: f'map({steps(g, 1)})({r} |> map({steps(g, 1)}))')}"
    return "{}", f"map({inner})({x})"


@refused("mapLastFission", "mapFirstFission", "mapFullFission")
def map_fission_refused(g):
    x, v = g.parameter(array(g.size(), INT)), g.fresh("v")
    body = g.rng.choice(["({0} * {0})", "neg({0})", "({0} + ({0} - 1))", "{0}"]).format(v)
    return "{}", f"map(fun({v}: i32 => {body}))({x})"


@law("mapFstFusion")
def map_fst_fusion(g):
    a, b, c, d = g.data(), g.data(), g.data(), g.data()
    return "mapFstFusion", f"mapFst({g.function(b, c)})(mapFst({g.function(a, b)})({g.parameter(pair(a, d))}))"


@law("mapSndFusion")
def map_snd_fusion(g):
    a, b, c, d = g.data(), g.data(), g.data(), g.data()
    return "mapSndFusion", f"mapSnd({g.function(b, c)})(mapSnd({g.function(a, b)})({g.parameter(pair(d, a))}))"


@refused("mapFstFusion", "mapSndFusion")
def map_pair_fusion_refused(g):
    p = g.parameter(pair(INT, INT))
    return "{}", f"mapFst({g.function(INT, INT, [])})(mapSnd({g.function(INT, INT, [])})({p}))"


@law("fuseReduceMap")
def fuse_reduce_map(g):
    op, unit, t = g.reduction()
    return "fuseReduceMap" + g.rng.choice(["", "(Global)"]), f"reduce({op})({unit})({mapped(g, g.size(), None, t)})"


@law("fuseReduceMap", "fuseReduceSeqMap")
def fuse_fold_map(g):
    s, t, n = g.data(), g.data(), g.size()
    start = g.expr(g.parameters, t)
    return "{}", f"reduceSeq({g.fold(s, t)})({start})({mapped(g, n, None, s)})"


@refused("fuseReduceSeqMap")
def fuse_fold_map_refused(g):
    op, unit, t = g.reduction()
    return "fuseReduceSeqMap", f"reduce({op})({unit})({mapped(g, g.size(), None, t)})"


@refused("fuseReduceMap", "fuseReduceSeqMap")
def fuse_reduce_map_refused(g):
    op, unit, t = g.reduction()
    return "{}", f"{g.parameter(array(g.size(), t))} |> mapSeq(id) |> reduce({op})({unit})"


# ---- reductions


@law("blockedReduce", "stridedReduce")
def blocked_reduce(g):
    k, (op, unit, t) = g.count(), g.reduction()
    return f"{{}}({k.text})", f"reduce({op})({unit})({g.parameter(array(g.size() * k, t))})"


@refused("blockedReduce", "stridedReduce")
def blocked_reduce_refused(g):
    n, k = not_divided(g)
    return f"{{}}({k})", f"reduce(add)(0)({g.parameter(array(n, INT))})"


@refused("blockedReduce", "fuseReduceMap", "toReduceSeq", "toReduceSeqUnroll")
def of_fold(g):
    x = g.parameter(array(literal(4), INT))
    return "{}" if g.name != "blockedReduce" else "{}(2)", f"reduceSeq(sub)(0)({x})"


@refused("stridedReduce")
def strided_reduce_refused(g):
    x = g.parameter(array(g.size() * literal(2), INT))
    return "stridedReduce(2)", f"reduce(fun(a, b => a))(0)({x})"


@law("blockedFold")
def blocked_fold(g):
    k, s, t = g.count(), g.data(), g.data()
    x = g.parameter(array(g.size() * k, s))
    return f"blockedFold({k.text})", f"reduceSeq({g.fold(s, t)})({g.expr(g.parameters, t)})({x})"


@refused("blockedFold")
def blocked_fold_refused(g):
    n, k = not_divided(g)
    return f"blockedFold({k})", f"reduceSeq(sub)(0)({g.parameter(array(n, INT))})"


@law("liftReduce")
def lift_reduce(g):
    op, unit, t = g.reduction()
    x, _, m, _ = matrix(g, elem=t)
    return "liftReduce", f"map({row(g, array(m, t), lambda r: f'reduce({op})({unit})({r})')})({x})"


@law("liftReduce")
def lift_fold(g):
    s, t = g.data(), g.data()
    x, _, m, _ = matrix(g, elem=s)
    fold, start = g.fold(s, t), g.expr(g.parameters, t)
    return "liftReduce", f"map({row(g, array(m, s), lambda r: f'reduceSeq({fold})({start})({r})')})({x})"


@refused("liftReduce")
def lift_reduce_refused(g):
    x, _, m, _ = matrix(g, literal(3), literal(2), INT)
    start = g.rng.choice(["idx(lidx(0, 2))({})", "reduce(add)(0)({})"])
    return "liftReduce", f"map({row(g, array(m, INT), lambda r: f'reduceSeq(sub)({start.format(r)})({r})')})({x})"


@refused("liftReduce")
def lift_reduce_refused_operator(g):
    x, _, m, _ = matrix(g, literal(3), literal(2), INT)
    fold = "reduceSeq(fun(a, v => a + v * idx(lidx(0, 2))({0})))(0)({0})"
    return "liftReduce", f"map({row(g, array(m, INT), lambda r: fold.format(r))})({x})"


# ---- transposition


@law("removeTransposePair")
def remove_transpose_pair(g):
    return "removeTransposePair", f"{matrix(g)[0]} |> transpose |> transpose"


@refused("removeTransposePair")
def remove_transpose_pair_refused(g):
    return "removeTransposePair", f"{matrix(g)[0]} |> transpose |> map(id) |> transpose"


@law("createTransposePair")
def create_transpose_pair(g):
    return "createTransposePair", matrix(g)[0]


def map_map(g, n, m, source=None):
    source = source or g.data()
    f = g.function(source, g.data())
    return row(g, array(m, source), lambda r: f"map({f})({r})"), source


@law("mapMapFBeforeTranspose")
def map_map_before_transpose(g):
    x, n, m, s = matrix(g)
    return "mapMapFBeforeTranspose", f"{x} |> map({map_map(g, n, m, s)[0]}) |> transpose"


@law("transposeBeforeMapMapF")
def transpose_before_map_map(g):
    x, n, m, s = matrix(g)
    return "transposeBeforeMapMapF", f"{x} |> transpose |> map({map_map(g, m, n, s)[0]})"


def uses_row(g, size):
    """A map over the row that it reads elsewhere."""
    return row(g, array(size, INT), lambda r: f"map(fun(v => v + idx(lidx(0, {size.text}))({r})))({r})")


@refused("mapMapFBeforeTranspose")
def map_map_before_transpose_refused(g):
    x, _, _, _ = matrix(g, literal(3), literal(2), INT)
    return "mapMapFBeforeTranspose", f"{x} |> map({uses_row(g, literal(2))}) |> transpose"


@refused("transposeBeforeMapMapF")
def transpose_before_map_map_refused(g):
    x, _, _, _ = matrix(g, literal(3), literal(2), INT)
    return "transposeBeforeMapMapF", f"{x} |> transpose |> map({uses_row(g, literal(3))})"


@law("transposeBeforeSplit")
def transpose_before_split(g):
    k = g.count()
    x, _, _, _ = matrix(g, m=g.size() * k)
    return "transposeBeforeSplit", f"{x} |> transpose |> split({k.text})"


@law("transposeBeforeMapSplit")
def transpose_before_map_split(g):
    k = g.count()
    x, _, _, _ = matrix(g, n=g.size() * k)
    return "transposeBeforeMapSplit", f"{x} |> transpose |> map(split({k.text}))"


@law("mapSplitBeforeTranspose")
def map_split_before_transpose(g):
    k = g.count()
    x, _, _, _ = matrix(g, m=g.size() * k)
    return "mapSplitBeforeTranspose", f"{x} |> map(split({k.text})) |> transpose"


CUBES = {"joinBeforeTranspose": "join |> transpose", "transposeBeforeMapJoin": "transpose |> map(join)",
         "mapTransposeBeforeJoin": "map(transpose) |> join", "mapJoinBeforeTranspose": "map(join) |> transpose",
         "joinBeforeJoin": "join |> join", "mapJoinBeforeJoin": "map(join) |> join"}


@law(*CUBES)
def of_cube(g):
    x = g.parameter(array(g.size(), array(g.size(), array(g.size(), g.data()))))
    return "{}", f"{x} |> {CUBES[g.name]}"


@refused(*CUBES, "transposeBeforeSplit", "transposeBeforeMapSplit", "mapSplitBeforeTranspose")
def of_cube_refused(g):
    x = g.parameter(array(g.size(), array(g.size(), array(g.size(), INT))))
    return "{}", f"{x} |> {g.rng.choice(['map(map(id))', 'transpose', 'join'])}"


# ---- moving maps


@law("mapFBeforeSplit")
def map_before_split(g):
    k = g.count()
    return "mapFBeforeSplit", f"{mapped(g, g.size() * k)} |> split({k.text})"


@law("splitBeforeMapMapF")
def split_before_map_map(g):
    k, s = g.count(), g.data()
    x = g.parameter(array(g.size() * k, s))
    return "splitBeforeMapMapF", f"{x} |> split({k.text}) |> map({map_map(g, None, k, s)[0]})"


@refused("splitBeforeMapMapF")
def split_before_map_map_refused(g):
    x = g.parameter(array(literal(6), INT))
    return "splitBeforeMapMapF", f"{x} |> split(2) |> map({uses_row(g, literal(2))})"


@law("joinBeforeMapF")
def join_before_map(g):
    x, _, _, s = matrix(g)
    return "joinBeforeMapF", f"{x} |> join |> map({g.function(s, g.data())})"


@law("mapMapFBeforeJoin")
def map_map_before_join(g):
    x, n, m, s = matrix(g)
    return "mapMapFBeforeJoin", f"{x} |> map({map_map(g, n, m, s)[0]}) |> join"


@refused("mapMapFBeforeJoin")
def map_map_before_join_refused(g):
    x, _, _, _ = matrix(g, literal(3), literal(2), INT)
    return "mapMapFBeforeJoin", f"{x} |> map({uses_row(g, literal(2))}) |> join"


def windows(g):
    size, step = g.size(), g.count()
    return size, step, step * g.size() + size


@law("mapFBeforeSlide")
def map_before_slide(g):
    size, step, length = windows(g)
    return "mapFBeforeSlide", f"{mapped(g, length)} |> slide({size.text})({step.text})"


@law("slideBeforeMapMapF")
def slide_before_map_map(g):
    (size, step, length), s = windows(g), g.data()
    x = g.parameter(array(length, s))
    return "slideBeforeMapMapF", f"{x} |> slide({size.text})({step.text}) |> map({map_map(g, None, size, s)[0]})"


@refused("slideBeforeMapMapF")
def slide_before_map_map_refused(g):
    x = g.parameter(array(literal(6), INT))
    return "slideBeforeMapMapF", f"{x} |> slide(2)(1) |> map({uses_row(g, literal(2))})"


@refused("mapFBeforeSplit", "joinBeforeMapF", "mapFBeforeSlide", "mapBeforeTake", "mapBeforeDrop", "takeBeforeMap", "dropBeforeMap")
def of_other_map(g):
    x = g.parameter(array(literal(4), INT))
    after = g.rng.choice(["split(2) |> join", "slide(2)(1) |> join", "take(2)", "drop(1)"])
    return "{}", f"{x} |> mapSeq({g.function(INT, INT, [])}) |> {after} |> mapPar(id)"


@law("takeBeforeMap", "dropBeforeMap")
def cut_before_map(g):
    n, m, s = g.size(), g.size(), g.data()
    return "{}", f"{g.parameter(array(n + m, s))} |> {g.name[:4]}({n.text}) |> map({g.function(s, g.data())})"


@law("mapBeforeTake", "mapBeforeDrop")
def map_before_cut(g):
    n, m = g.size(), g.size()
    return "{}", f"{mapped(g, n + m)} |> {g.name[9:].lower()}({n.text})"


@law("takeInZip", "dropInZip")
def cut_in_zip(g):
    n, m = g.size(), g.size()
    x, y = g.parameter(array(n + m, g.data())), g.parameter(array(n + m, g.data()))
    return "{}", f"zip({x})({y}) |> {g.name[:4]}({n.text})"


@law("takeOutsideZip", "dropOutsideZip")
def cut_outside_zip(g):
    n, m = g.size(), g.size()
    x, y = g.parameter(array(n + m, g.data())), g.parameter(array(n + m, g.data()))
    return "{}", f"zip({x} |> {g.name[:4]}({n.text}))({y} |> {g.name[:4]}({n.text}))"


@refused("takeOutsideZip", "dropOutsideZip")
def cut_outside_zip_refused(g):
    x, y = g.parameter(array(literal(4), INT)), g.parameter(array(literal(3), INT))
    cut = {"take": ("take(2)", "take(2)"), "drop": ("drop(2)", "drop(1)")}[g.name[:4]]
    return "{}", f"zip({x} |> {cut[0]})({y} |> {cut[1]})"


@law("dropBeforeTake")
def drop_before_take(g):
    a, b, c = g.size(), g.size(), g.size()
    return "dropBeforeTake", f"{g.parameter(array(a + (b + c), g.data()))} |> drop({a.text}) |> take({b.text})"


@law("takeBeforeDrop")
def take_before_drop(g):
    a, b, c = g.size(), g.size(), g.size()
    return "takeBeforeDrop", f"{g.parameter(array(a + (b + c), g.data()))} |> take({(a + b).text}) |> drop({a.text})"


@refused("dropBeforeTake", "takeBeforeDrop", "takeInZip", "dropInZip")
def of_cuts_refused(g):
    x = g.parameter(array(literal(4), INT))
    return "{}", f"{x} |> {g.rng.choice(['take(2) |> take(1)', 'drop(1) |> drop(1)', 'map(id)'])}"


# ---- zip


@law("zipSame")
def zip_same(g):
    x = g.parameter(array(g.size(), g.data()))
    return "zipSame", f"zip({x})({x})"


@refused("zipSame", "zipUnzip", "unzipZip", "slideInZip", "mapOutsideZip")
def of_zip_refused(g):
    n = g.size()
    x, y = g.parameter(array(n, INT)), g.parameter(array(n, INT))
    return "{}", f"zip({x})(mapSeq(id)({y}))"


@law("zipSwap")
def zip_swap(g):
    n = g.size()
    x, y = g.parameter(array(n, g.data())), g.parameter(array(n, g.data()))
    return "zipSwap", f"zip({x})({y})"


@law("unzipZip")
def unzip_zip(g):
    n = g.size()
    x, y = g.parameter(array(n, g.data())), g.parameter(array(n, g.data()))
    return "unzipZip", f"unzip(zip({x})({y}))"


@law("zipUnzip")
def zip_unzip(g):
    x = g.parameter(array(g.size(), pair(g.data(), g.data())))
    return "zipUnzip", f"zip(fst(unzip({x})))(snd(unzip({x})))"


@refused("zipUnzip")
def zip_unzip_refused(g):
    n = g.size()
    x, y = g.parameter(array(n, pair(INT, INT))), g.parameter(array(n, pair(INT, INT)))
    return "zipUnzip", f"zip(fst(unzip({x})))(snd(unzip({y})))"


@law("slideInZip")
def slide_in_zip(g):
    size, step, length = windows(g)
    x, y = g.parameter(array(length, g.data())), g.parameter(array(length, g.data()))
    return "slideInZip", f"zip({x})({y}) |> slide({size.text})({step.text})"


@law("mapOutsideZip")
def map_outside_zip(g):
    n = g.size()
    return "mapOutsideZip", f"zip({mapped(g, n)})({g.parameter(array(n, g.data()))})"


# ---- windows


@law("slideBeforeSlide")
def slide_before_slide(g):
    size, step, outer, many, count = g.size(), g.count(), g.count(), g.size(), g.size()
    x = g.parameter(array(step * (outer * many + count) + size, g.data()))
    inner = f"slide({size.text})({step.text})"
    return "slideBeforeSlide", f"{x} |> {inner} |> slide({(count + literal(1)).text})({outer.text})"


@refused("slideBeforeSlide")
def slide_before_slide_refused(g):
    x = g.parameter(array(literal(6), INT))
    return "slideBeforeSlide", f"{x} |> slide(2)(1) |> map(mapSeq(id)) |> slide(0)(1)"


@refused("slideBeforeSlide")
def slide_of_nothing(g):
    x = g.parameter(array(literal(6), INT))
    return "slideBeforeSlide", f"{x} |> slide(2)(1) |> slide(0)(1)"


# ---- identities


@law("mapIdentity")
def map_identity(g):
    f = g.rng.choice(["id", "fun(v => v)"])
    return "mapIdentity", f"map({f})({g.parameter(array(g.size(), g.data()))})"


@refused("mapIdentity")
def map_identity_refused(g):
    return "mapIdentity", f"map({steps(g, 1)})({g.parameter(array(g.size(), INT))})"


@law("removeId", "liftId", "idToCopy")
def of_id(g):
    return "{}", f"id({g.parameter(array(g.size(), g.data()))})"


@refused("removeId", "liftId", "idToCopy")
def of_id_refused(g):
    return "{}", g.parameter(array(g.size(), INT))


@law("idAfter")
def id_after(g):
    return "idAfter", g.expr([(g.parameter(t), t) for t in [g.data(), g.data()]], g.data())


@law("dropNothing")
def drop_nothing(g):
    return "dropNothing", f"drop(0)({g.parameter(array(g.size(), g.data()))})"


@refused("dropNothing")
def drop_nothing_refused(g):
    k = g.count()
    return "dropNothing", f"drop({k.text})({g.parameter(array(g.size() + k, INT))})"


@law("takeAll")
def take_all(g):
    n = g.size()
    return "takeAll", f"take({n.text})({g.parameter(array(n, g.data()))})"


@refused("takeAll")
def take_all_refused(g):
    k = g.size()
    return "takeAll", f"take({k.text})({g.parameter(array(k + g.count(), INT))})"


@law("fstReduction", "sndReduction")
def of_pair(g):
    a, b = g.data(), g.data()
    return "{}", f"{g.name[:3]}(({g.expr([(g.parameter(a), a)], a)}, {g.expr([(g.parameter(b), b)], b)}))"


@refused("fstReduction", "sndReduction")
def of_pair_refused(g):
    return "{}", f"{g.name[:3]}({g.parameter(pair(INT, INT))})"


@law("inlineLet")
def inline_let(g):
    s, t = g.data(), g.data()
    x, v = g.parameter(s), g.fresh("v")
    value = g.expr([(x, s)], s)
    return "inlineLet", f"let {v} = {value}; {g.expr([(v, s), (x, s)], t)}"


@law("oclRunAfter")
def ocl_run_after(g):
    return "oclRunAfter(2, 4)", g.parameter(array(g.size(), g.data()))


@law("toMemAfter")
def to_mem_after(g):
    return f"toMemAfter({g.rng.choice(['Global', 'Private', 'Local'])})", g.parameter(array(g.size(), g.data()))
