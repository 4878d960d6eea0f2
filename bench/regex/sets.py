#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sets of patterns: which of them match somewhere in 10 MB of words, by mim::RegexSet, RE2::Set and Hyperscan.

usage: sets.py --mim MIM [FOLDER]
Milliseconds to compile, of the first search, which makes states, and the least of later ones. All must find the same patterns. Needs
libre2-dev and libhyperscan-dev.
"""
import argparse
import pathlib
import random
import subprocess
import tempfile

import cliffs

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (1, 10, 100, 1000, 10000)
SHAPES = {
    "words": lambda word: word,
    "numbers": lambda word: word + "[0-9]+",
    "between": lambda word: r"\b" + word + "[a-z]?" + r"\b",
}


def build(mim, folder):
    library = pathlib.Path(mim).resolve().parent.parent / "lib"
    includes = [f"-I{HERE.parent.parent / part}" for part in ("src", "plug")]
    ours = [f"-L{library}", "-lmim_regex_host", "-lmim", f"-Wl,-rpath,{library}"]
    exe = folder / "sets"
    command = ["clang++-19", "-std=c++20", "-O3", "-march=native", *includes, HERE / "engines/sets.cpp", "-o", exe, *ours, "-lre2", "-lhs"]
    subprocess.run(command, check=True)
    return exe


def patterns(shape, size):
    """Words of the text are among them."""
    dice = random.Random(size)
    words = cliffs.words(max(size // 2, 1)) + [cliffs.word(dice) for _ in range(size - max(size // 2, 1))]
    return [SHAPES[shape](word) for word in words]


def measure(exe, folder, shape, size):
    (folder / "patterns").write_text("\n".join(patterns(shape, size)) + "\n")
    done = subprocess.run([exe, folder / "patterns", folder / "text"], check=True, capture_output=True, text=True)
    found = set()
    for line in done.stdout.splitlines():
        engine, *numbers = line.split()
        if len(numbers) == 4:
            found.add(numbers.pop())
        print(f"| {shape} | {size} | {engine} | {' | '.join(numbers)} |", flush=True)
    if len(found) != 1:
        raise SystemExit(f"sets.py: {shape} {size}: the engines find {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", required=True)
    parser.add_argument("folder", nargs="?")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "text").write_text(cliffs.text(10_000_000))
    exe = build(options.mim, folder)
    print("| patterns | number | engine | compile, ms | first search | later |\n| --- | --- | --- | --- | --- | --- |")
    for shape in SHAPES:
        for size in SIZES:
            measure(exe, folder, shape, size)


if __name__ == "__main__":
    main()
