#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of tensor operations, each evaluated and compiled: all ways must print the same numbers.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] --folder FOLDER

`--each`: programs in one file. A file that fails stays in the folder; the seed of a program is in its name. Besides the evaluator and the
usual way, each file is compiled in one more way, which takes turns."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from sweep import sweep

ALWAYS = (["run", "--eval"], ["run"])
IN_TURN = (["run", "-O0", "--verify-each"], ["run", "--checked"], ["run", "-g", "-O0"], ["run", "-O3"],
           ["run", "--eval", "--no-normalizers"])
GENERATE = pathlib.Path(__file__).parent / "generate.py"


def output_of(mim, way, file):
    result = subprocess.run([mim, *way, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
    return f"{result.stdout.decode(errors='replace')}status {result.returncode}"


def check(options, seed, count):
    """The ways that differ from the first one, which must succeed."""
    file = options.folder / f"t{seed}.mim"
    text = subprocess.run([sys.executable, str(GENERATE), str(seed), str(count)], stdout=subprocess.PIPE, check=True).stdout
    file.write_bytes(text)
    ways = [*ALWAYS, IN_TURN[seed // options.each % len(IN_TURN)]]
    outputs = [output_of(options.mim, way, file) for way in ways]
    wrong = [" ".join(way) for way, output in zip(ways, outputs) if output != outputs[0] or not output.endswith("status 0")]
    if not wrong:
        file.unlink()
    return [f"{file}: {way}" for way in wrong]


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 20, check))
