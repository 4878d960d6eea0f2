#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text of Polara with mistakes, and bytes: each program is one of this tree, or a random one, that is changed in some places.

It is checked; what is accepted becomes lists, in paper form and in full, and code. Each of these ends in time, within its
memory, and either succeeds or says what is wrong, and where.

    hostile.py [--mim PATH] [--seed N] [--count N] [--jobs N] --folder FOLDER

A program that fails stays in the folder; the seed is in its name."""
import functools
import pathlib
import random
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.insert(0, str(ROOT / "test/random"))
from sweep import sweep

SECONDS, MEMORY = 20, 4_000_000 << 10
TOKEN = re.compile(rb"\n *|[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9.e]*|:=|=>|->|==|--[^\n]*| +|.", re.DOTALL)
WORDS = b"""math strict fast extern def let fun for sum if then else fold scan true false nat flt bool fin exp log sqrt normCdf max
i2n n2f ite main n m x i 0 1 2 3 18446744073709551615 18446744073709551616 1.5 2e-3 1e999 -1 := : ; , . -> => * ( ) [ ] { } + - / == <
.1 .2 _ --""".split()
BYTES = [b"\t", b"\r", b"\0", b"\xff", b"\xe2\x87", b"\x7f", b"?", b"\n", b"  ", b"\n  "] + [sign.encode() for sign in "⇒→×é"]
ERROR = re.compile(rb"^\S*:\d+:\d+: error: .* \[E-?[a-z]*-?\d+\]$", re.MULTILINE)
FILES = sorted(path for folder in ("plug/polara/test", "example", "bench/polara") for path in (ROOT / folder).rglob("*.polara"))


def group(rng, tokens):
    """A random range of tokens: some in a row, a line, or what is in brackets."""
    begin = rng.randrange(len(tokens))
    kind = rng.randrange(3)
    if kind == 0:
        return begin, min(len(tokens), begin + rng.randrange(1, 6))
    if kind == 1:
        end = begin + 1
        while end < len(tokens) and not tokens[end].startswith(b"\n"):
            end += 1
        return begin, end
    openers = [at for at, token in enumerate(tokens) if token in b"([{" and token]
    if not openers:
        return begin, begin + 1
    begin = end = rng.choice(openers)
    depth = 0
    while end < len(tokens):
        depth += (tokens[end] in (b"(", b"[", b"{")) - (tokens[end] in (b")", b"]", b"}"))
        end += 1
        if depth == 0:
            break
    return begin, end


def deepen(rng, tokens, begin, end):
    """Many brackets around a range."""
    opener, closer = rng.choice([(b"(", b")"), (b"(", b")"), (b"[", b"]"), (b"(fun z. ", b")"), (b"(for z:2. ", b")"), (b"(nat -> ", b")")])
    depth = rng.choice([1, 2, 40, 300, 5000, 40000])
    tokens[begin:end] = [opener * depth, *tokens[begin:end], closer * depth]


def enlarge(rng, tokens):
    """A larger number in place of one."""
    numbers = [at for at, token in enumerate(tokens) if token.isdigit()]
    if numbers:
        tokens[rng.choice(numbers)] = str(rng.choice([1000, 10**6, 2**31, 2**32, 2**61, 2**63, 2**64 - 1, 2**64])).encode()


def swap_lines(rng, tokens):
    lines = b"".join(tokens).split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    tokens[:] = TOKEN.findall(b"\n".join(lines))


def change(rng, tokens, others):
    begin, end = group(rng, tokens)
    kind = rng.randrange(12)
    if kind == 0:
        del tokens[begin:end]
    elif kind == 9:
        deepen(rng, tokens, begin, end)
    elif kind == 10:
        enlarge(rng, tokens)
    elif kind == 11:
        swap_lines(rng, tokens)
    elif kind == 1:
        tokens[begin:end] = [rng.choice(WORDS)]
    elif kind == 2:
        tokens.insert(begin, b" " + rng.choice(WORDS) + b" ")
    elif kind == 3:
        tokens[begin:begin] = tokens[begin:end]
    elif kind == 4:
        other = group(rng, others)
        tokens[begin:end] = others[other[0]:other[1]]
    elif kind == 5:
        at = rng.randrange(len(tokens))
        tokens[at:at] = tokens[begin:end]
    elif kind == 6:
        tokens.insert(begin, rng.choice(BYTES))
    elif kind == 7:
        names = [token for token in tokens if token[:1].isalpha()]
        tokens[begin] = rng.choice(names) if names else b"x"
    else:
        spaces = [at for at, token in enumerate(tokens) if token.startswith(b"\n")]
        if spaces:
            tokens[rng.choice(spaces)] = b"\n" + b" " * rng.randrange(8)


def mutant(seed):
    rng = random.Random(seed)

    def text():
        if rng.random() < 0.8:
            return rng.choice(FILES).read_bytes()
        command = [sys.executable, str(HERE / "generate.py"), str(rng.randrange(10**6)), "1"]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    tokens, others = TOKEN.findall(text()), TOKEN.findall(text())
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        if tokens:
            change(rng, tokens, others)
    return b"".join(tokens)


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@functools.cache
def limit_for(mim):
    """None for a program that does not even start with this memory: one with sanitizers takes terabytes of addresses."""
    starts = subprocess.run([mim, "--version"], capture_output=True, check=False, preexec_fn=little_memory).returncode == 0
    return little_memory if starts else None


def fault(command):
    """The fault of a command, if it has one, and whether it succeeded."""
    try:
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS, check=False,
                                preexec_fn=limit_for(command[0]))
    except subprocess.TimeoutExpired:
        return "takes too long", False
    if result.returncode not in (0, 1):
        return f"status {result.returncode}", False
    has_error = ERROR.search(result.stderr)
    if result.returncode == 1 and not has_error:
        return "no error with a place", False
    return ("an error, and status 0" if result.returncode == 0 and has_error else None), result.returncode == 0


def check(options, seed, _):
    file = options.folder / f"t{seed}.polara"
    file.write_bytes(mutant(seed))
    commands = [["check", str(file)]]
    has_program = b"main" in file.read_bytes() or b"extern" in file.read_bytes()
    if has_program:
        output = ["-o", str(file.with_suffix(".out"))]
        commands += [["build", str(file), "--emit", "ainf", *output, "--verify-each", "--pipeline", f"%polara.stage.{stage}"]
                     for stage in ("all", "full")]
        commands += [["build", "-O0", str(file), "--emit", "obj", *output]]
    wrong = []
    for command in commands:
        what, is_good = fault([options.mim, *command])
        if what and not (command[0] == "build" and what == "no error with a place" and is_without_program(options, file)):
            wrong.append(f"{file}: {' '.join(command)}: {what}")
        if not is_good:
            break
    file.with_suffix(".out").unlink(missing_ok=True)
    if not wrong:
        file.unlink()
    return wrong


def is_without_program(options, file):
    """Whether the text has the words, but nothing that is visible outside."""
    command = [options.mim, "build", str(file), "--emit", "mim", "-o", "-", "--pipeline", "%compile.skip"]
    return b"extern" not in subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


if __name__ == "__main__":
    sys.exit(sweep(__doc__, 1, check))
