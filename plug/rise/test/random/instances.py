# SPDX-License-Identifier: MIT
"""Random pieces of programs in RISE: sizes, types, functions and values, all well typed.

A size is a literal, or made of the names n, m and p of the program around it, where p is at least 1. Each has its value beside its text, so
that arguments can be written. Integers wrap, and floats keep to operations whose result is the same on all ways."""


class Size:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def is_literal(self):
        return self.text.isdigit()

    def combined(self, other, operator, value):
        if self.is_literal() and other.is_literal():
            return literal(value)
        return Size(f"({self.text} {operator} {other.text})", value)

    def __mul__(self, other):
        return self.combined(other, "*", self.value * other.value)

    def __add__(self, other):
        return self.combined(other, "+", self.value + other.value)


def literal(value):
    return Size(str(value), value)


INT, FLOAT, BOOL = ("i32",), ("f32",), ("bool",)


def array(size, elem):
    return ("array", size, elem)


def pair(first, second):
    return ("pair", first, second)


def text_of(type_):
    if type_[0] == "array":
        elem = text_of(type_[2])
        return f"{type_[1].text}.({elem})" if type_[2][0] == "array" else f"{type_[1].text}.{elem}"
    if type_[0] == "pair":
        return f"({text_of(type_[1])}, {text_of(type_[2])})"
    return type_[0]


def key(type_):
    return text_of(type_)


class Instance:
    """One definition: its parameters, and what may be said inside of it."""

    def __init__(self, rng, sizes):
        self.rng, self.names, self.parameters = rng, 0, []
        self.known_sizes = [Size(name, value) for name, value in sizes.items()]

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def size(self):
        """0 and 1 among them."""
        pick = self.rng.random()
        if pick < 0.5:
            return literal(self.rng.choice([0, 1, 1, 2, 3, 4]))
        name = self.rng.choice(self.known_sizes)
        return name if pick < 0.85 else name + literal(self.rng.choice([1, 2]))

    def count(self):
        """A size that is at least 1."""
        return self.rng.choice([literal(1), literal(2), literal(2), literal(3), self.known_sizes[-1]])

    def scalar(self):
        return self.rng.choice([INT, INT, INT, FLOAT, BOOL])

    def data(self, depth=1):
        pick = self.rng.random()
        if depth == 0 or pick < 0.7:
            return self.scalar()
        if pick < 0.85:
            return pair(self.data(depth - 1), self.data(depth - 1))
        return array(self.size(), self.data(depth - 1))

    def parameter(self, type_):
        name = self.fresh("x")
        self.parameters.append((name, type_))
        return name

    # -- expressions; env is a list of names with their types

    def parts(self, env, wanted):
        """What the variables hold of the type: themselves, and parts of pairs."""
        todo, result = list(env), []
        while todo:
            name, type_ = todo.pop()
            if key(type_) == key(wanted):
                result.append(name)
            if type_[0] == "pair":
                todo += [(f"fst({name})", type_[1]), (f"snd({name})", type_[2])]
            elif type_[0] == "array" and type_[1].is_literal() and type_[1].value > 0:
                index = self.rng.randrange(type_[1].value)
                todo.append((f"idx(lidx({index}, {type_[1].text}))({name})", type_[2]))
        return result

    def constant(self, type_):
        if type_ == INT:
            return self.rng.choice(["0i32", "1i32", "2i32", "3i32", "7i32", "(-5i32)"])
        if type_ == FLOAT:
            return self.rng.choice(["0.0f", "1.0f", "0.5f", "2.0f", "(-3.0f)"])
        return self.rng.choice(["true", "false"])

    def leaf(self, env, type_):
        known = self.parts(env, type_)
        if known and self.rng.random() < 0.9:
            return self.rng.choice(known)
        if type_[0] == "pair":
            return f"({self.leaf(env, type_[1])}, {self.leaf(env, type_[2])})"
        if type_[0] == "array":
            return f"generate(fun({self.fresh('i')}: Idx[{type_[1].text}] => {self.leaf(env, type_[2])}))"
        return self.constant(type_)

    def expr(self, env, type_, depth=2):
        if depth == 0 or self.rng.random() < 0.15:
            return self.leaf(env, type_)
        if type_[0] == "pair":
            return f"({self.expr(env, type_[1], depth - 1)}, {self.expr(env, type_[2], depth - 1)})"
        if type_[0] == "array":
            return self.mapped(env, type_, depth)
        if type_ == BOOL:
            of = self.rng.choice([INT, FLOAT])
            operator = self.rng.choice(["<", "<=", "==", "!="])
            return f"({self.expr(env, of, depth - 1)} {operator} {self.expr(env, of, depth - 1)})"
        if self.rng.random() < 0.2:
            branches = f"then {self.expr(env, type_, depth - 1)} else {self.expr(env, type_, depth - 1)}"
            return f"(if {self.expr(env, BOOL, depth - 1)} {branches})"
        if self.rng.random() < 0.2:
            return f"neg({self.expr(env, type_, depth - 1)})"
        return f"({self.expr(env, type_, depth - 1)} {self.rng.choice('+-*')} {self.expr(env, type_, depth - 1)})"

    def mapped(self, env, type_, depth):
        known = [(name, t) for name, t in env if t[0] == "array" and t[1].text == type_[1].text]
        if not known:
            return self.leaf(env, type_)
        name, source = self.rng.choice(known)
        return f"map({self.function(source[2], type_[2], env, depth - 1)})({name})"

    def function(self, dom, codom, env=None, depth=2):
        x = self.fresh("v")
        outer = self.parameters if env is None else env
        return f"fun({x}: {text_of(dom)} => {self.expr(outer + [(x, dom)], codom, depth)})"

    def fold(self, elem, acc, env=None):
        """A function for `reduceSeq`."""
        a = self.fresh("a")
        outer = self.parameters if env is None else env
        return f"fun({a}: {text_of(acc)} => {self.function(elem, acc, outer + [(a, acc)])})"

    def reduction(self):
        """An operator that is associative and commutative on the type beside it, and its unit. Floats would be rounded in other orders."""
        most = "2147483647"
        return self.rng.choice([("add", "0", INT), ("mul", "1", INT), ("min", most, INT), ("max", f"(0 - {most} - 1)", INT),
                                ("and", "true", BOOL), ("or", "false", BOOL)])


def value(rng, type_):
    """An argument of this type, as the command line has it."""
    if type_[0] == "array":
        return "[" + ",".join(value(rng, type_[2]) for _ in range(type_[1].value)) + "]"
    if type_[0] == "pair":
        return f"({value(rng, type_[1])},{value(rng, type_[2])})"
    if type_ == BOOL:
        return rng.choice(["true", "false"])
    if type_ == FLOAT:
        return rng.choice(["0.0", "1.0", "-2.5", "0.125", "3.0", "-0.0"])
    return str(rng.choice([0, 1, -1, 2, 3, -7, 100, 2147483647]))
