#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Each primitive with what it must not have: accesses.py TEMPORARY.

Arrays that were computed but not stored are given to each primitive that reads, and arrays in memory, or computed where
they are read, to each that writes. The codes of the errors are printed, and whether they stand at the place that is
between « and »."""
import pathlib
import re
import subprocess
import sys

W = "(x |> mapSeq(id))"
E = "(e |> mapSeq(id))"
ROWS = "(M |> mapSeq(mapSeq(id)))"
OPENCL = ("mapGlobal", "mapWorkGroup", "mapLocal", "oclRun")
STEP = "depFun((l: Nat) => fun(z: (l*2).f32 => {}))"

# each reads an array that was computed, and not stored
READ = {
    "mapSeq": "(x |> mapPar(id)) |> «mapSeq»(abs)",
    "mapSeqUnroll": f"{E} |> «mapSeqUnroll»(abs)",
    "mapVec": f"{W} |> «mapVec»(abs)",
    "mapPar": f"{W} |> «mapPar»(abs)",
    "mapGlobal": f"{W} |> «mapGlobal»(abs)",
    "mapWorkGroup": f"{ROWS} |> «mapWorkGroup»(mapLocal(id))",
    "mapLocal": "M |> mapWorkGroup(fun(r => r |> mapLocal(id) |> «mapLocal»(abs)))",
    "map": f"{W} |> map(abs) |> «mapPar»(id)",
    "reduceSeq": f"{W} |> «reduceSeq»(add)(0.0f)",
    "reduceSeqUnroll": f"{E} |> «reduceSeqUnroll»(add)(0.0f)",
    "scanSeq": f"{W} |> «scanSeq»(add)(0.0f)",
    "iterate": f"{E} |> «iterate»(2)(" + STEP.format("z |> split(2) |> mapSeq(reduceSeq(add)(0.0f))") + ")",
    "scatter, indices": "x |> mapSeq(id) |> «scatter»(at |> mapSeq(id))",
    "gather": f"{W} |> «gather»(at) |> mapPar(id)",
    "gather, indices": "x |> «gather»(at |> mapSeq(id)) |> mapPar(id)",
    "idx": f"{ROWS} |> «idx»(i) |> mapPar(id)",
    "take": f"{E} |> «take»(2) |> mapPar(id)",
    "drop": f"{E} |> «drop»(2) |> mapPar(id)",
    "slide": f"{E} |> «slide»(2)(1) |> mapPar(mapSeq(id))",
    "padCst": f"{W} |> «padCst»(1)(1)(0.0f) |> mapPar(id)",
    "padClamp": f"{E} |> «padClamp»(1)(1) |> mapPar(id)",
    "fst": f"«fst»(({W}, x)) |> mapPar(id)",
    "snd": f"«snd»((x, {W})) |> mapPar(id)",
    "let": f"«let» y = {W}; zip(y)(y) |> mapPar(fun(p => p.1 + p.2))",
    "split": f"{E} |> split(2) |> «mapPar»(mapSeq(id))",
    "join": f"{ROWS} |> join |> «mapPar»(id)",
    "transpose": f"{ROWS} |> transpose |> «mapPar»(mapSeq(id))",
    "reorder": f"{E} |> reorder(4)(i => 3 - i)(i => 3 - i) |> «mapPar»(id)",
    "concat": f"concat{W}{W} |> «mapPar»(id)",
    "zip": f"zip{W}{W} |> «mapPar»(fun(p => p.1 + p.2))",
    "unzip": "(zip(x)(x) |> mapSeq(id)) |> unzip |> «fst» |> mapPar(id)",
    "padEmpty": f"{W} |> padEmpty(1) |> «mapPar»(id)",
    "asVector": f"{E} |> asVector(4) |> «mapPar»(id)",
    "asVectorAligned": f"{E} |> asVectorAligned(4) |> «mapPar»(id)",
    "asScalar": "(e |> asVector(4) |> mapSeq(id)) |> asScalar |> «mapPar»(id)",
    "oclRun": "(x |> mapGlobal(id) |> oclRun(4, 1, 1)(8, 1, 1)) |> «mapGlobal»(id)",
    "scatter": "(x |> mapSeq(id) |> scatter(at)) |> «mapPar»(id)",
    "mapFst": f"(x, x) |> mapFst(fun(x => {W})) |> «fst» |> mapPar(id)",
    "mapSnd": f"(x, x) |> mapSnd(fun(x => {W})) |> «snd» |> mapPar(id)",
    "id": f"{W} |> id |> «mapPar»(id)",
    "padCst, value": f"M |> «padCst»(1)(1){W} |> mapPar(mapSeq(id))",
    "makeArray": f"[x, {W}] |> «mapPar»(mapSeq(id))",
    "select": f"(if b then {W} else x) |> «mapPar»(id)",
    "select, folded": f"(if b then x else {W}) |> «reduceSeq»(add)(0.0f)",
    "zip, of a select": f"zip(x)(if b then {W} else x) |> «mapPar»(fun(p => p.1 + p.2))",
    "generate": f"«generate»(fun(j: Idx[4] => {W})) |> mapPar(mapSeq(id))",
}
# each has to say how an array is written that is in memory or is computed where it is read
WRITE = {
    "parameter": "x",
    "map": "x |> «map»(abs)",
    "map of views": "M |> «map»(fun(r => r))",
    "split": "e |> «split»(2)",
    "join": "M |> «join»",
    "transpose": "M |> «transpose»",
    "reorder": "e |> «reorder»(4)(i => 3 - i)(i => 3 - i)",
    "concat": "«concat»(x)(x)",
    "concat, one": f"concat{W}(x)",
    "makeArray": "«[x, x]»",
    "makeArray, one": f"[{W}, x]",
    "zip": "«zip»(x)(x)",
    "zip, one": f"zip{W}(x)",
    "pair": "(x, x)",
    "pair, one": f"({W}, x)",
    "unzip": "«zip»(x)(x) |> unzip",
    "padEmpty": "x |> «padEmpty»(1)",
    "asVector": "e |> «asVector»(4)",
    "asVectorAligned": "e |> «asVectorAligned»(4)",
    "asScalar": "e |> asVector(4) |> asScalar",
    "mapFst": "(x, x) |> mapFst(fun(y => y))",
    "mapSnd": "(x, x) |> mapSnd(fun(y => y))",
    "idx": "M |> «idx»(i)",
    "take": "e |> «take»(2)",
    "drop": "e |> «drop»(2)",
    "slide": "e |> «slide»(2)(1)",
    "gather": "x |> «gather»(at)",
    "scatter": "x |> «scatter»(at)",
    "padCst": "x |> «padCst»(1)(1)(0.0f)",
    "padClamp": "e |> «padClamp»(1)(1)",
    "generate": "«generate»(fun(j: Idx[4] => 1.0f))",
    "fst": "p |> «fst»",
    "snd": "p |> «snd»",
    "select": "«if b then x else x»",
    "select, one": f"if b then {W} else x",
    "let": "let y = b; (if y then x else x)",
    "toMem": "x |> «toMem»(Global) |> mapSeq(id)",
    "toMem, twice": f"{W} |> toMem(Global) |> «toMem»(Local) |> mapSeq(id)",
    "toMem, result": f"{W} |> «toMem»(Global)",
    "id": "x |> «id»",
    "oclRun": "x |> «oclRun»(4, 1, 1)(8, 1, 1)",
    "mapSeq": "M |> «mapSeq»(fun(r => r))",
    "mapSeqUnroll": "[e, e] |> «mapSeqUnroll»(fun(r => r))",
    "mapPar": "M |> «mapPar»(fun(r => r))",
    "mapGlobal": "M |> «mapGlobal»(fun(r => r))",
    "mapWorkGroup": "M |> «mapWorkGroup»(fun(r => r))",
    "mapLocal": "M |> mapWorkGroup(fun(r => [r, r] |> «mapLocal»(fun(s => s))))",
    "reduceSeq, first": "M |> reduceSeq(Global)(fun(a, r => zip(a)(r) |> mapSeq(fun(p => p.1 + p.2))))(x) |> mapSeq(id)",
    "reduceSeq, step": f"M |> «reduceSeq(Global)»(fun(a, r => r))({W}) |> mapSeq(id)",
    "reduceSeq, result": f"M |> «reduceSeq(Global)»(fun(a, r => zip(a)(r) |> mapSeq(fun(p => p.1 + p.2))))({W})",
    "scanSeq, first": "M |> scanSeq(fun(r, a => zip(a)(r) |> mapSeq(fun(p => p.1 + p.2))))(x)",
    "scanSeq, step": f"M |> «scanSeq»(fun(r, a => r))({W})",
    "iterate": "e |> iterate(2)(" + STEP.format("z |> split(2) |> «map»(reduceSeq(add)(0.0f))") + ")",
    "iterate, view": "e |> iterate(2)(" + STEP.format("z |> «take»(l)") + ")",
}
BINDERS = "n: Nat", "x: n.f32, M: n.n.f32, e: 4.f32, at: n.Idx[n], i: Idx[n], b: bool, p: (n.f32, n.f32)"


def answer(source, program, output):
    """The codes of the errors, and whether the place of the first one is the expected one."""
    nats, data = BINDERS
    text = f"export def f by id = depFun(({nats}) => fun({data} => {program}))\n"
    plain = text.replace("«", "").replace("»", "")
    source.write_text(plain)
    done = subprocess.run(["mim", "build", source, "--emit", output, "-o", source.with_suffix(".out")],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return "accepted"
    codes = " ".join(re.findall(r"error: .*\[(E[\w-]+)\]$", done.stderr, re.M))
    if "«" not in text:
        return codes
    first, end = text.index("«"), text.index("»") - 1
    column = re.search(r":1:(\d+): error", done.stderr)
    length = len(re.search(r"\^~*", done.stderr)[0])
    is_there = column and int(column[1]) - 1 == first and length == end - first
    return codes + (f" at `{plain[first:end]}`" if is_there else " elsewhere")


def main():
    source = pathlib.Path(sys.argv[1] + ".rise")
    for kind, programs in (("reads", READ), ("writes", WRITE)):
        for name, program in programs.items():
            is_opencl = any(word in program for word in OPENCL)
            output = "opencl" if is_opencl else "c"
            print(f"{kind}, {name}:", answer(source, program, output))
            stored = program
            for computed in (W, E, ROWS):
                stored = stored.replace(computed, computed[:-1] + " |> toMem(Global))")
            if kind == "reads" and stored != program and not is_opencl:
                print("  stored:", answer(source, stored, output))


main()
