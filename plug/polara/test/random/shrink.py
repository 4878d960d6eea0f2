#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a program of Polara smaller as long as two commands print different things for it.

    shrink.py [--mim PATH] [--tries N] --folder FOLDER FILE -- COMMAND…

The program differs if `mim run --eval FILE ARGUMENTS` succeeds, and `COMMAND FILE ARGUMENTS` prints something else, or ends with
another status. The arguments of the program are in comments, as generate.py writes them. The smallest program that was found is
printed, with the command that shows the difference.

Steps go from large to small: a definition is dropped; a part of an expression is replaced by a part of it, or by a literal; arrays
of one length are made shorter, in arguments and in the text. The text is taken apart at brackets and words, without types: a step
that makes no program is one that does not differ."""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

ARGUMENT = "-- argument "
LITERALS = ["0", "0.0", "true"]
SEPARATOR = re.compile(r":=|==|=>|->|[;,.+*/<:]|\s-\s|\b(?:then|else|let|if|in)\b")
TYPE = re.compile(r"(?:[()\s*n\dm]|=>|->|\b(?:nat|flt|fin|bool|n|m)\b)+")


class Program:
    """Definitions, the last of which is `main` with a tuple of calls, and arguments."""

    def __init__(self, defs, arguments):
        self.defs, self.arguments = defs, arguments

    @staticmethod
    def parse(text):
        lines = text.splitlines()
        arguments = [line[len(ARGUMENT):] for line in lines if line.startswith(ARGUMENT)]
        code = "\n".join(line for line in lines if not line.startswith("--"))
        return Program([d.rstrip() for d in re.split(r"^(?=(?:extern )?def |math )", code, flags=re.M) if d.strip()], arguments)

    def text(self):
        return "\n".join(self.defs + [ARGUMENT + a for a in self.arguments]) + "\n"

    def with_def(self, i, text):
        return Program(self.defs[:i] + ([text] if text is not None else []) + self.defs[i + 1:], self.arguments)


def closers(text):
    """The partner of each opening bracket."""
    result, stack = {}, []
    for i, c in enumerate(text):
        if c in "([":
            stack.append(i)
        elif c in ")]" and stack:
            result[stack.pop()] = i
    return result


def pieces(text, begin, end, partners):
    """The spans between separators that no bracket inside of this span hides."""
    result, start, i = [], begin, begin
    while i < end:
        separator = SEPARATOR.match(text, i, end)
        is_point = separator and separator[0] == "." and i + 1 < end and text[i + 1].isdigit()
        if i in partners:
            i = partners[i] + 1
        elif separator and not is_point:
            result.append((start, i))
            i = start = separator.end()
        else:
            i += 1
    return result + [(start, end)]


def parts(text, begin):
    """Spans of the text from here on that may be expressions, the longest first."""
    partners = closers(text)
    spans = {(begin, len(text))} | set(pieces(text, begin, len(text), partners))
    for opener, closer in partners.items():
        if opener >= begin:
            spans |= {(opener, closer + 1)} | set(pieces(text, opener + 1, closer, partners))
    trimmed = set()
    for a, b in spans:
        inner = text[a:b]
        a, b = a + len(inner) - len(inner.lstrip()), b - (len(inner) - len(inner.rstrip()))
        if a < b and not TYPE.fullmatch(text[a:b]):
            trimmed.add((a, b))
    return sorted(trimmed, key=lambda span: (span[0] - span[1], span))


def body_of(definition):
    return definition.index(":=") + 2


def smaller_parts(text, spans, a, b):
    """The text with something shorter in place of this part."""
    inner = [text[c:d] for c, d in spans if a <= c and d <= b and d - c < b - a]
    for other in LITERALS + inner[::-1]:
        shown = other if re.fullmatch(r"[\w.]+|\(.*\)", other, re.S) else f"({other})"
        if len(shown) < b - a or (shown in LITERALS and text[a:b] not in LITERALS):
            yield text[:a] + shown + text[b:]


def without_def(program, i):
    """Its calls are dropped as well, each with its element of a tuple."""
    name = re.search(r"def ([\w']+)", program.defs[i])[1]
    rest = program.with_def(i, None)
    last = rest.defs[-1]
    begin = last.find("(", body_of(last))
    if begin < 0:
        return rest
    partners = closers(last)
    spans = pieces(last, begin + 1, partners.get(begin, len(last)), partners)
    kept = [last[a:b].strip() for a, b in spans if not re.search(rf"\b{name}\b", last[a:b])]
    return rest.with_def(len(rest.defs) - 1, f"{last[:begin]}({', '.join(kept)})") if kept else rest


def elements(text):
    """The elements of `[a, b]`; None if it is no array."""
    if not text.startswith("["):
        return None
    spans = pieces(text, 1, len(text) - 1, closers(text))
    return [text[a:b].strip() for a, b in spans if text[a:b].strip()]


def shortened(text, length):
    """A value whose arrays of this length have one element less."""
    all_ = elements(text)
    if all_ is None:
        return text
    rest = [shortened(x, length) for x in all_]
    return "[" + ", ".join(rest[:-1] if len(rest) == length else rest) + "]"


def steps(program):
    """Smaller programs, those first that are much smaller."""
    for i in range(len(program.defs) - 1):
        if "def " in program.defs[i]:
            yield without_def(program, i)
    for length in (5, 4, 3, 2, 1):
        arguments = [shortened(a, length) for a in program.arguments]
        if arguments != program.arguments:
            yield Program(program.defs, arguments)
    for i, text in enumerate(program.defs):
        if "def " not in text:
            continue
        typed = re.match(r"(.*?\))\s*:[^=]*?(?:=>[^=]*?)*:=", text, re.S)
        if typed:
            yield program.with_def(i, text.replace(typed[0], typed[1] + " :=", 1))
        spans = parts(text, body_of(text))
        for a, b in spans:
            for smaller in smaller_parts(text, spans, a, b):
                yield program.with_def(i, smaller)
        for number in (9, 7, 5, 4, 3, 2):
            fewer = re.sub(rf"(?<![\w.]){number}(?!\w|\.\d)", str(number - 1), text)
            if fewer != text:
                yield program.with_def(i, fewer)
    for i, value in enumerate(program.arguments):
        zeros = re.sub(r"-?\d[\d.e]*", "0", value)
        if zeros != value:
            yield Program(program.defs, program.arguments[:i] + [zeros] + program.arguments[i + 1:])


def shrink(program, differs, tries):
    """The smallest program that was found."""
    tried = {program.text()}
    while True:
        for smaller in steps(program):
            text = smaller.text()
            if text in tried:
                continue
            tried.add(text)
            if len(tried) > tries:
                return program
            if differs(smaller):
                program = smaller
                break
        else:
            return program


def output_of(command, program, file):
    file.write_text(program.text())
    try:
        done = subprocess.run([*command, str(file), *program.arguments], capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "out of time", ""
    return f"{done.stdout.decode(errors='replace')}status {done.returncode}", done.stderr.decode(errors="replace")


def smallest(text, reference, command, file, tries=1500, is_no_difference=lambda errors: False):
    """The smallest program that differs, which is left in the file, and a text that shows it with the command."""

    def differs(program):
        expected = output_of(reference, program, file)[0]
        if not expected.endswith("status 0"):
            return False
        output, errors = output_of(command, program, file)
        return output != expected and not is_no_difference(errors)

    program = Program.parse(text)
    if not differs(program):
        return None
    program = shrink(program, differs, tries)
    file.write_text(program.text())
    return program.text() + shlex.join([*map(str, command), str(file), *program.arguments])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mim", default="mim")
    parser.add_argument("--tries", type=int, default=1500)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    target = options.folder / (options.file.stem + ".small.polara")
    shown = smallest(options.file.read_text(), [options.mim, "run", "--eval"], options.command, target, options.tries)
    print(shown if shown else "shrink: the commands agree")
    sys.exit(0 if shown else 1)
