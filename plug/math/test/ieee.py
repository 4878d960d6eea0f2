# SPDX-License-Identifier: MIT
"""IEEE 754 from its definition, with exact fractions: what generate.py computes its expectations with. A number is a triple
(sign, value, is_nan) where the value is a non-negative Fraction or INF."""
import math
from fractions import Fraction

INF = math.inf


class Format:
    def __init__(self, name, p, e, spelling):
        self.name, self.p, self.e, self.spelling = name, p, e, spelling
        self.bias = 2 ** (e - 1) - 1
        self.width = 1 + p + e
        self.inf = (2 ** e - 1) << p
        self.nan = self.inf | 1 << (p - 1)
        self.sign = 1 << (p + e)

    def decode(self, bits):
        sign, magnitude = bits >> (self.p + self.e) & 1, bits & (self.sign - 1)
        if magnitude > self.inf:
            return (sign, None, True)
        if magnitude == self.inf:
            return (sign, INF, False)
        exponent, fraction = magnitude >> self.p, magnitude & (2 ** self.p - 1)
        unit = Fraction(2) ** (max(exponent, 1) - self.bias - self.p)
        return (sign, (fraction + (2 ** self.p if exponent else 0)) * unit, False)

    def encode(self, number):
        """The nearest value, among two the even one."""
        sign, value, is_nan = number
        if is_nan:
            return self.nan
        return (self.sign if sign else 0) | (self.inf if value == INF else self.magnitude(value))

    def magnitude(self, value):
        if value == 0:
            return 0
        exponent = value.numerator.bit_length() - value.denominator.bit_length() - 1
        while Fraction(2) ** (exponent + 1) <= value:
            exponent += 1
        biased = max(exponent + self.bias, 1)
        units = value / Fraction(2) ** (biased - self.bias - self.p)
        whole = round(units)  # Python rounds ties to even
        bits = (biased - 1 << self.p) + whole
        return min(bits, self.inf)


FORMATS = [Format("f16", 10, 5, "%math.F16"), Format("bf16", 7, 8, "%math.BF16"), Format("f32", 23, 8, "%math.F32"),
           Format("f64", 52, 11, "%math.F64")]
NAN = (0, None, True)


def signed(number):
    return -number[1] if number[0] else number[1]


def of(value, zero_sign=0):
    """A real number; a zero has the sign that is given."""
    if value == 0:
        return (zero_sign, Fraction(0), False)
    return (int(value < 0), abs(value), False)


def add(a, b):
    if a[2] or b[2] or (a[1] == INF and b[1] == INF and a[0] != b[0]):
        return NAN
    if a[1] == INF:
        return a
    if b[1] == INF:
        return b
    return of(signed(a) + signed(b), a[0] & b[0])


def minus(a):
    return (1 - a[0], a[1], a[2])


def sub(a, b):
    return add(a, minus(b))


def mul(a, b):
    if a[2] or b[2] or (INF in (a[1], b[1]) and 0 in (a[1], b[1])):
        return NAN
    return (a[0] ^ b[0], INF if INF in (a[1], b[1]) else a[1] * b[1], False)


def div(a, b):
    if a[2] or b[2] or (a[1] == INF and b[1] == INF) or (a[1] == 0 and b[1] == 0):
        return NAN
    sign = a[0] ^ b[0]
    if a[1] == INF or b[1] == 0:
        return (sign, INF, False)
    return (sign, Fraction(0) if b[1] == INF else a[1] / b[1], False)


def rem(a, b):
    if a[2] or b[2] or a[1] == INF or b[1] == 0:
        return NAN
    return (a[0], a[1] if b[1] == INF else a[1] % b[1], False)


def sqrt(a):
    if a[2] or (a[0] and a[1] != 0):
        return NAN
    if a[1] in (0, INF):
        return a
    scale = 4 ** 700  # enough bits below the last one; what is cut off shows in the last
    scaled = a[1] * scale
    root = math.isqrt(scaled.numerator // scaled.denominator)
    inexact = Fraction(root * root) != scaled
    return (0, (Fraction(root) + (Fraction(1, 2) if inexact else 0)) / 2 ** 700, False)


def to_integer(a, how):
    if a[2] or a[1] in (0, INF):
        return NAN if a[2] else a
    value = signed(a)
    n = {"f": math.floor, "c": math.ceil, "t": math.trunc,
         "r": lambda v: math.floor(abs(v) + Fraction(1, 2)) * (-1 if v < 0 else 1)}[how](value)
    return of(Fraction(n), a[0])


def relation(a, b):
    """Bit 3 unordered, 2 greater, 1 less, 0 equal."""
    if a[2] or b[2]:
        return 3
    x, y = signed(a), signed(b)
    return 0 if x == y else 2 if x > y else 1


def extremum(a, b, is_max, ignores_nan):
    if a[2] or b[2]:
        return b if ignores_nan and a[2] else a if ignores_nan else NAN
    first, second = (a, b) if (signed(a), -a[0]) < (signed(b), -b[0]) else (b, a)
    return second if is_max else first
