#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compiled patterns against Python's re: random patterns and subjects, each pattern in each way to match that can take it.

usage: agree.py [--mim PROGRAM] [--seed N] [--count PAIRS] [--subjects N] [--jobs N] [--folder FOLDER] [--pcre2] [--long] [--quiet]
                [--batch N]

A pair is a pattern and one of so many subjects of it. Each is matched as %regex.full and as a prefix from several positions, by default
and forced to each scheme of %regex.by that fits; searched with %regex.prefix, next, count and all; and asked for its groups. What the
guard pages around a subject catch is an access outside of it. A batch of patterns is one program, made for this processor or for one
without vectors beyond SSE2, with all that LLVM does or nothing. Ends with the numbers; the exit status is 0 if all agree. --pcre2: PCRE2,
which reads the same texts, instead of Python. --long: only searching, in subjects of hundreds of characters, on all ways that skip some.
--batch: only this one, which the report of a disagreement names, as JSON. --quiet: no numbers but the sum.

What is left out, by rule:
- what only one of the two has: back-references and looking around; `{,n}`, which is text for one and a bound for the other; `$` before a
  last newline, which is only Python's (`\\z` stands for `\\Z`), and `(?m)^` behind it, which is not PCRE2's without an option;
  quantifiers of quantifiers; `-` behind a class, which is an error for PCRE2
- with the flag `u` (Python: str with re.ASCII) searching for patterns that may match nothing, since positions inside of a character are
  positions of the subject of bytes
- what may match nothing, up to so many times: behind a round that matched nothing Perl tries another one, and Python does not
- what takes Python longer than a tenth of a second, since it tries all ways
- groups that Python does not reset as Perl does: of patterns with a group in what is repeated (they are compared with --pcre2)
"""
import argparse
import collections
import concurrent.futures
import ctypes
import json
import mmap
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import warnings

warnings.simplefilter("ignore")  # of sets that may mean something else some day
HERE = os.path.dirname(os.path.abspath(__file__))
PATTERNS = 20  # of a batch
ABSENT = 2**64 - 1
LETTERS = "abc"
DOLLAR = "\x01"  # `$`, of which flags around it say what it is
CLASSES = {r"\d": r"[0-9]", r"\w": r"[A-Za-z0-9_]", r"\s": r"[ \t-\r]", r"\h": r"[ \t]", r"\v": r"[\n-\r]", r"\N": r"[^\n]"}
POSIX = {"alpha": "A-Za-z", "digit": "0-9", "upper": "A-Z", "punct": "!-/:-@\\[-`{-~", "space": " \\t-\\r", "xdigit": "0-9A-Fa-f"}
WORDS = ["get", "put", "post", "ab", "abc", "abcd", "Jan", "Feb", "http", "https", "://", "foo", "bar", "true", "false", "null"]


class Node:
    """A pattern as both write it, with a text that it matches, as far as places allow, and whether it may match nothing."""

    def __init__(self, mim, py, sample, nullable=False, atom=False, looping=False, groups=0, group_in_loop=False,
                 empty_rounds=False):
        self.mim, self.py, self.sample, self.nullable, self.atom = mim, py, sample, nullable, atom
        self.looping, self.groups, self.group_in_loop = looping, groups, group_in_loop
        self.empty_rounds = empty_rounds

    def closed(self):
        if self.atom:
            return self
        return self.wrapped("(?:", ")")

    def wrapped(self, before, after, py_before=None, groups=0):
        py = (py_before or before) + self.py + after
        return Node(before + self.mim + after, py, self.sample, self.nullable, True, self.looping, self.groups + groups,
                    self.group_in_loop, self.empty_rounds)


class Maker:
    """Random patterns: of few letters, so that much matches, or as people write them."""

    def __init__(self, rng, utf8):
        self.rng, self.utf8 = rng, utf8
        self.names = 0
        self.dense = rng.random() < 0.6

    def char(self, c):
        """One character as a literal."""
        if c in "\\^$.[]|()?*+{}":
            return "\\" + c, "\\" + c
        if c == "\n":
            return self.rng.choice([("\\n", "\\n"), ("\\x0a", "\\x0a"), ("\\012", "\\012")])
        if ord(c) < 32:
            return "\\x{%x}" % ord(c), "\\x%02x" % ord(c)
        if c.isalnum() and ord(c) < 128 and self.rng.random() < 0.05:
            return "\\x%02X" % ord(c), c
        return c, c

    def letter(self):
        r = self.rng.random()
        if self.utf8 and r < 0.25:
            return self.rng.choice("éαβ√😀")
        if r < 0.85:
            return self.rng.choice(LETTERS if self.dense else "abcdefghijklmnopqrstuvwxyz0123456789")
        return self.rng.choice("AB1_ -.\n\0\t")

    def literal(self):
        if not self.utf8 and self.rng.random() < 0.04:  # one character for a pattern, two bytes for Python
            c = "\xc3\xa9"
            return Node(f"(?:{c})", f"(?:{c})", lambda: c, atom=True)
        c = self.letter()
        mim, py = self.char(c)
        return Node(mim, py, lambda: c, atom=True)

    def charset(self):
        mim, py, members = "", "", []
        for _ in range(self.rng.randint(1, 3)):
            r = self.rng.random()
            if r < 0.2:
                name = self.rng.choice(list(CLASSES)[:3])
                upper = self.rng.random() < 0.3
                mim, py = mim + (name.upper() if upper else name), py + (name.upper() if upper else name)
            elif r < 0.3:
                name = self.rng.choice(list(POSIX))
                mim, py = f"[:{name}:]" + mim, py + POSIX[name]  # behind `\W`, PCRE2 10.42 forgets all characters from 256 on
            elif r < 0.65:
                a, b = sorted((self.letter(), self.letter()))
                one, two = self.char(a), self.char(b)
                if a == "-":
                    one = ("\\-", "\\-")  # behind a class, PCRE2 takes it for a mistake
                members += [a, b]
                mim, py = mim + one[0] + "-" + two[0], py + one[1] + "-" + two[1]
            else:
                c = self.letter()
                members.append(c)
                one = ("\\-", "\\-") if c == "-" else self.char(c)
                mim, py = mim + one[0], py + one[1]
        no = "^" if self.rng.random() < 0.25 else ""
        sample = (lambda: self.rng.choice(members)) if members and not no else (lambda: self.rng.choice("a7Z_ -\n"))
        return Node(f"[{no}{mim}]", f"[{no}{py}]", sample, atom=True)

    def cls(self):
        name = self.rng.choice(list(CLASSES))
        some = {r"\d": "0189", r"\w": "a_9Z", r"\s": " \t\n", r"\h": " \t", r"\v": "\n\r", r"\N": "a. "}[name]
        if name != r"\N" and self.rng.random() < 0.2:
            return Node(name.upper(), "[^" + CLASSES[name][1:], lambda: self.rng.choice("a -"), atom=True)
        return Node(name, CLASSES[name], lambda: self.rng.choice(some), atom=True)

    def place(self):
        mim, py = self.rng.choice([("^", "^"), ("\\A", "\\A"), ("\\z", "\\Z"), ("$", DOLLAR), ("(?m:^)", "(?m:^)"), ("(?m:$)", "(?m:$)"),
                                   ("\\b", "\\b"), ("\\b", "\\b"), ("\\B", "(?:(?!\\b))"),
                                   ("(?<!\\w)", "(?<!\\w)"), ("(?!\\w)", "(?!\\w)")])
        return Node(mim, py, lambda: "", nullable=True)

    def sequence(self, parts):
        groups = sum(p.groups for p in parts)
        return Node("".join(p.mim for p in parts), "".join(p.py for p in parts), lambda: "".join(p.sample() for p in parts),
                    all(p.nullable for p in parts), False, any(p.looping for p in parts), groups, any(p.group_in_loop for p in parts),
                    any(p.empty_rounds for p in parts))

    def ways(self, parts):
        empty = Node("", "", lambda: "", nullable=True)
        if self.rng.random() < 0.1:
            parts = parts + [empty] if self.rng.random() < 0.7 else [empty] + parts
        node = self.sequence(parts)
        return Node("|".join(p.mim for p in parts), "|".join(p.py for p in parts), lambda: self.rng.choice(parts).sample(),
                    any(p.nullable for p in parts), False, node.looping, node.groups, node.group_in_loop, node.empty_rounds)

    def repeated(self, node):
        node = node.closed()
        kind = self.rng.choice(["*", "+", "?", "{n}", "{n,}", "{n,m}"])
        low = self.rng.randint(0, 3)
        high = low + self.rng.randint(0, 3)
        if kind == "{n,m}" and len(node.mim) < 8 and self.rng.random() < 0.2:  # a run that is counted
            low, high = self.rng.randint(0, 12), self.rng.randint(12, 90)
        mark = kind.replace("n", str(low)).replace("m", str(high)) if "{" in kind else kind
        least = {"*": 0, "?": 0, "+": 1}.get(kind, low)
        most = {"*": least + 3, "+": least + 3, "{n,}": least + 3, "?": 1, "{n}": low, "{n,m}": high}[kind]
        if self.rng.random() < 0.03:
            most = least + 90
        lazy = "?" if self.rng.random() < 0.25 else ""
        sample = lambda: "".join(node.sample() for _ in range(self.rng.randint(least, most)))
        return Node(node.mim + mark + lazy, node.py + mark + lazy, sample, node.nullable or least == 0, False,
                    kind in ("*", "+", "{n,}") or node.looping, node.groups, node.group_in_loop or node.groups > 0,
                    node.empty_rounds or (kind == "{n,m}" and node.nullable and high > max(low, 1)))

    def group(self, node):
        r = self.rng.random()
        if r < 0.5:
            return node.wrapped("(", ")", groups=1)
        if r < 0.6:
            self.names += 1
            name = f"n{self.names}"
            return node.wrapped(self.rng.choice([f"(?<{name}>", f"(?P<{name}>"]), ")", f"(?P<{name}>", groups=1)
        if r < 0.8:
            flags = self.rng.choice(["i", "s", "m", "im", "-i"])
            node = node.wrapped(f"(?{flags}:", ")")
            node.py = node.py.replace(DOLLAR, "$") if "m" in flags else node.py
            return node
        return node.wrapped("(?:", ")")

    def words(self):
        some = self.rng.sample(WORDS, self.rng.randint(2, 7))
        parts = [self.sequence([Node(*self.char(c), lambda c=c: c) for c in word]) for word in some]
        return self.ways(parts).closed()

    def node(self, depth):
        r = self.rng.random()
        if depth == 0 or r < 0.12:
            r = self.rng.random()
            if r < 0.05:
                dot = Node(".", ".", lambda: self.rng.choice("ab c"), atom=True)
                return dot
            return self.literal() if r < 0.5 else self.charset() if r < 0.75 else self.cls() if r < 0.92 else self.place()
        if r < 0.16 and not self.dense:
            return self.words()
        if r < 0.5:
            return self.sequence([self.inner(depth - 1) for _ in range(self.rng.randint(2, 4))])
        if r < 0.65:
            return self.ways([self.node(depth - 1) for _ in range(self.rng.randint(2, 3))]).closed()
        if r < 0.85:
            return self.repeated(self.node(depth - 1))
        return self.group(self.node(depth - 1))

    def inner(self, depth):
        return self.node(depth)

    def pattern(self):
        while True:
            node = self.node(self.rng.randint(1, 4))
            if len(node.mim) > 160 or node.groups > 7:
                continue
            try:
                re.compile(node.py)
            except re.error:  # a place alone is nothing to repeat for Python
                continue
            return node


class TooLong(Exception):
    pass


def on_alarm(_signal, _frame):
    raise TooLong


class Python:
    """What Python finds; positions are those of bytes."""

    seconds = 0.1  # for a subject

    def __init__(self, node, utf8):
        self.utf8 = utf8
        text = node.py.replace(DOLLAR, "\\Z")
        text, flags = (text, re.ASCII) if utf8 else (text.encode("latin-1"), 0)
        self.prefix = re.compile(text, flags)
        self.full = re.compile("(?:" + text + ")\\Z" if utf8 else b"(?:" + text + b")\\Z", flags)
        self.has_groups = not node.group_in_loop

    def subject(self, subject):
        self.text = subject if self.utf8 else subject.encode("latin-1")
        self.at = [0]
        for c in subject:
            self.at.append(self.at[-1] + (len(c.encode()) if self.utf8 else 1))

    def end(self, compiled, pos):
        found = compiled.match(self.text, pos)
        return 0 if found is None else self.at[found.end()] + 1

    def prefix_end(self, pos):
        return self.end(self.prefix, pos)

    def full_end(self, pos):
        return self.end(self.full, pos)

    def spans(self):
        return [(self.at[a], self.at[b]) for a, b in (m.span() for m in self.prefix.finditer(self.text))]

    def groups(self):
        found = self.prefix.match(self.text)
        return found and [(self.at[a], self.at[b]) if a >= 0 else None for a, b in (found.span(i) for i in range(self.prefix.groups + 1))]


class Pcre2:
    """What PCRE2 finds in the same texts."""

    UNSET, ANCHORED, ENDANCHORED = ctypes.c_size_t(-1).value, 0x80000000, 0x20000000
    NOTEMPTY_ATSTART, DOLLAR_ENDONLY = 0x00000008, 0x00000010
    ALT_CIRCUMFLEX, UTF = 0x00200000, 0x00080000
    pcre2, seconds = None, 0  # it has a limit of its own

    def __init__(self, node, utf8):
        lib = Pcre2.pcre2 = Pcre2.pcre2 or ctypes.CDLL("libpcre2-8.so.0")
        for f in ("compile", "match_data_create_from_pattern", "get_ovector_pointer"):
            getattr(lib, f"pcre2_{f}_8").restype = ctypes.c_void_p
        text = node.mim.removeprefix("(?u)").encode() if utf8 else node.mim.encode("latin-1")
        error, where = ctypes.c_int(), ctypes.c_size_t()
        flags = self.DOLLAR_ENDONLY | self.ALT_CIRCUMFLEX | (self.UTF if utf8 else 0)
        self.code = lib.pcre2_compile_8(text, ctypes.c_size_t(len(text)), flags, ctypes.byref(error), ctypes.byref(where), None)
        if not self.code:
            raise ValueError(f"PCRE2 rejects {text!r}: {error.value} at {where.value}")
        self.code = ctypes.c_void_p(self.code)
        self.data = ctypes.c_void_p(lib.pcre2_match_data_create_from_pattern_8(self.code, None))
        self.found = ctypes.cast(lib.pcre2_get_ovector_pointer_8(self.data), ctypes.POINTER(ctypes.c_size_t))
        self.count, self.utf8, self.has_groups = node.groups, utf8, True

    def __del__(self):
        self.pcre2.pcre2_match_data_free_8(self.data)
        self.pcre2.pcre2_code_free_8(self.code)

    def subject(self, subject):
        self.text = subject.encode() if self.utf8 else subject.encode("latin-1")
        self.at = [0]
        for c in subject:
            self.at.append(self.at[-1] + (len(c.encode()) if self.utf8 else 1))

    def match(self, at, flags):
        result = self.pcre2.pcre2_match_8(self.code, self.text, ctypes.c_size_t(len(self.text)), ctypes.c_size_t(at),
                                            ctypes.c_uint(flags), self.data, None)
        if result in (-47, -53, -63):  # limits of matching, depth and heap
            raise TooLong
        if result < -1:
            raise ValueError(f"PCRE2 failed: {result}")
        return result > 0

    def prefix_end(self, pos):
        return self.found[1] + 1 if self.match(self.at[pos], self.ANCHORED) else 0

    def full_end(self, pos):
        return self.found[1] + 1 if self.match(self.at[pos], self.ANCHORED | self.ENDANCHORED) else 0

    def spans(self):
        all, pos, flags = [], 0, 0
        while self.match(pos, flags):
            all.append((self.found[0], self.found[1]))
            flags = self.NOTEMPTY_ATSTART if self.found[0] == self.found[1] else 0
            pos = self.found[1]
        return all

    def groups(self):
        if not self.match(0, self.ANCHORED):
            return None
        pairs = [(self.found[2 * i], self.found[2 * i + 1]) for i in range(self.count + 1)]
        return [None if a == self.UNSET else (a, b) for a, b in pairs]


def schemes():
    with open(f"{HERE}/../regex.mim", encoding="utf-8") as f:
        return [s.strip() for s in re.search(r"^axm %regex\.by\(([^)]*)\)", f.read(), re.M)[1].split(",")]


SCHEMES = schemes()

MATCHER = """
fun extern {name} (mem: %mem.M, n: Nat, text: %regex.Str n, at: Idx n): [%mem.M, Nat] = {{
    con no () = return (mem, {absent});
    con yes () = {{
        let (mem, ok, to) = {pattern} (mem, text, at);
        return (mem, (0, %core.nat.add (%core.bitcast Nat to, 1))#ok)
    }};
    (no, yes)#({condition}) ()
}};
"""
SEARCHERS = """
fun extern shape_{i} (): Nat = return (%regex.shape (%regex.full p{i}))#0_3;
fun extern prefix_{i} (mem: %mem.M, n: Nat, text: %regex.Chars n, at: Nat): [%mem.M, Nat] = {{
    let (mem, ok, to) = %regex.prefix p{i} (mem, text, %core.bitcast (%regex.Pos n) at);
    return (mem, (0, %core.nat.add (%core.bitcast Nat to, 1))#ok)
}};
fun extern next_{i} (mem: %mem.M, n: Nat, text: %regex.Chars n, from: Nat, again: Bool, span: %mem.Ptr «2; Nat»): [%mem.M, Bool] = {{
    let (mem, ok, begin, to) = %regex.next p{i} (mem, text, %core.bitcast (%regex.Pos n) from, again);
    return (%mem.store (mem, span, (%core.bitcast Nat begin, %core.bitcast Nat to)), ok)
}};
fun extern count_{i} (mem: %mem.M, n: Nat, text: %regex.Chars n): [%mem.M, Nat] = return (%regex.count p{i} (mem, text));
fun extern all_{i} (mem: %mem.M, n k: Nat, text: %regex.Chars n, spans: %mem.Ptr «k; «2; Nat»»): [%mem.M, Nat] = {{
    ret (mem, found) = %regex.all p{i} $ (mem, text, spans);
    return (mem, found)
}};
"""
GROUPS = """
fun extern groups_{i} (mem: %mem.M, n: Nat, text: %regex.Str n, at: Idx n, to: %mem.Ptr «{k}; [Nat, Nat, Nat]»): [%mem.M, Bool] = {{
    let (mem, ok, found) = %regex.groups {k} p{i} (mem, text, at);
    let places = ‹g: {k}; ((0, 1)#(found#g#0_3), %core.bitcast Nat (found#g#1_3), %core.bitcast Nat (found#g#2_3))›;
    return (%mem.store (mem, to, places), ok)
}};
"""


def literal(data):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data) + '"'


def program(nodes, texts, searching_only):
    out = ["plugin regex;\nplugin core;\nplugin mem;\n"]
    for i, (node, text) in enumerate(zip(nodes, texts)):
        out.append(f"let p{i} = %regex.parse @{len(text)} {literal(text)};\n")
        for whole in () if searching_only else (True, False):
            pattern, kind = (f"(%regex.full p{i})", "full") if whole else (f"p{i}", "here")
            out.append(MATCHER.format(name=f"{kind}_{i}", pattern=pattern, absent=ABSENT, condition="tt"))
            for number, scheme in enumerate(SCHEMES):
                by = f"(%regex.by.{scheme} {pattern})"
                fits = f"%core.ncmp.e ((%regex.shape {by})#0_3, {number})"
                out.append(MATCHER.format(name=f"{kind}_{scheme}_{i}", pattern=by, absent=ABSENT, condition=fits))
        out.append(SEARCHERS.format(i=i))
        if node.groups and not searching_only:
            out.append(GROUPS.format(i=i, k=node.groups + 1))
    return "".join(out)


class Guarded:
    """Three pages, of which only the middle ones may be read: a subject begins at their begin or stops at their end."""

    def __init__(self):
        self.page, self.size = mmap.PAGESIZE, 4 * mmap.PAGESIZE
        self.map = mmap.mmap(-1, self.size + 2 * self.page)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.map)) + self.page
        protect = ctypes.CDLL(None).mprotect
        for at in (self.base - self.page, self.base + self.size):
            if protect(ctypes.c_void_p(at), ctypes.c_size_t(self.page), 0) != 0:
                raise OSError("mprotect")

    def put(self, data, at_end):
        at = self.base + (self.size - len(data) if at_end else 0)
        ctypes.memmove(at, data, len(data))
        return ctypes.c_void_p(at)


def subjects(rng, node, utf8, zeros, count):
    """Texts that the pattern should match, changed ones, and noise."""
    noise = (LETTERS * 4 + "AB19_ -.\n\t") + ("éαβ√😀" if utf8 else "\xc3\xa9\xff") + ("\0" if zeros else "")
    for _ in range(count):
        r = rng.random()
        text = node.sample() if r < 0.75 else ""
        if r < 0.4:
            for _ in range(rng.randint(0, 2)):
                at = rng.randint(0, len(text))
                text = text[:at] + rng.choice(["", rng.choice(noise)]) + text[at + rng.randint(0, 1):]
        if r > 0.6:
            text = "".join(rng.choice(noise) for _ in range(rng.choice([0, 1, 2, 5, 20]))) + text
            text += "".join(rng.choice(noise) for _ in range(rng.randint(0, 6)))
        if not node.looping and r > 0.97 or r > 0.995:
            text = (text + "a") * rng.randint(1, 12)
        yield (text if zeros else text.replace("\0", "b"))[:400]


def long_subjects(rng, node, utf8, zeros, count):
    """Texts that the pattern should match, nearly matches, and in between what common texts have, or one character again and again."""
    for _ in range(count):
        text, size = "", rng.randint(64, 400)
        common = rng.choice(["e t a o i n s", "abc", "x", " ", "a ", "\n", "0", "etaoin shrdlu\nQ"])
        while len(text) < size:
            text += "".join(rng.choice(common) for _ in range(rng.choice([0, 1, 3, 20, 100])))
            text += next(subjects(rng, node, utf8, zeros, 1))
        yield text[:size]


class Batch:
    def __init__(self, o, number):
        self.o, self.number = o, number
        self.rng = random.Random(o.seed * 1_000_003 + number)
        self.utf8 = self.rng.random() < 0.3
        self.tally = collections.Counter()
        self.wrong = []

    def run(self):
        nodes = [Maker(self.rng, self.utf8).pattern() for _ in range(PATTERNS)]
        for node in nodes:
            if self.utf8:
                node.mim = "(?u)" + node.mim
        texts = [n.mim.encode() if self.utf8 else n.mim.encode("latin-1") for n in nodes]
        flags = ["-O0"] if self.rng.random() < 0.75 else []
        flags += ["--cpu", "x86-64"] if self.rng.random() < 0.25 else []
        with tempfile.TemporaryDirectory(dir=self.o.folder) as folder:
            source, library = f"{folder}/batch.mim", f"{folder}/batch.so"
            with open(source, "w", encoding="utf-8") as f:
                f.write(program(nodes, texts, self.o.long))
            begin = time.time()
            built = subprocess.run([self.o.mim, "build", *flags, "--emit", "shared", "-o", library, source], capture_output=True, text=True)
            self.tally["build s"] += time.time() - begin
            if built.returncode != 0:
                self.wrong.append(f"mim {' '.join(flags)}: {built.stderr[:2000]}")
                return self
            code = ctypes.CDLL(library)
        self.buffer = Guarded()
        signal.signal(signal.SIGVTALRM, on_alarm)
        for i, node in enumerate(nodes):
            self.pattern(code, i, node)
        return self

    def pattern(self, code, i, node):
        if node.empty_rounds and not self.o.pcre2:
            self.tally["patterns that only PCRE2 knows"] += 1
            return
        oracle = (Pcre2 if self.o.pcre2 else Python)(node, self.utf8)
        self.tally["patterns"] += 1
        self.tally[f"chosen {SCHEMES[self.function(code, f'shape_{i}', 0)()]}"] += 1
        ways = []
        for kind in ("full", "here"):
            for scheme in () if self.o.long else ("", *(f"_{s}" for s in SCHEMES)):
                ways.append((kind, scheme, self.function(code, f"{kind}{scheme}_{i}", 3)))
        zeros = "\\0" in node.py or self.rng.random() < 0.15
        for subject in (long_subjects if self.o.long else subjects)(self.rng, node, self.utf8, zeros, self.o.subjects):
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, oracle.seconds)
                oracle.subject(subject)
                self.pair(code, i, node, oracle, ways)
                self.tally["pairs"] += 1
            except TooLong:
                self.tally["pairs that took too long"] += 1

    @staticmethod
    def function(code, name, args, result=ctypes.c_uint64):
        f = getattr(code, name)
        f.restype = result
        f.argtypes = [ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64][:args] if args <= 3 else None
        return f

    def pair(self, code, i, node, oracle, ways):
        data = oracle.text.encode() if isinstance(oracle.text, str) else oracle.text
        last = len(oracle.at) - 1
        starts = {0, last, self.rng.randint(0, last)}
        expected = {(kind, s): oracle.full_end(s) if kind == "full" else oracle.prefix_end(s) for kind in ("full", "here") for s in starts}
        searching = not (self.utf8 and node.nullable)
        spans = oracle.spans() if searching else None
        has_groups = node.groups and oracle.has_groups and not self.o.long
        groups = oracle.groups() if has_groups else None
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        at_end = self.rng.random() < 0.5
        if b"\0" not in data:
            text = self.buffer.put(data + b"\0", at_end)
            for way in list(ways):
                kind, scheme, f = way
                for s in starts:
                    found = f(len(data) + 1, text, oracle.at[s])
                    if found == ABSENT:
                        ways.remove(way)
                        break
                    self.tally[f"{kind}{scheme}"] += 1
                    self.same(f"{kind}{scheme} from {oracle.at[s]}", node, data, found or 0, expected[kind, s])
            if has_groups:
                self.groups(code, i, node, data, text, groups)
        text = self.buffer.put(data, at_end)
        prefix = self.function(code, f"prefix_{i}", 3)
        for s in starts:
            self.tally["prefix"] += 1
            self.same(f"prefix from {oracle.at[s]}", node, data, prefix(len(data), text, oracle.at[s]), expected["here", s])
        if searching:
            self.search(code, i, node, data, text, spans)

    def search(self, code, i, node, data, text, spans):
        self.tally["search"] += 1
        count = self.function(code, f"count_{i}", 2)
        self.same("count", node, data, count(len(data), text), len(spans))
        room = 8
        found = (ctypes.c_uint64 * (2 * room))()
        every = getattr(code, f"all_{i}")
        every.restype = ctypes.c_uint64
        n = every(ctypes.c_uint64(len(data)), ctypes.c_uint64(room), text, found)
        listed = [(found[2 * j], found[2 * j + 1]) for j in range(min(n, room))]
        self.same("all", node, data, (n, listed), (len(spans), spans[:room]))
        after = getattr(code, f"next_{i}")
        after.restype = ctypes.c_bool
        pos, again, got = 0, False, []
        while len(got) <= len(spans) and after(ctypes.c_uint64(len(data)), text, ctypes.c_uint64(pos), ctypes.c_bool(again), found):
            got.append((found[0], found[1]))
            pos, again = found[1], found[0] == found[1]
        self.same("next", node, data, got, spans)

    def groups(self, code, i, node, data, text, expected):
        self.tally["groups"] += 1
        k = node.groups + 1
        places = (ctypes.c_uint64 * (3 * k))()
        f = getattr(code, f"groups_{i}")
        f.restype = ctypes.c_bool
        ok = f(ctypes.c_uint64(len(data) + 1), text, ctypes.c_uint64(0), places)
        found = [(places[3 * g + 1], places[3 * g + 2]) if places[3 * g] else None for g in range(k)]
        self.same("groups", node, data, found if ok else None, expected)

    def same(self, what, node, data, found, expected):
        if found != expected:
            self.tally["disagreements"] += 1
            if len(self.wrong) < 3:
                where = f"  pattern {node.mim!r}\n  python  {node.py!r}\n  subject {data!r}"
                self.wrong.append(f"{what}: found {found}, expected {expected}\n{where}")


def one(o, number):
    """A batch in a process of its own, so that a crash is known."""
    command = [sys.executable, __file__, *sys.argv[1:], "--batch", str(number)]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        tally, wrong = json.loads(done.stdout)
        return number, tally, wrong
    except ValueError:
        return number, {}, [f"exit status {done.returncode}\n{done.stderr}"]


def report(o, results):
    total, bad = collections.Counter(), 0
    for number, tally, wrong in results:
        total.update(tally)
        bad += bool(wrong)
        for text in wrong:
            print(f"batch {number}: {text}", flush=True)
    print("agree: " + ", ".join(f"{int(total[key])} {key}" for key in ("pairs", "patterns", "disagreements")))
    if not o.quiet:
        for key in sorted(total.keys() - {"pairs", "patterns", "disagreements"}):
            print(f"  {key}: {int(total[key])}")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--subjects", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--pcre2", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--batch", type=int)
    o = parser.parse_args()
    if o.folder:
        os.makedirs(o.folder, exist_ok=True)
    if o.batch is not None:
        batch = Batch(o, o.batch).run()
        print(json.dumps([batch.tally, batch.wrong]))
        return
    batches = range(-(-o.count // (PATTERNS * o.subjects)))
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        sys.exit(report(o, pool.map(lambda n: one(o, n), batches)))


if __name__ == "__main__":
    main()
