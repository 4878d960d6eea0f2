#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Instructions per node request, by kind: requests.py PROGRAM (the built bench/compile/requests)."""
import re, subprocess, sys

KINDS = ["hit", "literal", "pair", "extract", "app-hit", "app", "call", "pi"]


def instructions(program, kind, n):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kind, str(n)]
    err = subprocess.run(command, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", err).group(1))


def main():
    program = sys.argv[1]
    few, many = 1000, 11000
    for kind in KINDS:
        per = (instructions(program, kind, many) - instructions(program, kind, few)) / (many - few)
        print(f"{kind:10} {per:8.0f} instructions")


if __name__ == "__main__":
    main()
