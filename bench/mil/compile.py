#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times of the compiler on long programs in LC (gen.py): `bench/mil/compile.py [--mim PATH] [--sizes N,…] [--runs N] [KIND…]`.

  check      `mim check`
  text       `mim build --emit mil`
  constants  what the phase `constants` of the host takes, all times that it runs

A row for each kind and number of functions: CPU time beyond that of a program with one function, the least of some runs,
and that by the time of the row above: where sizes double, 2 is linear."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from processor_time import cpu

GENERATOR = pathlib.Path(__file__).resolve().parent / "gen.py"


def phase(command, name):
    """CPU time of a phase: lines of `--time` are `wall cpu nodes betas name`, times in ms."""
    table = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
    times = re.findall(rf"^ *[\d.]+ +([\d.]+) +\d+ +\d+ +{name}$", table, re.M)
    assert times, f"the phase `{name}` did not run"
    return sum(map(float, times)) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default=os.environ.get("MIM", "mim"))
    parser.add_argument("--sizes", default="1000,2000,4000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("kinds", nargs="*", default=["check", "text", "constants"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        text = ["build", "-o", folder / "text"]
        kinds = {
            "check": lambda file: cpu([options.mim, "check", file]),
            "text": lambda file: cpu([options.mim, *text, "--emit", "mil", file]),
            "constants": lambda file: phase([options.mim, *text, "--emit", "mim", "--time", file], "constants"),
        }

        def seconds(kind, size):
            file = folder / f"{size}.lc"
            with open(file, "w", encoding="utf-8") as out:
                subprocess.run([sys.executable, GENERATOR, "lc", str(size)], stdout=out, check=True)
            return min(kinds[kind](file) for _ in range(options.runs))

        print(f"{'kind':10} {'size':>7} {'s':>8} {'ratio':>6}")
        for kind in options.kinds:
            start, last = seconds(kind, 1), None
            for size in map(int, options.sizes.split(",")):
                now = seconds(kind, size) - start
                ratio = f"{now / last:6.2f}" if last else "     –"
                print(f"{kind:10} {size:7} {now:8.3f} {ratio}", flush=True)
                last = now


if __name__ == "__main__":
    main()
