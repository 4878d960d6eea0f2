#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of LC: the abstract machine runs each as it is and behind passes, and so does code.

    agree.py [--mim PATH] [--seed N] [--count N] [--each N] [--jobs N] [--all] --folder FOLDER

All ways must print the same, and no object may be left at the end of a program that is compiled. The text of a program
behind its passes is read back and run as it is. A program that fails stays in the folder. `--all`: every way for each program."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "test/random"))
from sweep import sweep

GENERATE = pathlib.Path(__file__).parent / "generate.py"
PASSES = [
    "default",
    "opt",
    "special",
    "single",
    "data",
    "opt opt",
    "special opt",
    "opt special opt",
    "opt single opt special data bits opt opt",
    "bits",
    "special bits opt",
    "bits single data bits",
    "opt special bits data opt single",
    "single special data",
    "special data single opt",
    "data single special opt",
    "special opt data single opt",
    "opt special single data opt",
    "special single opt single data opt",
    "data special single",
]
WORDS = ["32", "64"]


def run(mim, arguments, file):
    try:
        result = subprocess.run([mim, *arguments, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "out of time"
    return f"{result.stdout.decode(errors='replace')}status {result.returncode}"


def read_back(mim, passes, words, file):
    """The output of the text behind the passes."""
    text = file.with_suffix(".mil")
    made = run(mim, ["build", "--set", f"mil.passes={passes}", *words, "--emit", "mil", "-o", str(text)], file)
    if made != "status 0":
        return made
    output = run(mim, ["run", "--eval", "--set", "mil.passes=none", *words], text)
    text.unlink()
    return output


def ways(mim, turn, is_nested, of_all, file):
    """What differs from the machine that runs the program as it is."""
    for bits in WORDS if of_all else [WORDS[turn % 2]]:
        words = ["--set", f"mil.word={bits}"]
        reference = run(mim, ["run", "--eval", *words, "--set", "mil.passes=none"], file)
        if not reference.endswith(("status 0", "status 3")):
            yield "machine"
            continue
        heap = [] if is_nested else ["--set", "mil.check-heap=1"]
        for passes in PASSES if of_all else [PASSES[turn // 2 % len(PASSES)]]:
            if read_back(mim, passes, words, file) != reference:
                yield f"text behind {passes}, {bits} bits"
            for level in ["-O0", "-O3"] if of_all else [["-O0", "-O2", "-O3"][turn % 3]]:
                if run(mim, ["run", level, *words, *heap, "--set", f"mil.passes={passes}"], file) != reference:
                    yield f"code {level} behind {passes}, {bits} bits"
        if of_all and run(mim, ["run", *words, *heap, "--set", "mil.passes=none"], file) != reference:
            yield f"code, {bits} bits"


def check(options, seed, count):
    wrong = []
    for own in range(seed, seed + count):
        file = options.folder / f"t{own}.lc"
        text = subprocess.run([sys.executable, str(GENERATE), str(own)], stdout=subprocess.PIPE, check=True).stdout
        file.write_bytes(text)
        found = list(ways(options.mim, own, b"data Nest" in text, options.all, file))
        if not found:
            file.unlink()
        wrong += [f"{file}: {way}" for way in found]
    return wrong


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 1, check, lambda parser: parser.add_argument("--all", action="store_true")))
