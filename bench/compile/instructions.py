#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The instructions that two builds of mim need for the same programs, which a busy machine does not change.

usage: instructions.py OLD NEW [--items N]
OLD and NEW are folders with bin/mim; valgrind counts. For each program: millions of instructions of both and their ratio, of
`mim check`, and of `mim build --emit mim`, which runs the phases. A program that one of them does not take has no number.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KINDS = ("loops", "calls", "chain", "poly", "lets", "tuple", "select", "values", "blocks")
TOTAL = re.compile(r"Collected : (\d+)")


def instructions(build, *argv):
    """None if mim reports an error."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"{build}/bin/mim", *argv]
    done = subprocess.run(command, capture_output=True, text=True)
    return int(TOTAL.search(done.stderr)[1]) if done.returncode == 0 else None


def compare(builds, name, *argv):
    counts = [instructions(build, *argv) for build in builds]
    if None in counts:
        print(f"| {name} | | | |", flush=True)
        return
    old, new = counts
    print(f"| {name} | {old / 1e6:.1f} | {new / 1e6:.1f} | {new / old:.2f} |", flush=True)


def programs(folder, items):
    """(name, path) of each program."""
    empty = folder / "empty.mim"
    empty.write_text("lam extern f (n: Nat): Nat = n;\n")
    yield "empty", empty
    yield "hello", ROOT / "example/hello.mim"
    yield "std.mim", ROOT / "plug/std/std.mim"
    for kind in KINDS:
        path = folder / f"{kind}.mim"
        text = subprocess.run(["python3", HERE / "gen.py", kind, str(items)], check=True, capture_output=True, text=True)
        path.write_text(text.stdout)
        yield f"{kind} {items}", path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--items", type=int, default=1000, help="of each generated program")
    options = parser.parse_args()
    builds = (options.old, options.new)
    print("| program | old, million | new, million | ratio |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in programs(pathlib.Path(folder), options.items):
            compare(builds, f"check {name}", "check", str(path))
            if name.endswith(str(options.items)):
                compare(builds, f"phases {name}", "build", "--emit", "mim", "-o", f"{folder}/out.mim", str(path))


if __name__ == "__main__":
    main()
