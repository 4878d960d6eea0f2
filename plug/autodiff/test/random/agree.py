#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs with derivatives, each evaluated and compiled.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] --folder FOLDER

In each way, the values of a function alone and with its derivatives have the same bits, and gradients by reverse and by forward mode are
equal within 1e-12; so are the derivatives of all ways, to those of the evaluator, which are made of dual numbers. `--each`: programs in one
file. A file that fails stays in the folder; the seed of its first program is in its name. Besides the evaluator and the usual way, each
file is compiled in one more way, which takes turns."""
import math
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from sweep import sweep

ALWAYS = (["run", "--eval"], ["run"])
IN_TURN = (["run", "-O0", "--verify-each"], ["run", "--checked"], ["run", "-g", "-O0"], ["run", "-O3"])
GENERATE = pathlib.Path(__file__).parent / "generate.py"
PER_PROGRAM, VALUES, REVERSE, FORWARD = 12, slice(0, 3), slice(3, 6), slice(6, 9)
EXACT = 1e-12


def numbers_of(mim, way, file):
    """Those that it prints, as bits; None if it fails."""
    result = subprocess.run([mim, *way, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600, check=False)
    if result.returncode != 0:
        return None
    return [int(line) for line in result.stdout.split()]


def float_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def are_close(first, second):
    scale = max([1.0] + [abs(x) for x in first + second if math.isfinite(x)])
    return all(a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= EXACT * scale for a, b in zip(first, second))


def faults(bits, expected):
    """Of one program: what its numbers are not."""
    numbers, wanted = [float_of(b) for b in bits], [float_of(b) for b in expected]
    if len(set(bits[VALUES])) != 1:
        yield "the values differ"
    if not are_close(numbers[REVERSE], numbers[FORWARD]):
        yield "reverse mode is not forward mode"
    if not are_close(numbers, wanted):
        yield "it is not what the evaluator says"


def check(options, seed, count):
    """The ways that are wrong."""
    file = options.folder / f"t{seed}.mim"
    text = subprocess.run([sys.executable, str(GENERATE), str(seed), str(count)], stdout=subprocess.PIPE, check=True).stdout
    file.write_bytes(text)
    ways = [*ALWAYS, IN_TURN[seed // options.each % len(IN_TURN)]]
    outputs = [numbers_of(options.mim, way, file) for way in ways]
    expected, wrong = outputs[0], []
    for way, output in zip(ways, outputs):
        if output is None or expected is None or len(output) != count * PER_PROGRAM:
            wrong.append(f"{file}: {' '.join(way)}: it fails")
            continue
        for i in range(count):
            part = slice(i * PER_PROGRAM, (i + 1) * PER_PROGRAM)
            wrong += [f"{file}: {' '.join(way)}: function{seed + i}: {fault}" for fault in faults(output[part], expected[part])]
    if not wrong:
        file.unlink()
    return wrong


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 10, check))
