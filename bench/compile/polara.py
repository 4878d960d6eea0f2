#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times of the compiler on long programs of Polara (polara_gen.py): `bench/compile/polara.py [--mim PATH] [--sizes N,…] [KIND…]`.

A row for each kind and size: bindings of the list, CPU time of `mim build --emit ainf --pipeline %polara.stage.full` beyond that of an
empty program, and that by the time of the row above: doubling the size says whether time is linear. The least of three runs. The last
row is Black-Scholes down to an object file."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).resolve().parents[1])]
import polara_gen
from processor_time import cpu

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=os.environ.get("MIM", "mim"))
    parser.add_argument("--sizes", default="5000,10000")
    parser.add_argument("kinds", nargs="*", default=["egypt", "conds", "loops", "back", "flat"])
    options = parser.parse_args()
    print(f"{'kind':8} {'size':>7} {'bindings':>9} {'all s':>7} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        empty = folder / "empty.polara"
        empty.write_text("def main: nat := 0\n")

        def lists(file):
            return [options.mim, "build", file, "--emit", "ainf", "-o", "-", "--pipeline", "%polara.stage.full"]

        start = cpu(lists(empty), RUNS)
        for kind in options.kinds:
            last = None
            for size in map(int, options.sizes.split(",")):
                file = folder / f"{kind}{size}.polara"
                file.write_text("\n".join(polara_gen.KINDS[kind](size)) + "\n")
                bindings = subprocess.run(lists(file), stdout=subprocess.PIPE, check=True).stdout.count(b"\n") - 1
                seconds = cpu(lists(file), RUNS) - start
                ratio = f"{seconds / last:6.2f}" if last else "     –"
                print(f"{kind:8} {size:7} {bindings:9} {seconds:7.3f} {ratio}", flush=True)
                last = seconds

        def objects(file):
            return [options.mim, "build", file, "--emit", "obj", "-o", folder / "x.o"]

        beyond = cpu(objects(ROOT / "example/black_scholes.polara"), RUNS) - cpu(objects(empty), RUNS)
        print(f"black_scholes.polara to an object file, beyond an empty program: {1000 * beyond:.0f} ms")


if __name__ == "__main__":
    main()
