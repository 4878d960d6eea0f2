# SPDX-License-Identifier: MIT
"""Writes 1, 2, 3, … as a file of NumPy: `npy.py TYPE N,M,… FILE [--columns] [--empty] [--negative]`.

`--empty`: the lengths without elements. `--negative`: -1, -2, -3, …"""
import math
import struct
import sys

kind, shape, path = sys.argv[1:4]
shape = tuple(map(int, shape.split(",")))
header = str({"descr": kind, "fortran_order": "--columns" in sys.argv, "shape": shape}).ljust(117) + "\n"
numbers = range(1, 1 if "--empty" in sys.argv else math.prod(shape) + 1)
if "--negative" in sys.argv:
    numbers = [-n for n in numbers]
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{len(numbers)}{'d' if kind == '<f8' else 'q'}", *numbers))
