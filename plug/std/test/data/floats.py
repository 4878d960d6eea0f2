# SPDX-License-Identifier: MIT
"""Compares a program that reads floats, one in a line, and writes their bits and their text, with Python: `floats.py PROGRAM`."""
import random
import struct
import subprocess
import sys
from decimal import Decimal, getcontext

getcontext().prec = 1200
random.seed(1)
INFINITY = 2047 << 52


def number_of(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits_of(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def half_way(bits):
    """The number half way to the next float, and numbers just beside it, with more digits than are kept, too."""
    exact = (Decimal(number_of(bits)) + Decimal(number_of(bits + 1))) / 2
    text = format(exact, "f")
    longer = text + ("" if "." in text else ".")
    return [text, f"{exact:e}", longer + "0" * 50, longer + "0" * 900 + "1", str(exact * (1 - Decimal(10) ** -790))]


def digits(size):
    return str(random.getrandbits(random.randrange(1, size)))


def text_at_random():
    exponent = random.choice(["", f"e{random.randrange(-350, 320)}", f"E+{random.randrange(300)}"])
    return random.choice(["", "-", "+"]) + digits(90) + random.choice(["", ".", "." + digits(30)]) + exponent


def expected(text):
    try:
        x = float(text)
    except ValueError:
        return "none"
    return f"{bits_of(x)} {x!r}"


def texts():
    for exponent in range(2047):  # powers of two and their neighbours; those of ten
        least = exponent << 52
        yield from (repr(number_of(bits)) for bits in (least, least + 1, least + (1 << 52) - 1))
    yield from (f"1e{exponent}" for exponent in range(-330, 315))
    yield from (repr(number_of(random.getrandbits(64) % INFINITY)) for _ in range(1000))
    yield from (repr(round(random.uniform(-1000, 1000), random.randrange(8))) for _ in range(1000))
    for bits in [0, 1, 2, (1 << 52) - 1, 1 << 52, bits_of(1.0), bits_of(1.0) - 1, bits_of(1e22), bits_of(1e23), INFINITY - 2]:
        yield from half_way(bits)
    for _ in range(50):
        yield from half_way(random.getrandbits(64) % (INFINITY - 1))
    largest = Decimal(2) ** 1024 - Decimal(2) ** 970  # half way to what would be the next float
    yield from (format(largest, "f"), format(largest - 1, "f"), format(largest, "f") + ".5")
    yield from ("0." + "0" * 400 + "1e400", "1" + "0" * 400 + "e-400", "1" + "0" * 1000, "9" * 3000 + "e-2990", "0" * 3000 + "7", "")
    for _ in range(1000):
        yield text_at_random()
        yield "".join(random.choices("0123456789.e+-", k=random.randrange(1, 9)))


wanted = {text: expected(text) for text in texts()}
run = subprocess.run(sys.argv[1], input="".join(f"{text}\n" for text in wanted), capture_output=True, text=True, check=True)
written = run.stdout.splitlines()
wrong = [(text, got, want) for (text, want), got in zip(wanted.items(), written) if got != want]
for text, got, want in wrong[:10]:
    print(f"{text}: {got}, and not {want}")
print(len(written) == len(wanted) and f"{len(wanted)} texts, {len(wrong)} wrong")
