# SPDX-License-Identifier: MIT
"""The table of the laws that are tried, and the terms that several of them are tried on.

A function of an instance returns a strategy and a term. `LAWS` has the terms where the rule fires; `REFUSED` those where a condition does
not hold. A name is that of the rule; several functions of one rule take turns."""
from instances import array, literal, text_of

LAWS, REFUSED = {}, {}


def law(*names):
    def add(function):
        for name in names:
            LAWS.setdefault(name, []).append(function)
        return function
    return add


def refused(*names):
    def add(function):
        for name in names:
            REFUSED.setdefault(name, []).append(function)
        return function
    return add


def mapped(g, size, source=None, target=None):
    """A map of a random function over a parameter."""
    source, target = source or g.data(), target or g.data()
    x = g.parameter(array(size, source))
    return f"map({g.function(source, target)})({x})"


def row(g, elem, inner):
    """A function of rows that is one operation: `inner` of the row."""
    r = g.fresh("r")
    return f"fun({r}: {text_of(elem)} => {inner(r)})"


def matrix(g, n=None, m=None, elem=None):
    n, m, elem = n or g.size(), m or g.size(), elem or g.data()
    return g.parameter(array(n, array(m, elem))), n, m, elem


def not_divided(g):
    """A length, and a count that does not divide it, or is not known to."""
    return g.rng.choice([(literal(5), "2"), (literal(4), "3"), (literal(1), "2"), (g.known_sizes[0], "2"),
                         (g.known_sizes[1] + literal(1), "2")])


def steps(g, count):
    """A body that is a chain of single steps of its variable, and others that it does not occur in."""
    v = g.fresh("v")
    text = v
    for _ in range(count):
        text = g.rng.choice(["({} + 1)", "({} * 3)", "neg({})", "(2 - {})", "abs({})", "max({})(4)"]).format(text)
    return f"fun({v}: i32 => {text})"
