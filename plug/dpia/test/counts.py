#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""C has the loops and buffers that a program shows, and no others: counts.py TEMPORARY."""
import pathlib
import subprocess
import sys

# loops, allocations, program
PROGRAMS = {
    "copy of rank 1": (1, 0, "fun(x: n.f32 => x |> mapSeq(id))"),
    "copy of rank 2": (2, 0, "fun(x: n.m.f32 => x |> mapSeq(mapSeq(id)))"),
    "copy of rank 3": (3, 0, "fun(x: n.m.5.f32 => x |> mapSeq(mapSeq(mapSeq(id))))"),
    "split, copy": (2, 0, "fun(x: (n*2).f32 => x |> split(2) |> mapSeq(mapSeq(id)))"),
    "map(split), copy": (3, 0, "fun(x: n.(m*2).f32 => x |> map(split(2)) |> mapSeq(mapSeq(mapSeq(id))))"),
    "slide, copy": (2, 0, "fun(x: (n + 3).f32 => x |> slide(3)(1) |> mapSeq(mapSeq(id)))"),
    "reduceSeq": (1, 0, "fun(x: n.f32 => x |> reduceSeq(add)(0.0f))"),
    "map(reduceSeq), reduceSeq": (2, 0, "fun(x: n.m.f32 => x |> map(reduceSeq(add)(0.0f)) |> reduceSeq(add)(0.0f))"),
    "one part of a pair": (2, 0, "fun(x: n.m.f32, y: n.f32 => zip(y)(map(reduceSeq(add)(0.0f))(x)) |> mapSeq(fun(p => p.1 + p.2)))"),
    "scatter of rank 2": (2, 0, "fun(x: n.m.f32, at: n.Idx[n] => x |> mapSeq(mapSeq(id)) |> scatter(at))"),
    "toMem, copy": (2, 1, "fun(x: n.f32 => x |> mapSeq(id) |> toMem(Global) |> mapSeq(id))"),
    "a table": (1, 0, "fun(x: 3.f32 => zip(x)(toMem(Constant)([1.0f, 2.0f, 3.0f])) |> mapSeq(fun(p => p.1 + p.2)))"),
    "one toMem twice": (2, 1, "fun(x: n.f32 => let y = x |> mapSeq(id) |> toMem(Global); zip(y)(y) |> mapSeq(fun(p => p.1 + p.2)))"),
    "lanes": (1, 0, "fun(x: n.f32 => x |> mapVec(fun(v => v + 1.0f)))"),
    "lowered maps": (2, 0, "fun(x: n.m.f32 => x |> map(map(fun(v => v + 1.0f))))"),
    "lowered view": (2, 0, "fun(x: n.m.f32 => transpose(x))"),
    "lowered, stored": (2, 1, "fun(x: n.f32 => x |> mapSeq(id) |> reduce(add)(0.0f))"),
    "lowered scan": (1, 0, "fun(x: n.f32 => x |> map(fun(v => v * 2.0f)) |> scanSeq(add)(0.0f))"),
    "lowered scan of a scan": (2, 1, "fun(x: n.f32 => x |> scanSeq(add)(0.0f) |> scanSeq(add)(0.0f))"),
    "lowered iterate": (4, 1, "fun(x: 8.f32 => x |> iterate(2)(LOWERED))"),
    "lowered branches": (2, 0, "fun(x: n.f32, c: bool => if c then x else map(fun(v => v + 1.0f))(x))"),
    "lowered scatter": (1, 0, "fun(x: n.f32, at: n.Idx[n] => x |> map(fun(v => v + 1.0f)) |> scatter(at))"),
    "lowered pairs": (2, 0, "fun(x: n.f32 => (map(fun(v => v + 1.0f))(x), x))"),
    "one element": (0, 0, "fun(x: 1.f32 => x |> mapSeq(id))"),
    "no element": (0, 0, "fun(x: 0.f32 => x |> mapSeq(id))"),
    "of a work item, unrolled": (0, 0, "fun(x: 4.f32 => x |> mapSeqUnroll(id) |> toMem(Private) |> mapSeqUnroll(id))"),
    "unrolled": (0, 0, "fun(x: 4.f32 => x |> mapSeqUnroll(fun(v => v + 1.0f)))"),
    "iterate 0": (1, 0, "fun(x: 8.f32 => x |> iterate(0)(STEP) |> mapSeq(id))"),
    "iterate 1": (2, 0, "fun(x: 8.f32 => x |> iterate(1)(STEP))"),
    "iterate 2": (4, 1, "fun(x: 8.f32 => x |> iterate(2)(STEP))"),
    "iterate 5": (6, 2, "fun(x: 32.f32 => x |> iterate(5)(STEP))"),
    "nested clamps": (1, 0, "fun(x: (n + 1).f32 => x" + " |> padClamp(1)(1)" * 64 + " |> mapSeq(id))"),
}
LOWERED = "depFun((l: Nat) => fun(z: (l*2).f32 => z |> split(2) |> map(reduce(add)(0.0f))))"
STEP = "depFun((l: Nat) => fun(z: (l*2).f32 => z |> split(2) |> mapSeq(reduceSeq(add)(0.0f))))"


def main():
    failed = 0
    for name, (loops, buffers, program) in PROGRAMS.items():
        source = pathlib.Path(sys.argv[1] + ".rise")
        code = source.with_suffix(".c")
        by = " by lowerToC" if "lowered" in name else ""
        program = program.replace("STEP", STEP).replace("LOWERED", LOWERED)
        source.write_text(f"export def f{by} = depFun((n: Nat, m: Nat) => {program})\n")
        output = "opencl" if "work item" in name else "c"
        subprocess.run(["mim", "build", source, "--emit", output, "-o", code], check=True)
        text = code.read_text()
        got = (text.count("for ("), text.count("malloc("))
        if got != (loops, buffers):
            failed += 1
            print(f"{name}: {got[0]} loops and {got[1]} buffers, not {loops} and {buffers}")
        if name == "nested clamps" and len(text) > 64 * 500:
            failed += 1
            print(f"{name}: {len(text)} characters")
        if any(sign in text for sign in (" / ", " % ")):
            failed += 1
            print(f"{name}: a division is left")
    print("as many as shown" if not failed else f"{failed} differ")


main()
