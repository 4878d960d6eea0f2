# SPDX-License-Identifier: MIT
"""Patterns as trees, as Python's re reads them: lines that match or nearly do, and the same pattern as re2c and ragel write it."""
import functools
import random
import re._constants as op
import re._parser as parser

DIGIT, SPACE = set(b"0123456789"), set(b" \t\n\r\f\v")
WORD = DIGIT | set(range(65, 91)) | set(range(97, 123)) | {95}
CATEGORIES = {op.CATEGORY_DIGIT: DIGIT, op.CATEGORY_SPACE: SPACE, op.CATEGORY_WORD: WORD}
BYTES = set(range(1, 256))
PRINTED = set(range(32, 127))


def tree(pattern):
    """('chars', set) | ('seq', [tree]) | ('alt', [tree]) | ('repeat', min, max or None, tree)"""
    return sequence(parser.parse(pattern))


def sequence(items):
    return ("seq", [node(*item) for item in items])


def node(kind, arg):
    if kind is op.LITERAL:
        return ("chars", {arg})
    if kind is op.NOT_LITERAL:
        return ("chars", BYTES - {arg})
    if kind is op.ANY:
        return ("chars", BYTES - {10})
    if kind is op.IN:
        return ("chars", chars(arg))
    if kind is op.BRANCH:
        return ("alt", [sequence(way) for way in arg[1]])
    if kind is op.SUBPATTERN:
        return sequence(arg[3])
    if kind is op.MAX_REPEAT:
        return ("repeat", arg[0], None if arg[1] is op.MAXREPEAT else arg[1], sequence(arg[2]))
    raise ValueError(f"a pattern with {kind}")


def chars(items):
    result, complement = set(), False
    for kind, arg in items:
        if kind is op.NEGATE:
            complement = True
        elif kind is op.LITERAL:
            result.add(arg)
        else:
            result |= CATEGORIES[arg] if kind is op.CATEGORY else set(range(arg[0], arg[1] + 1))
    return BYTES - result if complement else result


def runs(chars):
    """The runs of a set: [(first, last)]."""
    result = []
    for c in sorted(chars):
        if result and result[-1][1] == c - 1:
            result[-1] = (result[-1][0], c)
        else:
            result.append((c, c))
    return result


def re2c_set(chars):
    return "[" + "".join(rf"\x{lo:02x}-\x{hi:02x}" for lo, hi in runs(chars)) + "]"


def ragel_set(chars):
    return "(" + "|".join(f"{lo}..{hi}" for lo, hi in runs(chars)) + ")"


def write(t, leaf):
    """As text, with sets of characters written by leaf. re2c and ragel agree about all else."""
    if t[0] == "chars":
        return leaf(t[1])
    if t[0] == "repeat":
        low, high = t[1], t[2]
        times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high)) or f"{{{low},{'' if high is None else high}}}"
        return f"({write(t[3], leaf)}){times}"
    parts = [write(kid, leaf) for kid in t[1]]
    return "(" + (" " if t[0] == "seq" else "|").join(parts) + ")" if parts else '""'


@functools.cache
def choices(chars):
    return sorted(chars & PRINTED or chars)


def sample(t, dice, more):
    """A text that matches, with about `more` rounds of what may be repeated for ever, a quarter of them in what is inside of it."""
    if t[0] == "chars":
        return chr(dice.choice(choices(frozenset(t[1]))))
    if t[0] == "seq":
        return "".join(sample(kid, dice, more) for kid in t[1])
    if t[0] == "alt":
        return sample(dice.choice(t[1]), dice, more)
    times = t[1] + min(int(dice.expovariate(1 / more)), 400) if t[2] is None else dice.randint(t[1], t[2])
    return "".join(sample(t[3], dice, more / 4) for _ in range(times))


def nearly(text, alphabet, dice):
    """The text with one character changed, dropped, doubled or added, or cut off."""
    i = dice.randrange(len(text) + 1)
    c = dice.choice(alphabet)
    return dice.choice([text[:i] + c + text[i + 1 :], text[:i] + text[i + 1 :], text[:i] + c + text[i:], text[:i]])


def lines(pattern, seed, count):
    """Lines of which about half match, most of the others nearly."""
    t, dice, result = tree(pattern), random.Random(seed), []
    loops = pattern.count("*") + pattern.count("+")
    texts = [sample(t, dice, 40 / max(loops, 1)) for _ in range(count)]
    alphabet = sorted(set("".join(texts)))
    for text in texts:
        kind = dice.random()
        if kind > 0.95:
            text = "".join(dice.choice(alphabet) for _ in text)
        elif kind > 0.55:
            text = nearly(text, alphabet, dice)
        result.append(text.replace("\n", " "))
    return result
