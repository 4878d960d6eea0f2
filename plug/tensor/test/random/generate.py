#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of tensor operations: `generate.py SEED COUNT [alone]` prints a Mim program that runs COUNT of them and prints a
number for each. `alone`: the same programs, each of whose operations has loops of its own.

Each program starts from arrays of random shapes and applies ten operations.
Extents are literals or known at run time only, 0 and 1 among them.
All arguments are given, so shapes with extents 0 and 1 need no inference. Whatever evaluates the program must print the same."""
import random
import sys

from element_types import FLOATS, HEAD, NUMBERS, PARTS, RINGS, SEVEN, TYPE, WIDTHS, ZERO, binary, minus, number_from, plus, times, unary

LITERALS = [0, 1, 2, 3, 5]
RUN_TIME = {"d0": 0, "d1": 1, "d2": 2, "d3": 3, "d5": 5}  # argc - 1, argc, ...


class Dim:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def __eq__(self, other):
        return self.text == other.text


def group(texts):
    return texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"


def shape(dims):
    return group([d.text for d in dims])


class Array:
    def __init__(self, name, dims, type_):
        self.name, self.dims, self.type = name, dims, type_

    def size(self):
        result = 1
        for d in self.dims:
            result *= d.value
        return result


KINDS = "IIFFBGHJTTPPQ"


class Program:
    def __init__(self, rng, number, are_alone=False):
        self.rng, self.number, self.lines, self.arrays, self.names = rng, number, [], [], 0
        self.are_alone = are_alone

    def dim(self, few=False):
        if self.rng.random() < 0.5:
            value = self.rng.choice(LITERALS[2:] if few else LITERALS)
            return Dim(str(value), value)
        name = self.rng.choice(list(RUN_TIME)[2:] if few else list(RUN_TIME))
        return Dim(name, RUN_TIME[name])

    def kind(self):
        return self.rng.choice(KINDS)

    def number_of(self, value):
        names = [name for name, known in RUN_TIME.items() if known == value]
        return names[0] if names and self.rng.random() < 0.5 else str(value)

    def let(self, dims, type_, expression):
        name = f"a{self.names}"
        self.names += 1
        array_type = f"«{shape(dims)}; {TYPE[type_]}»"
        self.lines.append(f"    let {name}: {array_type} = {self.alone(array_type, expression)};")
        array = Array(name, dims, type_)
        self.arrays.append(array)
        return array

    def alone(self, type_, expression):
        """The same, which is not fused with anything if that is wanted: it has a schedule, the one that says nothing."""
        return f"%tensor.with @({type_}) %tensor.loops ({expression})" if self.are_alone else expression

    def scheduled(self, rank, expression):
        """The same with loops in any order, for what has no reduction or only one over a single dimension."""
        if rank == 0 or self.rng.random() < 0.7:
            return expression
        order = [str(j) for j in self.rng.sample(range(rank), rank)]
        tiles = [str(self.rng.randrange(1, 9)) for _ in order]
        return f"%tensor.with ({rank}, {group(order)}, {group(tiles)}, {rank}, 1, {self.rng.choice(['ff', 'tt'])}) ({expression})"

    def generate(self, dims=None, type_=None):
        dims = [self.dim() for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3, 4]))] if dims is None else dims
        type_ = type_ or self.kind()
        names = [f"k{j}" for j in range(len(dims))]
        params = ", ".join(f"{i}: Idx {d.text}" for i, d in zip(names, dims)) or "_: []"
        f = f"λ ({params}): {TYPE[type_]} = {number_from(self.rng, names, type_)}"
        made = f"%tensor.generate @{len(dims)} {shape(dims)} @{TYPE[type_]} ({f})"
        return self.let(dims, type_, self.scheduled(len(dims), made))

    def pick(self, rank=None, at_least=0, types=KINDS):
        """An array that is there, or a new one."""
        fits = lambda a: (rank is None or len(a.dims) == rank) and len(a.dims) >= at_least and a.type in types
        fitting = [a for a in self.arrays if fits(a)]
        if fitting and self.rng.random() < 0.85:
            return self.rng.choice(fitting)
        rank = rank if rank is not None else self.rng.randrange(at_least, 5)
        return self.generate([self.dim() for _ in range(rank)], self.rng.choice(types))

    def same(self, a):
        fitting = [b for b in self.arrays if b.dims == a.dims and b.type == a.type]
        return self.rng.choice(fitting) if self.rng.random() < 0.7 else self.generate(a.dims, a.type)

    def step(self):
        getattr(self, self.rng.choice(OPERATIONS))()

    def map(self):
        a = self.pick()
        t = TYPE[a.type]
        self.let(a.dims, a.type, f"%tensor.map @({t}, {t}) {unary(self.rng, a.type)} @({len(a.dims)}, {shape(a.dims)}) {a.name}")

    def rows(self):
        a = self.pick(at_least=1)
        t, last = TYPE[a.type], a.dims[-1]
        row = f"«{last.text}; {t}»"
        f = f"(λ (row: {row}): {row} = %tensor.reverse @({last.text}, {t}) row)"
        around = a.dims[:-1]
        self.let(a.dims, a.type, f"%tensor.map @({row}, {row}) {f} @({len(around)}, {shape(around)}) {a.name}")

    def zip(self):
        a = self.pick()
        b, t = self.same(a), TYPE[a.type]
        f = binary(self.rng, a.type)
        made = f"%tensor.zip @(2, ({t}, {t}), {t}) {f} @({len(a.dims)}, {shape(a.dims)}) ({a.name}, {b.name})"
        self.let(a.dims, a.type, self.scheduled(len(a.dims), made))

    def transpose(self):
        a = self.pick(at_least=1)
        q = list(range(len(a.dims)))
        self.rng.shuffle(q)
        r = len(q)
        text = group([f"{j}_{r}" for j in q])
        dims = [a.dims[j] for j in q]
        self.let(dims, a.type, f"%tensor.transpose @{r} {text} @({shape(a.dims)}, {TYPE[a.type]}) {a.name}")

    def broadcast(self):
        a = self.pick()
        k = len(a.dims) + self.rng.randrange(0, 2)
        if k == 0 or k > 4:
            return
        places = self.rng.sample(range(k), len(a.dims))
        dims = [self.dim() for _ in range(k)]
        for j, place in enumerate(places):
            dims[place] = a.dims[j]
        text = group([f"{j}_{k}" for j in places])
        self.let(dims, a.type, f"%tensor.broadcast @({k}, {len(places)}) ({shape(dims)}, {text}) @{TYPE[a.type]} {a.name}")

    def reshape(self):
        a = self.pick()
        size = a.size()
        ways = [[size], [1, size], [size, 1]] + [[n, size // n] for n in (2, 3, 5) if size and size % n == 0]
        dims = [Dim(self.number_of(n), n) for n in self.rng.choice(ways)]
        self.let(dims, a.type, f"%tensor.reshape @{len(dims)} {shape(dims)} @({len(a.dims)}, {shape(a.dims)}, {TYPE[a.type]}) {a.name}")

    def split(self):
        n, m = self.dim(), self.dim()
        a = self.generate([Dim(f"({n.text} * {m.text})", n.value * m.value)])
        self.let([n, m], a.type, f"%tensor.split ({n.text}, {m.text}) @{TYPE[a.type]} {a.name}")

    def join(self):
        a = self.pick(rank=2)
        n, m = a.dims
        self.let([Dim(f"({n.text} * {m.text})", n.value * m.value)], a.type, f"%tensor.join @({n.text}, {m.text}, {TYPE[a.type]}) {a.name}")

    def slice(self):
        a = self.pick(at_least=1)
        lo, to, by = [], [], []
        for d in a.dims:
            first = self.rng.randrange(d.value + 1)
            step = self.rng.randrange(1, 3)
            most = (d.value - first + step - 1) // step
            count = self.rng.randrange(most + 1)
            lo.append(self.number_of(first)), by.append(str(step)), to.append(Dim(self.number_of(count), count))
        arguments = f"({group(lo)}, {shape(to)}, {group(by)})"
        self.let(to, a.type, f"%tensor.slice @{len(to)} {arguments} @({shape(a.dims)}, {TYPE[a.type]}) {a.name}")

    def reverse(self):
        a = self.pick(rank=1)
        self.let(a.dims, a.type, f"%tensor.reverse @({a.dims[0].text}, {TYPE[a.type]}) {a.name}")

    def window(self):
        a = self.pick(rank=1)
        n = a.dims[0].value
        k = self.rng.randrange(0, 4)
        most = max(n + 1 - k, 0) if k else 4
        t = self.rng.randrange(0, most + 1)
        dims = [Dim(self.number_of(t), t), Dim(self.number_of(k), k)]
        self.let(dims, a.type, f"%tensor.window ({dims[0].text}, {dims[1].text}) @({a.dims[0].text}, {TYPE[a.type]}) {a.name}")

    def pad(self):
        a = self.pick(at_least=1)
        how = self.rng.choice(["const", "edge", "wrap"])
        lo, hi, dims = [], [], []
        for d in a.dims:
            none = how != "const" and d.value == 0
            before, behind = (0, 0) if none else (self.rng.randrange(3), self.rng.randrange(3))
            lo.append(self.number_of(before)), hi.append(self.number_of(behind))
            dims.append(Dim(f"({lo[-1]} + {d.text} + {hi[-1]})", before + d.value + behind))
        implicits = f"@({shape(a.dims)}, {TYPE[a.type]})"
        self.let(dims, a.type, f"%tensor.pad.{how} @{len(dims)} ({group(lo)}, {group(hi)}) {implicits} ({a.name}, {ZERO[a.type]})")

    def concat(self):
        a = self.pick(rank=1)
        b = self.generate([self.dim()], a.type)
        n, m = a.dims[0], b.dims[0]
        dims = [Dim(f"({n.text} + {m.text})", n.value + m.value)]
        self.let(dims, a.type, f"%tensor.concat @({n.text}, {m.text}, {TYPE[a.type]}) ({a.name}, {b.name})")

    def indices(self, n, dims):
        names = [f"k{j}" for j in range(len(dims))]
        params = ", ".join(f"{i}: Idx {d.text}" for i, d in zip(names, dims)) or "_: []"
        total = " + ".join(f"%core.bitcast Nat {i} * {self.rng.randrange(1, 5)}" for i in names) or "4"
        f = f"λ ({params}): Idx {n.text} = %core.bitcast (Idx {n.text}) (%core.quot.nrem ({total} + {self.rng.randrange(5)}, {n.text}))"
        type_ = f"«{shape(dims)}; Idx {n.text}»"
        return f"({self.alone(type_, f'%tensor.generate @{len(dims)} {shape(dims)} @(Idx {n.text}) ({f})')})"

    def gather(self):
        a = self.generate([self.dim(few=True)])
        dims = [self.dim() for _ in range(self.rng.randrange(3))]
        h = self.indices(a.dims[0], dims)
        self.let(dims, a.type, f"%tensor.gather @({a.dims[0].text}, {TYPE[a.type]}, {len(dims)}, {shape(dims)}) ({a.name}, {h})")

    def scatter(self):
        a = self.generate([self.dim(few=True)])
        v = self.generate([self.dim()], a.type)
        h = self.indices(a.dims[0], v.dims)
        t = TYPE[a.type]
        c = binary(self.rng, a.type)
        self.let(a.dims, a.type, f"%tensor.scatter @{t} {c} @({a.dims[0].text}, {v.dims[0].text}) ({a.name}, {h}, {v.name})")

    def scan(self):
        a = self.pick(rank=1)
        t = TYPE[a.type]
        self.let(a.dims, a.type, f"%tensor.scan @({t}, {t}) {binary(self.rng, a.type)} @{a.dims[0].text} ({ZERO[a.type]}, {a.name})")

    def fold(self):
        a = self.pick(rank=1)
        t = TYPE[a.type]
        self.let([], a.type, f"%tensor.fold @({t}, {t}) {binary(self.rng, a.type)} @{a.dims[0].text} ({ZERO[a.type]}, {a.name})")

    def reduce(self):
        a = self.pick(at_least=1)
        chosen = [self.rng.random() < 0.5 for _ in a.dims]
        dims = [Dim("1", 1) if c else d for c, d in zip(chosen, a.dims)]
        text = group(["tt" if c else "ff" for c in chosen])
        t = TYPE[a.type]
        f = binary(self.rng, a.type)
        self.let(dims, a.type, f"%tensor.reduce @({len(dims)}, {shape(a.dims)}, 1, {t}) {f} ({a.name}, {ZERO[a.type]}, {text})")

    def ring(self, type_):
        return self.rng.choice(RINGS[type_])

    def sum(self):
        a = self.pick()
        self.let([], a.type, f"%tensor.sum {self.ring(a.type)} @({len(a.dims)}, {shape(a.dims)}) {a.name}")

    def product(self):
        a = self.pick(rank=2)
        b = self.generate([a.dims[1], self.dim()], a.type)
        l, m, n = a.dims[0], a.dims[1], b.dims[1]
        made = f"%tensor.product {self.ring(a.type)} @({l.text}, {m.text}, {n.text}) ({a.name}, {b.name})"
        self.let([l, n], a.type, self.scheduled(3, made))

    def nest(self):
        """A product, or something like one, written with indices."""
        a = self.pick(rank=2)
        b = self.generate([a.dims[1], self.dim()], a.type)
        l, m, n = a.dims[0], a.dims[1], b.dims[1]
        t = TYPE[a.type]
        at = lambda array, i, j: f"%tensor.get @(2, {shape(array.dims)}, {t}) ({array.name}, ({i}, {j}))"
        rows = all(d.value > 1 for d in (l, m, n)) and self.rng.random() < 0.7
        x, y = (f"{a.name}#i#k", f"{b.name}#k#j") if rows else (at(a, "i", "k"), at(b, "k", "j"))
        minus_square = minus(a.type, y, times(a.type, x, x))
        term = self.rng.choice([times(a.type, x, y), minus_square, x, plus(a.type, times(a.type, y, y), y)])
        inner = f"%tensor.generate @1 {m.text} @{t} (λ (k: Idx {m.text}): {t} = {term})"
        total = f"%tensor.sum {self.ring(a.type)} @(1, {m.text}) ({inner})"
        if self.rng.random() < 0.5:
            self.let([l, n], a.type, f"%tensor.generate @2 ({l.text}, {n.text}) @{t} (λ (i: Idx {l.text}, j: Idx {n.text}): {t} = {total})")
        else:
            row = f"%tensor.generate @1 {n.text} @{t} (λ (j: Idx {n.text}): {t} = {total})"
            self.let([l, n], a.type, f"%tensor.generate @1 {l.text} @«{n.text}; {t}» (λ (i: Idx {l.text}): «{n.text}; {t}» = {row})")

    def sums(self):
        """Of each row."""
        a = self.pick(rank=2)
        n, m = a.dims
        t = TYPE[a.type]
        row = f"«{m.text}; {t}»"
        squares = f"%tensor.map @({t}, {t}) {unary(self.rng, a.type)} @(1, {m.text}) row"
        total = f"%tensor.sum {self.ring(a.type)} @(1, {m.text}) ({self.rng.choice(['row', squares])})"
        self.let([n], a.type, f"%tensor.map @({row}, {t}) (λ (row: {row}): {t} = {total}) @(1, {n.text}) {a.name}")

    def siblings(self):
        """Several operations over one space that read the same elements, and one that needs what they make."""
        a = self.pick()
        t, space = TYPE[a.type], f"@({len(a.dims)}, {shape(a.dims)})"
        sources = [a, self.let(a.dims, a.type, f"%tensor.map @({t}, {t}) {unary(self.rng, a.type)} {space} {a.name}")]
        totals = [self.total(self.rng.choice(sources), self.same(a)) for _ in range(self.rng.randrange(1, 4))]
        total = self.rng.choice(totals).name
        less = minus(a.type, "x", total)
        changed = self.rng.choice([less, f"(x, {less})#(%core.ncmp.g (d3, {self.rng.randrange(6)}))"])
        source = self.rng.choice(sources).name
        self.let(a.dims, a.type, f"%tensor.map @({t}, {t}) (λ (x: {t}): {t} = {changed}) {space} {source}")
        self.reduce_last(self.rng.choice(sources))

    def total(self, a, b):
        """Of all elements of `a`, maybe with those of `b`, which is as large."""
        t, space = TYPE[a.type], f"@({len(a.dims)}, {shape(a.dims)})"
        array_type = f"«{shape(a.dims)}; {t}»"
        mapped = f"%tensor.map @({t}, {t}) {unary(self.rng, a.type)} {space} {a.name}"
        zipped = f"%tensor.zip @(2, ({t}, {t}), {t}) {binary(self.rng, a.type)} {space} ({a.name}, {b.name})"
        mapped, zipped = (f"({self.alone(array_type, made)})" for made in (mapped, zipped))
        array = self.rng.choice([a.name, mapped, zipped])
        if len(a.dims) == 1 and self.rng.random() < 0.5:
            made = f"%tensor.fold @({t}, {t}) {binary(self.rng, a.type)} @{a.dims[0].text} ({ZERO[a.type]}, {array})"
        else:
            made = f"%tensor.sum {self.ring(a.type)} {space} {array}"
        return self.let([], a.type, made)

    def reduce_last(self, a):
        """Over the last dimensions, in two ways."""
        rank, t = len(a.dims), TYPE[a.type]
        kept = self.rng.randrange(rank + 1)
        text = group(["tt" if j >= kept else "ff" for j in range(rank)])
        dims = [d if j < kept else Dim("1", 1) for j, d in enumerate(a.dims)]
        for _ in range(2 if rank else 0):
            made = f"%tensor.reduce @({rank}, {shape(a.dims)}, 1, {t}) {binary(self.rng, a.type)} ({a.name}, {ZERO[a.type]}, {text})"
            self.let(dims, a.type, made)

    def apply(self):
        a = self.pick(rank=2)
        x = self.generate([a.dims[1]], a.type)
        n, m = a.dims
        self.let([n], a.type, f"%tensor.apply {self.ring(a.type)} @({n.text}, {m.text}) ({a.name}, {x.name})")

    def outer(self):
        a = self.pick(rank=1)
        b = self.generate([self.dim()], a.type)
        n, m = a.dims[0], b.dims[0]
        self.let([n, m], a.type, f"%tensor.outer {self.ring(a.type)} @({n.text}, {m.text}) ({a.name}, {b.name})")

    def einsum(self):
        k = self.rng.randrange(1, 4)
        space = [self.dim() for _ in range(k)]
        type_ = self.kind()
        uses = [[self.rng.randrange(k) for _ in range(self.rng.randrange(0, 3))] for _ in range(2)]
        out = self.rng.sample(range(k), self.rng.randrange(0, k + 1))
        a, b = (self.generate([space[d] for d in u], type_) for u in uses)
        texts = [group([f"{d}_{k}" for d in u]) for u in (out, uses[0], uses[1])]
        implicits = f"@({k}, {len(out)}, {len(uses[0])}, {len(uses[1])})"
        arguments = f"{implicits} ({', '.join(texts)}) @{shape(space)} ({a.name}, {b.name})"
        self.let([space[d] for d in out], type_, f"%tensor.einsum {self.ring(type_)} {arguments}")

    def place(self, dims):
        return group([f"(%core.bitcast (Idx {d.text}) {self.number_of(self.rng.randrange(d.value))})" for d in dims])

    def set(self):
        a = self.pick()
        if a.size() == 0:
            return
        x = SEVEN[a.type]
        self.let(a.dims, a.type, f"%tensor.set @({len(a.dims)}, {shape(a.dims)}, {TYPE[a.type]}) ({a.name}, {self.place(a.dims)}, {x})")

    def get(self):
        a = self.pick()
        if a.size() == 0:
            return
        self.let([], a.type, f"%tensor.get @({len(a.dims)}, {shape(a.dims)}, {TYPE[a.type]}) ({a.name}, {self.place(a.dims)})")

    def pair(self):
        """Of the elements of two arrays."""
        a = self.pick(types="IFBT")
        type_, part, other = {"I": ("P", 0, "F"), "F": ("P", 1, "I"), "B": ("Q", 0, "T"), "T": ("Q", 1, "B")}[a.type]
        b = self.generate(a.dims, other)
        first, second = (a, b) if part == 0 else (b, a)
        t, u = TYPE[first.type], TYPE[second.type]
        f = f"(λ (x: {t}, y: {u}): {TYPE[type_]} = (x, y))"
        made = f"%tensor.zip @(2, ({t}, {u}), {TYPE[type_]}) {f} @({len(a.dims)}, {shape(a.dims)}) ({first.name}, {second.name})"
        self.let(a.dims, type_, made)

    def part(self):
        """Of each pair."""
        a = self.pick(types="PQ")
        part = self.rng.randrange(2)
        type_ = PARTS[a.type][part]
        t, u = TYPE[a.type], TYPE[type_]
        self.let(a.dims, type_, f"%tensor.map @({t}, {u}) (λ (x: {t}): {u} = x#{part}) @({len(a.dims)}, {shape(a.dims)}) {a.name}")

    def compare(self):
        a = self.pick(types=NUMBERS)
        b, t = self.same(a), TYPE[a.type]
        f = f"(λ (x y: {t}): Bool = {self.rng.choice(['x < y', 'x == y', 'x >= y'])})"
        made = f"%tensor.zip @(2, ({t}, {t}), Bool) {f} @({len(a.dims)}, {shape(a.dims)}) ({a.name}, {b.name})"
        self.let(a.dims, "T", made)

    def choose(self):
        """Elements of two arrays, as a third one says."""
        c = self.pick(types="T")
        a = self.generate(c.dims)
        b, t = self.same(a), TYPE[a.type]
        f = f"(λ (c: Bool, x y: {t}): {t} = (x, y)#c)"
        made = f"%tensor.zip @(3, (Bool, {t}, {t}), {t}) {f} @({len(a.dims)}, {shape(a.dims)}) ({c.name}, {a.name}, {b.name})"
        self.let(a.dims, a.type, made)

    def extremum(self, name):
        a = self.pick(types=FLOATS)
        self.let([], a.type, f"%tensor.{name} @({WIDTHS[a.type]}, {len(a.dims)}, {shape(a.dims)}) {a.name}")

    def max(self):
        self.extremum("max")

    def min(self):
        self.extremum("min")

    def argmax(self):
        a = self.pick(rank=1, types=FLOATS)
        if a.size() == 0:
            return
        place = f"%tensor.argmax @({WIDTHS[a.type]}, {a.dims[0].text}) {a.name}"
        self.let([], "I", f"%core.bitcast I64 (%core.bitcast Nat ({place}))")

    def dot(self):
        a = self.pick(rank=1)
        b = self.same(a)
        self.let([], a.type, f"%tensor.dot {self.ring(a.type)} @{a.dims[0].text} ({a.name}, {b.name})")

    def trace(self):
        squares = [a for a in self.arrays if len(a.dims) == 2 and a.dims[0] == a.dims[1]]
        a = self.rng.choice(squares) if squares else self.generate([self.dim()] * 2)
        self.let([], a.type, f"%tensor.trace {self.ring(a.type)} @{a.dims[0].text} {a.name}")

    def batched(self):
        a = self.pick(rank=3)
        k, l, m = a.dims
        b = self.generate([k, m, self.dim()], a.type)
        n = b.dims[2]
        made = f"%tensor.batched {self.ring(a.type)} @({k.text}, {l.text}, {m.text}, {n.text}) ({a.name}, {b.name})"
        self.let([k, l, n], a.type, self.scheduled(4, made))

    def conv2(self):
        a = self.pick(rank=2)
        kernel, result = [], []
        for d in a.dims:
            size = self.rng.randrange(min(d.value, 3) + 1)
            most = d.value + 1 - size if size else 3
            count = self.rng.randrange(most + 1)
            kernel.append(Dim(self.number_of(size), size)), result.append(Dim(self.number_of(count), count))
        if any(d.value and k.value > n.value for d, k, n in zip(result, kernel, a.dims)):
            return
        f = self.generate(kernel, a.type)
        made = f"%tensor.conv2 {self.ring(a.type)} {shape(result)} @({shape(a.dims)[1:-1]}, {shape(kernel)[1:-1]}) ({a.name}, {f.name})"
        self.let(result, a.type, made)

    def sum_over(self):
        a = self.pick(at_least=1)
        chosen = [self.rng.random() < 0.5 for _ in a.dims]
        dims = [Dim("1", 1) if c else d for c, d in zip(chosen, a.dims)]
        text = group(["tt" if c else "ff" for c in chosen])
        self.let(dims, a.type, f"%tensor.sum_over {self.ring(a.type)} @{len(dims)} {text} @{shape(a.dims)} {a.name}")

    def index(self):
        """Elements at indices that are those of a smaller array."""
        a = self.pick(rank=1)
        n = a.dims[0]
        size = self.rng.randrange(n.value + 1)
        m = Dim(self.number_of(size), size)
        t = TYPE[a.type]
        at = f"%tensor.index @{m.text} {n.text} i"
        if self.rng.random() < 0.5:
            h = f"%tensor.generate @1 {m.text} @(Idx {n.text}) (λ (i: Idx {m.text}): Idx {n.text} = {at})"
            made = f"%tensor.gather @({n.text}, {t}, 1, {m.text}) ({a.name}, {self.alone(f'«{m.text}; Idx {n.text}»', h)})"
        else:
            element = f"%tensor.get @(1, {n.text}, {t}) ({a.name}, {at})"
            made = f"%tensor.generate @1 {m.text} @{t} (λ (i: Idx {m.text}): {t} = {element})"
        self.let([m], a.type, made)

    def both(self):
        """Reductions of two arrays of different types in one operation."""
        a = self.pick(at_least=1, types="IF")
        b = self.generate(a.dims, "F" if a.type == "I" else "T")
        chosen = [self.rng.random() < 0.5 for _ in a.dims]
        dims = [Dim("1", 1) if c else d for c, d in zip(chosen, a.dims)]
        text = group(["tt" if c else "ff" for c in chosen])
        t, u = TYPE[a.type], TYPE[b.type]
        f = f"(λ ((s: {t}, p: {u}), (x: {t}, y: {u})): [{t}, {u}] = ({plus(a.type, 's', 'x')}, {minus(b.type, 'p', 'y')}))"
        start = f"({ZERO[a.type]}, {SEVEN[b.type]})"
        made = f"%tensor.reduce @({len(dims)}, {shape(a.dims)}, 2, ({t}, {u})) {f} (({a.name}, {b.name}), {start}, {text})"
        name = f"b{self.names}"
        self.lines.append(f"    let {name} = {made};")
        self.let(dims, a.type, f"{name}#0")
        self.let(dims, b.type, f"{name}#1")

    def text(self):
        for _ in range(2):
            self.generate()
        for _ in range(10):
            self.step()
        result = "17I64"
        for a in self.arrays:
            if a is self.arrays[-1] or self.rng.random() < 0.3:
                result = f"%tensor.fold @(I64, {TYPE[a.type]}) hash{a.type} @{a.size()} ({result}, flat)".replace("flat", self.flat(a))
        params = " ".join(RUN_TIME)
        return f"lam program{self.number} ({params}: Nat) @ff: I64 = {{\n" + "\n".join(self.lines) + f"\n    {result}\n}};\n"

    def flat(self, a):
        return f"%tensor.reshape @1 {a.size()} @({len(a.dims)}, {shape(a.dims)}, {TYPE[a.type]}) {a.name}"


OPERATIONS = [name for name in (
    "generate map map rows zip zip transpose broadcast reshape split join slice reverse window pad concat gather scatter scan fold reduce "
    "sum product nest nest sums siblings siblings siblings apply outer einsum set get "
    "pair part compare choose max min argmax dot trace batched conv2 sum_over index both").split()]


def file_of(programs):
    """The text of a file that runs all of them."""
    calls = [f"    ret mem = show $ (mem, program{p.number} (n - 1, n, n + 1, n + 2, n + 4));\n" for p in programs]
    head = "fun extern main (mem: %mem.M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): [%mem.M, I32] = {\n"
    texts = "\n".join(program.text() for program in programs)
    return f"{HEAD}\n{texts}\n{head}    let n = %core.bitcast Nat argc;\n{''.join(calls)}    return (mem, 0I32)\n}};\n"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    are_alone = sys.argv[3:] == ["alone"]
    print(file_of([Program(random.Random(seed + i), seed + i, are_alone) for i in range(count)]))


if __name__ == "__main__":
    main()
