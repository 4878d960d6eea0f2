#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Instructions per node request, by kind, counted by callgrind: requests.py [BUILD], a build folder, by default build/release."""
import os, re, subprocess, sys, tempfile

KINDS = ["hit", "literal", "pair", "extract", "app-hit", "app", "call", "pi"]


def instructions(program, kind, n):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kind, str(n)]
    err = subprocess.run(command, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", err).group(1))


def build(folder, program):
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    lib = os.path.abspath(os.path.join(folder, "lib"))
    source = os.path.join(top, "bench/compile/requests.cpp")
    flags = ["-O2", "-std=c++20", f"-I{top}/src", f"-L{lib}", f"-Wl,-rpath,{lib}"]
    subprocess.run(["c++", *flags, source, "-lmim", "-o", program], check=True)


def main():
    few, many = 1000, 11000
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "requests")
        build(sys.argv[1] if len(sys.argv) > 1 else "build/release", program)
        for kind in KINDS:
            per = (instructions(program, kind, many) - instructions(program, kind, few)) / (many - few)
            print(f"{kind:10} {per:8.0f} instructions")


if __name__ == "__main__":
    main()
