#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""n functions that call earlier ones, and n calls: gen.py lc|ml|hs|c N > FILE. All four print the same number."""
import sys

def pieces(language, n):
    call = {"lc": lambda f, x, y: f"{f} {x} {y}", "ml": lambda f, x, y: f"{f} {x} {y}", "hs": lambda f, x, y: f"{f} {x} {y}",
            "c": lambda f, x, y: f"{f}({x}, {y})"}[language]
    if language == "lc":
        yield 'require "prelude.lc"\nrequire "io.mil"\n'
        yield "f0 :: Word -> Word -> Word\nf0 x y = add x y"
        for i in range(1, n):
            yield (f"f{i} :: Word -> Word -> Word\n"
                   f"f{i} x y = if gt x {i} then f{i // 2} (sub x y) {i} else add (f{i * 6 // 7} y {i % 11}) (mul x {i % 5 + 2})")
        yield "g0 :: Word -> Word\ng0 s = s"
        for i in range(1, n):
            yield f"g{i} :: Word -> Word\ng{i} s = g{i - 1} (and (add s (f{i} {i % 13} {i % 3})) 65535)"
        yield f"export main :: Proc Unit\nmain = printWord (g{n - 1} 0)"
    elif language == "ml":
        yield "let f0 x y = x + y"
        for i in range(1, n):
            yield f"let rec f{i} x y = if x > {i} then f{i // 2} (x - y) {i} else f{i * 6 // 7} y {i % 11} + x * {i % 5 + 2}"
        yield "let g0 s = s"
        for i in range(1, n): yield f"let g{i} s = g{i - 1} ((s + f{i} {i % 13} {i % 3}) land 65535)"
        yield f'let () = Printf.printf "%d\\n" (g{n - 1} 0)'
    elif language == "hs":
        yield "f0 :: Int -> Int -> Int\nf0 x y = x + y"
        for i in range(1, n):
            yield (f"f{i} :: Int -> Int -> Int\n"
                   f"f{i} x y = if x > {i} then f{i // 2} (x - y) {i} else f{i * 6 // 7} y {i % 11} + x * {i % 5 + 2}")
        yield "g0 :: Int -> Int\ng0 s = s"
        for i in range(1, n):
            yield f"g{i} :: Int -> Int\ng{i} s = g{i - 1} ((s + f{i} {i % 13} {i % 3}) `mod` 65536)"
        yield f"main :: IO ()\nmain = print (g{n - 1} 0)"
    else:
        yield "#include <stdio.h>\nstatic long f0(long x, long y) { return x + y; }"
        for i in range(1, n):
            yield (f"static long f{i}(long x, long y) {{ return x > {i} ? f{i // 2}(x - y, {i}) : "
                   f"f{i * 6 // 7}(y, {i % 11}) + x * {i % 5 + 2}; }}")
        yield "static long g0(long s) { return s; }"
        for i in range(1, n): yield f"static long g{i}(long s) {{ return g{i - 1}((s + f{i}({i % 13}, {i % 3})) & 65535); }}"
        yield f'int main(void) {{ printf("%ld\\n", g{n - 1}(0)); }}'

if len(sys.argv) != 3 or sys.argv[1] not in ("lc", "ml", "hs", "c"): sys.exit(__doc__)
print("\n".join(pieces(sys.argv[1], int(sys.argv[2]))))
