#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The schedules of gemm.rise change no product: gemm.py TEMPORARY.

One program has the product once as it is written and once by each schedule. The evaluator runs it as it is and as strategies
made it, and it is compiled; numbers are small and whole, so sums are exact in any order."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCHEDULES = ["baseline"] + [f"{name}(4, 2)" for name in
                            ("blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "threads")]


def matrix(n, factor):
    return "[" + ",".join("[" + ",".join(str((i * factor + j * j) % 5 - 2) for j in range(n)) + "]" for i in range(n)) + "]"


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    text = (HERE / "gemm.rise").read_text()
    strategies, product = re.fullmatch(r"(.*)export def product = (.*)", text, re.S).groups()
    for i, schedule in enumerate(SCHEDULES):
        strategies += f"def product{i} by {schedule} = {product}\n"
    calls = "product7(n)(A)(B)"
    for i in range(7):
        calls = f"(product{i}(n)(A)(B), {calls})"
    strategies += f"def product7 = {product}\n"
    strategies += f"export def main = depFun((n: Nat) where 4 | n => fun(A: n.n.f32, B: n.n.f32 => {calls}))\n"
    source, after = pathlib.Path(sys.argv[1] + ".rise"), pathlib.Path(sys.argv[1] + ".by.rise")
    source.write_text(strategies)
    output_of("mim", "build", source, "--emit", "rise", "-o", after)
    for n in (0, 4, 8):
        args = [matrix(n, 3), matrix(n, 2)] if n else ["n=0", "[]", "[]"]
        expected = output_of("mim", "run", "--eval", source, *args)
        products = re.findall(r"\[\[.*?\]\]|\[\]", expected)
        ways = {"rewritten": output_of("mim", "run", "--eval", after, *args), "compiled": output_of("mim", "run", source, *args)}
        wrong = [way for way, result in ways.items() if result != expected]
        print(f"n = {n}:", f"{len(products)} products, {len(set(products))} results", *[f"another one {way}" for way in wrong])


if __name__ == "__main__":
    main()
