#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times of the compiler on long programs in RISE: `bench/rise/compile.py [--mim PATH] [--sizes N,…] [--runs N] [--emit KIND,…] [NAME…]`.

  loops       maps one behind the other, each in memory
  kernels     the same as kernels of OpenCL
  maps        maps one behind the other
  lets        arrays with names, each made of the last one
  pairs       arrays with names, each made of the last two
  names       numbers with names, each made of the last two
  sums        a sum of reductions of maps
  functions   functions, each of which calls the last one
  terms       a long sum of products of numbers
  inputs      a sum of reductions of arrays, each of which is a parameter
  views       views one behind the other

A row for each kind, output and number: CPU time beyond that of a program of one, the least of some runs, and that by the
time of the row above: where sizes double, 2 is linear. `obj` is made with -O0: what LLVM's passes take is theirs."""
import argparse
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from processor_time import cpu

BAR = 2.2
KINDS = ("loops", "kernels", "maps", "lets", "pairs", "names", "sums", "functions", "terms", "inputs", "views")


def maps(n, how, behind):
    return "".join(f"\n  |> {how}(fun(v => v * {i % 7 + 1}.0f + {i}.0f)){behind}" for i in range(n))


def lets(n, value):
    """`value` of the last name, and of the one before it."""
    names = ["x", "x"] + [f"x{i}" for i in range(n)]
    lines = "".join(f"  let x{i} = {value(names[i + 1], names[i], i % 7 + 1)};\n" for i in range(n))
    return lines, names[-1]


def program(kind, n):
    def of_array(body, parameter="x: n.f32"):
        return f"export def f = depFun((n: Nat) => fun({parameter} =>{body}))\n"

    last = "mapSeq(fun(v => v + 1.0f))"
    if kind == "loops":
        return of_array("\n  x" + maps(n, "mapPar", " |> toMem(Global)") + f"\n  |> {last}")
    if kind == "kernels":
        run = " |> oclRun(64, 1, 1)(64*n, 1, 1)"
        return of_array("\n  x" + maps(n, "mapGlobal", run + " |> toMem(Global)") + f"\n  |> {last}", "x: (64*n).f32")
    if kind == "maps":
        return of_array("\n  x" + maps(n, "map", ""))
    if kind == "lets":
        lines, x = lets(n, lambda x, _, c: f"{x} |> mapSeq(fun(v => v * {c}.0f)) |> toMem(Global)")
        return of_array(f"\n{lines}  {x} |> {last}")
    if kind == "pairs":
        lines, x = lets(n, lambda x, y, c: f"zip({x})({y}) |> map(fun(p => p.1 * {c}.0f + p.2)) |> toMem(Global)")
        return of_array(f"\n{lines}  {x} |> map(fun(v => v + 1.0f))")
    if kind == "names":
        lines, x = lets(n, lambda x, y, c: f"{x} * {c}.0f + {y}")
        return f"export def f = fun(x: f32 =>\n{lines}  {x})\n"
    if kind == "sums":
        sums = " +\n".join(f"  (x |> map(fun(v => v * {i}.0f)) |> reduce(add)(0.0f))" for i in range(n))
        return of_array("\n" + sums)
    if kind == "functions":
        head = "def f0 = depFun((n: Nat) => fun(x: n.f32 => x |> map(fun(v => v + 1.0f))))\n"
        calls = "".join(f"def f{i} = depFun((n: Nat) => fun(x: n.f32 => x |> map(fun(v => v * {i}.0f)) |> f{i - 1}(n)))\n"
                        for i in range(1, n))
        return head + calls + of_array(f" f{n - 1}(n)(x)")
    if kind == "terms":
        return "export def f = fun(x: f32, y: f32 => x" + "".join(f"\n  * {i}.0f + y" for i in range(n)) + ")\n"
    if kind == "inputs":
        return of_array("\n" + " +\n".join(f"  (x{i} |> reduce(add)(0.0f))" for i in range(n)),
                        ", ".join(f"x{i}: n.f32" for i in range(n)))
    return of_array("\n  x" + "\n  |> split(4) |> transpose |> transpose |> join" * n + f"\n  |> {last}", "x: (4*n).f32")


def outputs_of(kind, outputs):
    """Only kernels have steps of the host, and nothing else."""
    return [emit for emit in outputs if (emit == "clhost") == (kind == "kernels")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=os.environ.get("MIM", "mim"))
    parser.add_argument("--sizes", default="200,400,800")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--emit", default="c,clhost,obj")
    parser.add_argument("kinds", nargs="*", metavar="NAME", default=KINDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def seconds(kind, emit, size):
            file = folder / f"{size}.rise"
            file.write_text(program(kind, size), encoding="utf-8")
            command = [options.mim, "build", file, "-O0", "--emit", emit, "-o", folder / "out"]
            return cpu(command, options.runs)

        print(f"{'kind':10} {'emit':7} {'size':>6} {'s':>8} {'ratio':>6}  bar ≤ {BAR}")
        for kind in options.kinds:
            for emit in outputs_of(kind, options.emit.split(",")):
                start, last = seconds(kind, emit, 1), None
                for size in map(int, options.sizes.split(",")):
                    now = seconds(kind, emit, size) - start
                    ratio = now / last if last else None
                    text = f"{ratio:6.2f}" if ratio else "     –"
                    loss = "  LOSS" if ratio and ratio > BAR else ""
                    print(f"{kind:10} {emit:7} {size:6} {now:8.3f} {text}{loss}", flush=True)
                    last = now


if __name__ == "__main__":
    main()
