#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes coefficients.h: the polynomials of approximate.cpp, of least greatest error, by the exchange algorithm of Remez.

usage: coefficients.py. It needs mpmath, which computes with 60 digits here, and prints how far off each polynomial is after rounding."""
import pathlib
import struct

from mpmath import atanh, cos, exp, fabs, log, lu_solve, matrix, mp, mpf, pi, sin, sqrt

mp.dps = 60
HERE = pathlib.Path(__file__).parent


def exchange(f, weight, lo, hi, degree):
    """The polynomial p of this degree for which the greatest weight (x) * |p (x) - f (x)| between lo and hi is least."""
    count = degree + 2
    points = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / (count - 1)) for i in range(count)]
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * (i + mpf(1) / 2) / 600) for i in range(600)]
    values = [(x, f(x), weight(x)) for x in grid]
    for _ in range(12):
        rows = [[x**k for k in range(degree + 1)] + [(-1)**i / weight(x)] for i, x in enumerate(points)]
        solution = lu_solve(matrix(rows), matrix([f(x) for x in points]))
        c = [solution[k] for k in range(degree + 1)]
        errors = [(x, w * (at(c, x) - y)) for x, y, w in values]
        runs = []  # the greatest error of each run of one sign
        for x, error in errors:
            if runs and (runs[-1][1] > 0) == (error > 0):
                if fabs(error) > fabs(runs[-1][1]):
                    runs[-1] = (x, error)
            else:
                runs.append((x, error))
        while len(runs) > count:
            runs.pop(0 if fabs(runs[0][1]) < fabs(runs[-1][1]) else -1)
        if len(runs) < count:
            break
        points = [x for x, _ in runs]
    return c


def at(c, x):
    result = mpf(0)
    for k in reversed(c):
        result = result * x + k
    return result


def rounded(x, is_double):
    return float(x) if is_double else struct.unpack("f", struct.pack("f", float(x)))[0]


def cut(x, bits):
    """The first bits of x."""
    exponent = int(mp.floor(mp.log(fabs(x), 2))) + 1 - bits
    return mp.floor(x / mpf(2)**exponent) * mpf(2)**exponent


def table(out, name, what, f, weight, lo, hi, degree, is_double):
    c = [rounded(k, is_double) for k in exchange(f, weight, lo, hi, degree)]
    worst = max(weight(x) * fabs(at(c, x) - f(x)) for x in (lo + (hi - lo) * (i + mpf(1) / 2) / 1000 for i in range(1000)))
    print(f"{name}: off by 2^{float(mp.log(worst, 2)):.1f}")
    out.append(f"/// {what}")
    out.append(f"constexpr double {name}[] = {{" + ", ".join(k.hex() for k in c) + "};")


def parts(out, name, what, x, sizes, is_double):
    """x as a sum of numbers of as many bits; the last one is rounded."""
    result = []
    for bits in sizes:
        result.append(float(cut(x, bits)))
        x -= result[-1]
    result.append(rounded(x, is_double))
    out.append(f"/// {what}")
    out.append(f"constexpr double {name}[] = {{" + ", ".join(k.hex() for k in result) + "};")


# Each function is made to be good at 0, too, where differences cancel: taken as series there.
def exp_rest(r):
    return (exp(r) - 1 - r) / r**2


def log_rest(z):
    s = sqrt(z)
    return (2 * atanh(s) / s - 2) / z


def sin_rest(z):
    r = sqrt(z)
    return (sin(r) / r - 1) / z


def cos_rest(z):
    return (cos(sqrt(z)) - 1 + z / 2) / z**2


def main():
    half_ln2 = log(2) / 2
    s_end = (3 - 2 * sqrt(2))**2
    quarter = (pi / 4)**2 * mpf("1.0001")
    out = ["// SPDX-License-Identifier: MIT", "// Made by coefficients.py; see approximate.cpp.", "#pragma once", "",
           "namespace mim::plug::math {", ""]
    for name, is_double, n_exp, n_log in (("f64", True, 9, 6), ("f32", False, 4, 3)):
        table(out, f"exp_{name}", "(exp r - 1 - r) / r^2 for |r| <= ln 2 / 2", exp_rest, lambda r: r**2, -half_ln2 * mpf("1.0001"),
              half_ln2 * mpf("1.00013"), n_exp, is_double)
        table(out, f"log_{name}", "(log ((1 + s) / (1 - s)) / s - 2) / s^2 by s^2 for 1/sqrt 2 <= (1 + s) / (1 - s) <= sqrt 2",
              log_rest, lambda z: z, mpf("1e-12"), s_end, n_log, is_double)
    for name, n in (("f64", 5), ("f32", 3)):  # both are computed in double precision
        table(out, f"sin_{name}", "(sin r / r - 1) / r^2 by r^2 for |r| <= pi / 4", sin_rest, lambda z: z, mpf("1e-12"), quarter, n, True)
        table(out, f"cos_{name}", "(cos r - 1 + r^2 / 2) / r^4 by r^2 for |r| <= pi / 4", cos_rest, lambda z: z**2, mpf("1e-12"),
              quarter, n, True)
    parts(out, "ln2_f64", "ln 2: what is first has zeros at its end, so that small multiples are exact", log(2), [41], True)
    parts(out, "ln2_f32", "the same in single precision", log(2), [15], False)
    parts(out, "half_pi", "pi / 2 in parts of which each but the last has a multiple without rounding", pi / 2, [33, 33, 33], True)
    out += ["", "} // namespace mim::plug::math"]
    (HERE / "coefficients.h").write_text("\n".join(out) + "\n")


main()
