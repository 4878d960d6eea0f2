#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The steps of a program of RISE that is read from the input, as `S >> *T >> **f`: T transposes, S splits, J joins, W
slides.

`*s` is s in a map."""
import re
import sys

VIEWS = {"transpose": "T", "split": "S", "join": "J", "slide": "W", "take": "take", "drop": "drop"}
SCALAR = "abs"


class Reader:
    def __init__(self, text):
        self.tokens = re.findall(r"=>|\w+|\S", text)
        self.at = 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token):
        got = self.take()
        if got != token:
            sys.exit(f"expected {token}, got {got}")

    def skip_binders(self):
        name = self.take()
        while self.take() != "=>":
            pass
        return name

    def term(self):
        """A name or a function, and its arguments."""
        head = self.take()
        if head in ("fun", "depFun"):
            self.expect("(")
            name = self.skip_binders()
            body = self.term()
            self.expect(")")
            return (head, name, body)
        arguments = []
        while self.at < len(self.tokens) and self.tokens[self.at] == "(":
            self.take()
            arguments.append(self.term())
            while self.tokens[self.at] in "+-*":
                self.take()
                self.term()
            self.expect(")")
        return (head, *arguments)


def steps(term, variable):
    head, *arguments = term
    if term == (variable,):
        return []
    if head in VIEWS:
        return steps(arguments[-1], variable) + [VIEWS[head]]
    if head == SCALAR:
        return steps(arguments[0], variable) + ["f"]
    if head == "map":
        function, data = arguments
        if len(function) == 1:  # `map(abs)`
            function = ("fun", "it", (*function, ("it",)))
        _, element, body = function
        inner = steps(body, element)
        step = inner[0] if len(inner) == 1 else "(" + " >> ".join(inner) + ")"
        return steps(data, variable) + ["*" + step]
    sys.exit(f"unexpected {head}")


def main():
    reader = Reader(sys.stdin.read().split("=", 1)[1])
    term = reader.term()
    while term[0] == "depFun":
        term = term[2]
    print(" >> ".join(steps(term[2], term[1])) or "id")


main()
