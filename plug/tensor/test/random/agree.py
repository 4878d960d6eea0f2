#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of tensor operations, each evaluated and compiled: all ways must print the same numbers.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] [--all] --folder FOLDER

`--each`: programs in one file. A file that fails stays in the folder; the seed of a program is in its name. Besides the evaluator and the
usual way, each file is compiled in one more way, which takes turns, and once without fusion: each operation has loops of its own."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from sweep import sweep

ALWAYS = (["run", "--eval"], ["run"])
IN_TURN = (["run", "-O0", "--verify-each"], ["run", "--checked"], ["run", "-g", "-O0"], ["run", "-O3"],
           ["run", "--eval", "--no-normalizers"])
ALONE = (["run"], ["run", "-O0"], ["run", "-O3"])  # ways in which programs without fusion take turns
GENERATE = pathlib.Path(__file__).parent / "generate.py"


def output_of(mim, way, file):
    result = subprocess.run([mim, *way, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
    return f"{result.stdout.decode(errors='replace')}status {result.returncode}"


def write(file, *arguments):
    text = subprocess.run([sys.executable, str(GENERATE), *map(str, arguments)], stdout=subprocess.PIPE, check=True).stdout
    file.write_bytes(text)


def check(options, seed, count):
    """The ways that differ from the first one, which must succeed."""
    fused, alone = options.folder / f"t{seed}.mim", options.folder / f"t{seed}alone.mim"
    write(fused, seed, count)
    write(alone, seed, count, "alone")
    turn = seed // options.each
    ways = [(way, fused) for way in (*ALWAYS, *(IN_TURN if options.all else [IN_TURN[turn % len(IN_TURN)]]))]
    ways += [(way, alone) for way in (ALONE if options.all else [ALONE[turn % len(ALONE)]])]
    outputs = [output_of(options.mim, way, file) for way, file in ways]
    wrong = [way for way, output in zip(ways, outputs) if output != outputs[0] or not output.endswith("status 0")]
    if not wrong:
        fused.unlink()
        alone.unlink()
    return [f"{file}: {' '.join(way)}" for way, file in wrong]


def add_options(parser):
    parser.add_argument("--all", action="store_true", help="each file in all ways")


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 20, check, add_options))
