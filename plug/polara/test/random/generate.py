#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of Polara: `generate.py SEED COUNT` prints a program whose `main` has the results of COUNT definitions, and the arguments
of the program, a line each, in comments at its end.

Everything is well typed, and each let has its type. Sizes are literals, 0 and 1 among them, or names that the arguments determine.
Functions are stored in arrays, returned by branches, and passed. Floats keep to the strict mode, so all ways to evaluate the
program print the same."""
import random
import sys

LITERAL_SIZES = ["0", "1", "2", "3"]
NAMES = ["n", "m"]


class Type:
    """`kind` is nat, flt, fin, pair, array or fun; `size` is text; `parts` are types."""

    def __init__(self, kind, size=None, parts=()):
        self.kind, self.size, self.parts = kind, size, tuple(parts)

    def key(self):
        return (self.kind, self.size, tuple(part.key() for part in self.parts))

    def has_function(self):
        return self.kind == "fun" or any(part.has_function() for part in self.parts)

    def text(self):
        if self.kind == "fin":
            return f"(fin {self.size})"
        if self.kind == "pair":
            return f"({self.parts[0].text()} * {self.parts[1].text()})"
        if self.kind == "array":
            return f"({self.size} => {self.parts[0].text()})"
        if self.kind == "fun":
            return f"({self.parts[0].text()} -> {self.parts[1].text()})"
        return self.kind


NAT, FLT, BOOL = Type("nat"), Type("flt"), Type("fin", "2")


def array(size, elem):
    return Type("array", size, [elem])


def pair(first, second):
    return Type("pair", None, [first, second])


def fun(dom, codom):
    return Type("fun", None, [dom, codom])


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.fuel = 0

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def size(self):
        return self.random.choice(LITERAL_SIZES + NAMES * 3)

    def type(self, depth=2):
        """Of a value that a program may print."""
        pick = self.random.random()
        if depth == 0 or pick < 0.5:
            return self.random.choice([NAT, NAT, FLT, FLT, BOOL])
        if pick < 0.8:
            return array(self.size(), self.type(depth - 1))
        return pair(self.type(depth - 1), self.type(depth - 1))

    # -- expressions; env is a list of names with their types

    def variables(self, env, wanted):
        return [name for name, type_ in env if type_.key() == wanted.key()]

    def literal(self, type_):
        if type_.kind == "nat":
            return str(self.random.choice([0, 1, 2, 3, 7, 18446744073709551615]))
        if type_.kind == "flt":
            return self.random.choice(["0.0", "1.0", "0.5", "2.5", "(-1.5)", "(-0.0)", "1e300"])
        return f"(let k: fin {type_.size} := {self.random.randrange(int(type_.size))}; k)"

    def leaf(self, env, type_):
        """The smallest expression there is; None for an index that there is none of."""
        known = self.variables(env, type_)
        if known and self.random.random() < 0.8:
            return self.random.choice(known)
        if type_.kind in ("nat", "flt"):
            return self.literal(type_)
        if type_.kind == "fin":
            if type_.size.isdigit() and int(type_.size) > 0:
                return self.literal(type_)
            return self.random.choice(known) if known else None
        if type_.kind == "pair":
            parts = [self.leaf(env, part) for part in type_.parts]
            return None if None in parts else f"({parts[0]}, {parts[1]})"
        if type_.kind == "fun":
            return self.function(env, type_, 0)
        return self.table(env, type_, 0)

    def table(self, env, type_, depth):
        i = self.fresh("i")
        elem = self.expr(env + [(i, Type("fin", type_.size))], type_.parts[0], depth)
        return None if elem is None else f"(for {i}: {type_.size}. {elem})"

    def function(self, env, type_, depth):
        x = self.fresh("x")
        body = self.expr(env + [(x, type_.parts[0])], type_.parts[1], depth)
        return None if body is None else f"(fun {x}: {type_.parts[0].text()}. {body})"

    def choice(self, env, type_, depth):
        condition = self.condition(env, depth - 1)
        holds = self.expr(env, type_, depth - 1)
        fails = self.expr(env, type_, depth - 1)
        return None if None in (condition, holds, fails) else f"(if {condition} then {holds} else {fails})"

    def condition(self, env, depth):
        return self.expr(env, self.random.choice([NAT, BOOL, BOOL]), depth)

    def fold(self, env, type_, depth, word, size):
        if type_.has_function():
            return None
        a, i = self.fresh("a"), self.fresh("i")
        start = self.expr(env, type_, depth - 1)
        body = self.expr(env + [(a, type_), (i, Type("fin", size))], type_, depth - 1)
        return None if None in (start, body) else f"({word} {a} := {start} for {i}: {size}. {body})"

    def let(self, env, type_, depth):
        bound = self.random.choice([self.type(), self.type(), fun(self.type(1), self.type(1)), array(self.size(), fun(NAT, FLT)), type_])
        value = self.expr(env, bound, depth - 1)
        if value is None:
            return None
        x = self.fresh("v")
        body = self.expr(env + [(x, bound)] * 2, type_, depth - 1)
        return None if body is None else f"(let {x}: {bound.text()} := {value}; {body})"

    def call(self, env, type_, depth):
        known = [(name, f) for name, f in env if f.kind == "fun" and f.parts[1].key() == type_.key()]
        if known and self.random.random() < 0.7:
            callee, f = self.random.choice(known)
        else:
            f = fun(self.type(1), type_)
            callee = self.expr(env, f, depth - 1)
        argument = self.expr(env, f.parts[0], depth - 1)
        return None if None in (callee, argument) else f"({callee} {argument})"

    def element(self, env, type_, depth):
        arrays = [(name, a) for name, a in env if a.kind == "array" and a.parts[0].key() == type_.key()]
        if arrays and self.random.random() < 0.8:
            name, a = self.random.choice(arrays)
        else:
            a = array(self.size(), type_)
            name = self.expr(env, a, depth - 1)
        index = self.expr(env, Type("fin", a.size), depth - 1)
        return None if None in (name, index) else f"{name}[{index}]"

    def part(self, env, type_, depth):
        first = self.random.random() < 0.5
        both = pair(type_, self.type(1)) if first else pair(self.type(1), type_)
        known = [(name, 1 + j) for name, p in env if p.kind == "pair" for j in (0, 1) if p.parts[j].key() == type_.key()]
        if known:
            name, j = self.random.choice(known)
            return f"{name}.{j}"
        value = self.expr(env, both, depth - 1)
        return None if value is None else f"{value}.{1 if first else 2}"

    def total(self, env, type_, depth):
        size = self.size()
        value = self.expr(env, array(size, type_), depth - 1)
        return None if value is None else f"(sum {value})"

    def operation(self, env, type_, depth):
        def arg(t=type_):
            return self.expr(env, t, depth - 1)

        if type_.kind == "nat":
            indices = [name for name, t in env if t.kind == "fin"]
            if indices and self.random.random() < 0.4:
                return f"(i2n {self.random.choice(indices)})"
            a, b = arg(), arg()
            return None if None in (a, b) else f"({a} {self.random.choice('+-*/')} {b})"
        if type_.kind == "flt":
            pick = self.random.random()
            if pick < 0.25:
                a = arg()
                return None if a is None else f"({self.random.choice(['exp', 'log', 'sqrt', 'normCdf'])} {a})"
            if pick < 0.35:
                a = arg(NAT)
                return None if a is None else f"(n2f {a})"
            a, b = arg(), arg()
            if None in (a, b):
                return None
            op = self.random.choice(["+", "-", "*", "/", "max"])
            return f"(max {a} {b})" if op == "max" else f"({a} {op} {b})"
        if type_.key() == BOOL.key():
            compared = self.random.choice([NAT, FLT, BOOL])
            a, b = arg(compared), arg(compared)
            x, y = self.fresh("c"), self.fresh("c")
            if None in (a, b):
                return None
            t = compared.text()
            return f"(let {x}: {t} := {a}; let {y}: {t} := {b}; {x} {self.random.choice(['<', '=='])} {y})"
        if type_.kind == "array" and self.random.random() < 0.2:
            return self.fold(env, type_.parts[0], depth, "scan", type_.size)
        if type_.kind == "array":
            return self.table(env, type_, depth - 1)
        if type_.kind == "pair":
            parts = [arg(part) for part in type_.parts]
            return None if None in parts else f"({parts[0]}, {parts[1]})"
        return self.function(env, type_, depth - 1) if type_.kind == "fun" else None

    def expr(self, env, type_, depth):
        """None if there is no expression of the type here."""
        self.fuel -= 1
        if depth <= 0 or self.fuel <= 0:
            return self.leaf(env, type_)
        kinds = [self.operation] * 6 + [self.let] * 2 + [self.choice] * 2 + [self.element, self.part, self.call]
        if type_.kind in ("nat", "flt"):
            kinds += [self.total]
        made = self.random.choice(kinds)(env, type_, depth)
        if made is None and self.random.random() < 0.3:
            made = self.fold(env, type_, depth, "fold", self.size())
        return made if made is not None else self.leaf(env, type_)


PARAMETERS = [("a", array("n", FLT)), ("b", array("m", NAT)), ("c", array("n", array("m", FLT))), ("d", array("m", pair(NAT, FLT))),
              ("s", NAT), ("t", FLT), ("u", BOOL)]


def definition(seed, number):
    generator = Generator(seed)
    parameters = ", ".join(f"{name}: {type_.text()}" for name, type_ in PARAMETERS)
    body = None
    while body is None:
        generator.fuel = 60
        result = generator.type()
        body = generator.expr(list(PARAMETERS), result, 5)
    return f"def p{number}{{n m}}({parameters}): {result.text()} :=\n  {body}\n"


def value(rng, type_, sizes):
    if type_.kind == "array":
        return "[" + ", ".join(value(rng, type_.parts[0], sizes) for _ in range(sizes[type_.size])) + "]"
    if type_.kind == "pair":
        return "(" + ", ".join(value(rng, part, sizes) for part in type_.parts) + ")"
    if type_.kind == "flt":
        return rng.choice(["0.0", "1.0", "-2.5", "0.125", "3.0", "-0.0", "1e3"])
    return str(rng.randrange(2 if type_.kind == "fin" else 6))


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    sizes = {"n": rng.choice([1, 2, 3]), "m": rng.choice([0, 1, 2, 4])}
    print("".join(definition(seed + i, i) for i in range(count)), end="")
    names = " ".join(name for name, _ in PARAMETERS)
    calls = [f"p{i} {names}" for i in range(count)]
    parameters = ", ".join(f"{name}: {type_.text()}" for name, type_ in PARAMETERS)
    print(f"def main{{n m}}({parameters}) :=\n  (" + ", ".join(calls) + ")")
    for _, type_ in PARAMETERS:
        print("-- argument " + value(rng, type_, sizes))


if __name__ == "__main__":
    main()
