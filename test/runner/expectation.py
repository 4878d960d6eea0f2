# SPDX-License-Identifier: MIT
"""What a test expects, as comments at its end, and how they are written."""
import re

EXPECTATION = re.compile(r"^// (OUT|ERR)([|~])(?: (.*))?$")


def expectation_lines(key, text):
    if not text:
        return []
    lines = text.split("\n")
    last = lines.pop()
    out = [f"// {key}| {l}".rstrip() for l in lines]
    return out + ([f"// {key}~ {last}"] if last else [])


def write_statuses(test, exits):
    """Puts the statuses behind the RUN lines; says whether that changed the file."""
    exits = iter(exits)
    out = []
    for line in test.text.split("\n"):
        if line.startswith("// EXIT: "):
            continue
        out.append(line)
        if line.startswith("// RUN: "):
            status = next(exits)
            if status != 0:
                out.append(f"// EXIT: {status}")
    return write_test(test, "\n".join(out))


def write_expectation(test, result):
    """Puts the outputs at the end of the file; returns no failures."""
    out = [line for line in test.text.split("\n") if not EXPECTATION.match(line)]
    while out and not out[-1]:
        out.pop()
    tail = expectation_lines("OUT", result.out) + expectation_lines("ERR", result.err)
    if write_test(test, "\n".join(out + ([""] if tail else []) + tail) + "\n"):
        print(f"blessed {test.name}")
    return []


def write_test(test, text):
    """Says whether the file had another text."""
    if text == test.text:
        return False
    test.path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return True
