#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs with derivatives: `generate.py SEED COUNT` prints a Mim program that makes COUNT functions of three
numbers, and prints for each the bits of: its value, alone, of reverse and of forward mode; the gradient by reverse
and by forward mode; of some, how the gradient changes in one direction.

A function has arithmetic, choices, local functions, recursion, loops, tuples, unions, continuations, and derivatives of
its own. All numbers stay small, so that rounding does not grow."""
import random
import sys

LARGEST = 3.0  # of what goes on
DEEPEST = 1  # function in which others are


class Number:
    def __init__(self, text, bound):
        self.text, self.bound = text, bound


class Block:
    """Statements with names in scope; `is_flat`: without functions that stay functions."""

    def __init__(self, program, scope, depth, indent, is_flat=False):
        self.program, self.rng = program, program.rng
        self.scope, self.depth, self.indent, self.is_flat = list(scope), depth, indent, is_flat
        self.lines = []

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def pick(self):
        if self.rng.random() < 0.1:
            value = round(self.rng.uniform(-2, 2), 2)
            return Number(f"({value}:F)", abs(value))
        return self.rng.choice(self.scope[-4:] if self.rng.random() < 0.6 else self.scope)

    def expression(self):
        a, b = self.pick(), self.pick()
        x, y = a.text, b.text
        sum_, product = a.bound + b.bound, a.bound * b.bound
        made = self.rng.choice([
            (f"{x} + {y}", sum_), (f"{x} - {y}", sum_), (f"{x} * {y}", product), (f"{x} * {y}", product),
            (f"{x} / (1.5 + {y} * {y})", a.bound),
            (f"{x} * 0.5 - {y}", sum_), (f"-{x}", a.bound), (f"%math.tri.sin 0 {x}", 1), (f"%math.tri.cos 0 {x}", 1),
            (f"%math.tri.tanh 0 {x}", 1), (f"%math.tri.atan 0 {x}", 1.6), (f"%math.exp.exp 0 (-({x} * {x}))", 1),
            (f"%math.exp.log 0 (1.25 + {x} * {x})", a.bound), (f"%math.rt.sq 0 (1.0 + {x} * {x})", 1 + a.bound),
            (f"%math.extrema.fmin 0 ({x}, {y})", sum_), (f"%math.extrema.fmax 0 ({x}, {y})", sum_), (f"%math.abs 0 {x}", a.bound),
            (f"({x}, {y})#({self.condition()})", sum_), (f"%autodiff.stop {x} * {y}", product)])
        if made[1] > LARGEST:
            return Number(f"%math.tri.sin 0 ({made[0]})", 1)
        return Number(f"({made[0]})", made[1])

    def condition(self):
        return f"{self.pick().text} > ({round(self.rng.uniform(-1, 1), 3)}:F)"

    def let(self, made):
        name = self.program.name("v")
        self.line(f"let {name} = {made.text};")
        self.scope.append(Number(name, made.bound))

    def within(self, params=(), length=None, is_flat=False, closed=False):
        scope = [Number(p, LARGEST) for p in params] if closed else self.scope + [Number(p, LARGEST) for p in params]
        inner = Block(self.program, scope, self.depth + 1, self.indent + 1, is_flat or self.is_flat)
        inner.depth = DEEPEST + 1 if closed else inner.depth  # nothing but arithmetic
        inner.fill(1 if length is None else length)
        return inner

    def result(self):
        """All that the last statements made, small."""
        last = self.scope[-2:]
        return "%math.tri.sin 0 (" + " + ".join(n.text for n in last) + ")"

    def fill(self, length):
        for _ in range(length):
            is_deep = self.depth > DEEPEST or self.rng.random() < 0.3 + 0.3 * self.depth
            if is_deep:
                self.let(self.expression())
            else:
                getattr(self, self.rng.choice(FLAT if self.is_flat else STATEMENTS))()
        if not self.lines:
            self.let(self.expression())

    def call(self, text):
        name = self.program.name("v")
        self.line(f"let {name}: F = {text};")
        self.scope.append(Number(name, LARGEST))

    def define(self, head, inner):
        self.line(f"lam {head}: F = {{")
        self.lines += inner.lines
        self.line(f"    {inner.result()}")
        self.line("};")

    def branch(self):
        yes, no = self.program.name("f"), self.program.name("f")
        self.define(f"{yes} ()", self.within())
        self.define(f"{no} ()", self.within())
        self.call(f"({yes}, {no})#({self.condition()}) ()")

    def local(self):
        name, p = self.program.name("f"), self.program.name("p")
        self.define(f"{name} ({p}: F) @ff", self.within([p]))
        self.call(f"{name} {self.pick().text} - {name} {self.pick().text}")

    def recursion(self):
        name, p, q = self.program.name("f"), self.program.name("p"), self.program.name("q")
        self.line(f"lam {name} ({p}: F, i: Nat) @ff: F = (done, more)#(i > 0) () where")
        self.indent += 1
        self.define("done ()", self.within([p], 1))
        before = self.within([p], 1)
        before.line(f"let {q} = {name} ({before.result()}, i - 1);")
        before.scope.append(Number(q, LARGEST))
        before.let(before.expression())
        self.define("more ()", before)
        self.indent -= 1
        self.line("end;")
        self.call(f"{name} ({self.pick().text}, n)")

    def loop(self):
        name, p = self.program.name("f"), self.program.name("p")
        self.line(f"lam {name} ({p}: F, i: Nat) @ff: F = (done, more)#(i > 0) () where")
        self.line(f"    lam done (): F = {p};")
        turn = self.within([p])
        self.line("    lam more (): F = {")
        self.lines += turn.lines
        self.line(f"        {name} ({turn.result()}, i - 1)")
        self.line("    };")
        self.line("end;")
        self.call(f"{name} ({self.pick().text}, n)")

    def fold(self):
        p = self.program.name("p")
        turn = self.within([p])
        start = self.pick().text
        self.line(f"lam {p}_turn (i: Nat, {p}: F) @ff: F = {{")
        self.lines += turn.lines
        self.line(f"    {turn.result()}")
        self.line("};")
        self.call(f"%affine.fold (0, n, 1) {p}_turn {start}")

    def elements(self):
        name = self.program.name("t")
        a, b, c, d = (self.pick() for _ in range(4))
        self.line(f"let {name}: «3; F» = ({a.text}, {b.text}, {c.text});")
        unknown = "2_3" if self.is_flat else "j"  # reverse mode makes a function for each element: `j` would choose one of them
        changed = f"ins ({name}, {unknown}, {d.text})" if self.rng.random() < 0.5 else name
        self.let(Number(f"({changed})#{self.rng.choice([unknown, '1_3', '(0_3)'])} * 0.5", LARGEST))

    def continuations(self):
        """Branches that meet again."""
        name, p, q = self.program.name("f"), self.program.name("p"), self.program.name("q")
        self.line(f"fun {name} ({p}: F) @ff: F = {{")
        self.indent += 1
        for head, params, end in ((f"join ({q}: F) @ff", [p, q], "return"), ("low ()", [p], "join"), ("high ()", [p], "join")):
            inner = self.within(params, 1)
            self.line(f"con {head} = {{")
            self.lines += inner.lines
            self.line(f"    {end} ({inner.result()})")
            self.line("};")
        self.line(f"(low, high)#({self.condition()}) ()")
        self.indent -= 1
        self.line("};")
        self.call(f"%direct.cps2ds {name} {self.pick().text}")

    def early(self):
        """A loop that may be left before its end."""
        name, p, acc = self.program.name("f"), self.program.name("p"), self.program.name("p")
        self.line(f"fun {name} ({p}: F) @ff: F = {{")
        self.indent += 1
        self.line(f"con turn ((i: Nat, {acc}: F), next: Cn F) = (go, stop)#({acc} > {round(self.rng.uniform(-1, 1), 3)}) () where")
        self.indent += 1
        for head, end in (("go ()", "next"), ("stop ()", "return")):
            inner = self.within([p, acc], 1)
            self.line(f"con {head} = {{")
            self.lines += inner.lines
            self.line(f"    {end} ({inner.result()})")
            self.line("};")
        self.indent -= 1
        self.line("end;")
        self.line(f"%affine.For (0, n, 1) turn ({p}, return)")
        self.indent -= 1
        self.line("};")
        self.call(f"%direct.cps2ds {name} {self.pick().text}")

    def derivative(self):
        p = self.program.name("p")
        self.define(f"{p}_f ({p}: F)", self.within([p], 2, is_flat=self.rng.random() < 0.5))
        at, along = self.pick().text, self.pick().text
        way = self.rng.choice([f"%autodiff.grad {p}_f {at}", f"(%autodiff.jvp {p}_f ({at}, {along}))#1"])
        self.let(Number(f"%math.tri.sin 0 ({way})", 1))

    def again(self):
        p = self.program.name("p")
        self.define(f"{p}_f ({p}: F)", self.within([p], 2, is_flat=True, closed=True))
        self.call(f"%autodiff.checkpoint {p}_f {self.pick().text}")

    def union(self):
        """A value of one of two types, and an arm for each."""
        name, p, q = self.program.name("f"), self.program.name("p"), self.program.name("q")
        a, b, c = (self.pick().text for _ in range(3))
        self.line(f"lam {name}_number (): F ∪ [F, F] = ({a}) inj (F ∪ [F, F]);")
        self.line(f"lam {name}_pair (): F ∪ [F, F] = ({b}, {c}) inj (F ∪ [F, F]);")
        self.line(f"let {name}_union: F ∪ [F, F] = ({name}_number, {name}_pair)#({self.condition()}) ();")
        self.define(f"{name}_one ({p}: F)", self.within([p]))
        self.define(f"{name}_two ({p} {q}: F)", self.within([p, q]))
        self.call(f"match {name}_union with | a: F => {name}_one a | b: [F, F] => {name}_two b")

    def simple(self):
        self.let(self.expression())


FLAT = ["simple", "simple", "elements"]
STATEMENTS = ["branch", "branch", "local", "local", "recursion", "loop", "fold", "elements", "continuations", "early", "derivative",
              "again", "union"]


class Program:
    def __init__(self, rng, number):
        self.rng, self.number, self.names = rng, number, 0

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def text(self):
        block = Block(self, [Number(name, 1.5) for name in "xyz"], 0, 1)
        block.fill(self.rng.randrange(2, 5))
        f = f"function{self.number}"
        staying = self.rng.choice(["", " @ff"])
        point = ", ".join(f"({round(self.rng.uniform(-1.5, 1.5), 3)}:F) * one" for _ in range(3))
        along = ", ".join(f"({round(self.rng.uniform(-1, 1), 2)}:F)" for _ in range(3))
        second = f"%autodiff.hvp f (at, ({along}))" if self.rng.random() < 0.3 else "(0.0:F, 0.0:F, 0.0:F)"
        return f"""lam {f} (x y z: F, n: Nat, j: Idx 3){staying}: F = {{
{chr(10).join(block.lines)}
    {block.result()}
}};
fun program{self.number} (one: F, n: Nat, j: Idx 3) @ff: «12; F» = {{
    let f = λ (x y z: F): F = {f} (x, y, z, n, j);
    let at = ({point});
    let (value, back) = %autodiff.vjp f at;
    let (a, b, c) = back (1.0:F);
    let (other, by_x) = %autodiff.jvp f (at, (1.0:F, 0.0:F, 0.0:F));
    let by_y = (%autodiff.jvp f (at, (0.0:F, 1.0:F, 0.0:F)))#1;
    let by_z = (%autodiff.jvp f (at, (0.0:F, 0.0:F, 1.0:F)))#1;
    let (d, e, g) = {second};
    return (f at, value, other, a, b, c, by_x, by_y, by_z, d, e, g)
}};
"""


HEAD = """plugin std;
plugin affine;
plugin direct;
plugin autodiff;
let F = %math.F64;
fun show (mem: %mem.M, x: F): %mem.M = {
    ret mem = %std.print.nat $ (mem, %core.bitcast Nat (%core.bitcast I64 x));
    %std.print.newline (mem, return)
};
"""


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    calls = []
    for i in range(count):
        print(Program(random.Random(seed + i), seed + i).text())
        calls.append(f"    ret y{i} = program{seed + i} $ (one, n + {i % 4}, %core.conv.u 3 (argc + {i % 2}I32));")
        calls += [f"    ret mem = show $ (mem, y{i}#{k}_12);" for k in range(12)]
    print("fun extern main (mem: %mem.M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): [%mem.M, I32] = {")
    print("    let n = %core.bitcast Nat argc;\n    let one = %math.conv.s2f %math.f64 argc;")
    print("\n".join(calls))
    print("    return (mem, 0I32)\n};")


if __name__ == "__main__":
    main()
