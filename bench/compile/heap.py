#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Where the memory of the compiler is at its peak: bytes an item by the function that asked for them, on a generated program (gen.py).

usage: heap.py [--mim PROGRAM] [--items N] [--phases] [--depth N] KIND…
Runs valgrind's massif; the inlined parts of a release build are counted to their callers.
"""
import argparse, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def peak(command, folder, depth):
    """(bytes, overhead of malloc, lines of the tree) of the snapshot with the largest heap."""
    out = os.path.join(folder, "massif")
    subprocess.run(["valgrind", "--tool=massif", f"--massif-out-file={out}", f"--depth={depth + 1}", "--detailed-freq=1",
                    "--threshold=0.5", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    best = (0, 0, [])
    for snapshot in open(out).read().split("#-----------\nsnapshot=")[1:]:
        found = re.search(r"mem_heap_B=(\d+)\nmem_heap_extra_B=(\d+)\nmem_stacks_B=\d+\nheap_tree=(\w+)", snapshot)
        if found and found[3] != "empty" and int(found[1]) > best[0]:
            best = int(found[1]), int(found[2]), re.findall(r"^( *)n\d+: (\d+) (?:0x\w+: )?(.*)$", snapshot, re.M)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="+", metavar="KIND")
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--items", type=int, default=10000)
    parser.add_argument("--phases", action="store_true", help="with the default pipeline")
    parser.add_argument("--depth", type=int, default=1, help="callers to show")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds:
            path = os.path.join(folder, kind + ".mim")
            with open(path, "w") as file:
                subprocess.run([sys.executable, os.path.join(HERE, "gen.py"), kind, str(options.items), "mim"], stdout=file, check=True)
            command = [options.mim, "check", path] + (["--pipeline", "%opt.default"] if options.phases else [])
            size, extra, tree = peak(command, folder, options.depth)
            print(f"{kind}: {size / options.items:.0f} bytes an item, and {extra / options.items:.0f} of malloc's own")
            for indent, size, where in tree[1:]:
                where = re.sub(r" \(in .*\)$", "", where)
                print(f"{int(size) / options.items:8.0f}  {indent}{where[:110]}")


if __name__ == "__main__":
    main()
