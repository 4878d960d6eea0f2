#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of effects in direct style: what the checker accepts passes all verifiers, and does what the evaluator does, each
effect as often and in the same order.

    direct_style.py --mim BUILD/bin/mim [--seed 1] [--count 100] [--dir OUT]    OUT keeps the programs that fail

A function of a program declares functions within functions. Some take the token, others hold one from around them, and some are
pure; they call themselves, each other, choose, match, and mention what effects around them gave. Now and then a token is used that is gone:
mostly that is refused. Where it is not, as nobody needs the effect, all ways must agree as well.
"""
import random

from accepted import errors_of, is_refused, run, sweep

HEAD = """plugin core;
plugin mem;
plugin direct;
let M = %mem.M;
let R = [M, I32];
cfun putchar [mem: M, c: I32]: R;
lam put (mem: M, c: I32): R =
    let (mem, written) = %direct.cps2ds putchar (mem, 65I32 + %core.bit2.and_ 0 (c, 15I32));
    (mem, written + c - 64I32);
"""
MAIN = "fun extern main (mem: M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): R =\n"
REFUSED = ("[E300]", "[E301]", "[E302]", "[E303]")
DEPTH = 3


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        functions = [self.function(f"f{i}") for i in range(self.random.randint(1, 2))]
        calls = "".join(f"    let (mem, a{i}) = f{i} (mem, argc + {i}I32);\n" for i in range(len(functions)))
        end = "    return (mem, %core.bit2.and_ 0 (" + " + ".join(f"a{i}" for i in range(len(functions))) + ", 63I32));\n"
        self.text = HEAD + "\n".join(functions) + "\n" + MAIN + calls + end

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def function(self, name):
        scope = {"numbers": ["n"], "unions": [], "takers": [], "holders": [], "pure": [], "gone": [], "depth": DEPTH}
        return f"lam {name} (mem: M, n: I32) @ff: R = {self.body('mem', scope)};"

    def number(self, scope):
        some = self.random.choice(scope["numbers"])
        other = self.random.choice(scope["numbers"] + [f"{self.random.randint(0, 9)}I32"])
        forms = [some, other, f"({some} + {other})", f"({some} * 3I32)"]
        if scope["pure"]:
            forms.append(f"({self.random.choice(scope['pure'])} {some})")
        return self.random.choice(forms)

    def inner(self, scope, **more):
        copy = {key: list(value) if isinstance(value, list) else value for key, value in scope.items()}
        copy["depth"] -= 1
        return copy | more

    def body(self, token, scope):
        """Text of type [M, I32] that consumes the token, or what holds it."""
        text, scope = "", self.inner(scope, depth=scope["depth"])
        for _ in range(self.random.randint(0, 3)):
            if scope["depth"] and self.chance(60):
                text += self.declaration(token, scope)
            else:
                declared, token = self.effect(token, scope)
                text += declared
        return f"{{ {text}{self.end(token, scope)} }}" if text else self.end(token, scope)

    def effect(self, token, scope):
        if self.chance(4) and scope["gone"]:
            token = self.random.choice(scope["gone"])
        next_token, value = self.fresh("m"), self.fresh("x")
        callee = self.random.choice(["put"] * 2 + scope["takers"])
        text = f"let ({next_token}, {value}) = {callee} ({token}, {self.number(scope)}); "
        scope["numbers"].append(value)
        scope["gone"].append(token)
        scope["holders"] = []  # they hold a token that is gone
        return text, next_token

    def declaration(self, token, scope):
        name, k = self.fresh("h"), self.fresh("k")
        numbers = scope["numbers"] + [k]
        kind = self.random.choice(["takers", "holders", "holders", "pure"])
        scope[kind].append(name)
        inside = self.inner(scope, numbers=numbers)
        if kind == "pure":
            scope[kind].remove(name)
            inside["pure"] = list(scope[kind])
            scope[kind].append(name)
            return f"lam {name} ({k}: I32) @ff: I32 = {self.number(inside)} + {k}; "
        if kind == "takers":
            own = self.fresh("m")
            inside |= {"holders": [], "takers": [t for t in scope["takers"] if t != name]}
            text = self.recursive(own, inside, k, f"{name} ({{}}, {k} - 1I32)")
            return f"lam {name} ({own}: M, {k}: I32) @ff: R = {text}; "
        inside["holders"] = [h for h in scope["holders"] if h != name]
        text = self.recursive(token, inside, k, f"{name} ({k} - 1I32)")
        return f"lam {name} ({k}: I32) @ff: R = {text}; "

    def recursive(self, token, scope, k, call):
        """A body that may call its function, as often as k says."""
        if self.chance(30):
            return self.body(token, scope)
        text = ""
        if self.chance(70):
            text, token = self.effect(token, scope)
        go, stop, next_token, value = (self.fresh(letter) for letter in "gsmx")
        again = call.format(token if "{}" in call else "")
        rest = self.inner(scope, numbers=scope["numbers"] + [value], holders=[], depth=max(scope["depth"], 1))
        text += f"lam {go} (): R = let ({next_token}, {value}) = {again}; {self.body(next_token, rest)}; "
        text += f"lam {stop} (): R = {self.body(token, scope)}; "
        return f"{{ {text}({stop}, {go})#({k} > 0I32 && {k} < 5I32) () }}"

    def end(self, token, scope):
        if scope["depth"] and self.chance(35):
            if self.chance(25):
                return self.match(token, scope)
            a, b = self.fresh("a"), self.fresh("b")
            first, second = (self.body(token, self.inner(scope)) for _ in range(2))
            condition = f"{self.number(scope)} == {self.random.randint(0, 4)}I32"
            return f"{{ lam {a} (): R = {first}; lam {b} (): R = {second}; ({a}, {b})#({condition}) () }}"
        if scope["holders"] and self.chance(75):
            holder = self.random.choice(scope["holders"])
            argument = f"%core.bit2.and_ 0 ({self.number(scope)}, 3I32)"
            if self.chance(50):
                return f"{holder} ({argument})"
            next_token, value = self.fresh("m"), self.fresh("x")
            rest = self.inner(scope, numbers=scope["numbers"] + [value], holders=[], depth=max(scope["depth"], 1))
            return f"{{ let ({next_token}, {value}) = {holder} ({argument}); {self.body(next_token, rest)} }}"
        return f"({token}, {self.number(scope)})"


    def match(self, token, scope):
        """Now and then of a value that is matched around it, too."""
        text = ""
        if not scope["unions"] or self.chance(50):
            union = self.fresh("u")
            number, condition = self.number(scope), f"{self.number(scope)} == {self.random.randint(0, 4)}I32"
            text = f"let {union} = ({number} inj I32 ∪ Bool, ({condition}) inj I32 ∪ Bool)#({condition}); "
            scope["unions"].append(union)
        value = self.fresh("v")
        first = self.body(token, self.inner(scope, numbers=scope["numbers"] + [value]))
        second = self.body(token, self.inner(scope))
        matched = f"(match {self.random.choice(scope['unions'])} with | {value}: I32 => {first} | _: Bool => {second})"
        return f"{{ {text}{matched} }}" if text else matched


def check(mim, file):
    """None: it is refused. Otherwise what is wrong, or an empty text."""
    evaluated = run(mim, file, "--eval")
    if is_refused(evaluated, REFUSED):
        return None
    errors = errors_of(evaluated)
    if errors:
        return errors[0]
    expected = (evaluated.returncode, evaluated.stdout)
    for options in (["--verify-each", "-O0"], ["--verify-each"]):
        compiled = run(mim, file, *options)
        if errors_of(compiled):
            return errors_of(compiled)[0]
        if (compiled.returncode, compiled.stdout) != expected:
            return f"{' '.join(options)} gives {compiled.returncode} `{compiled.stdout}`, the evaluator {expected[0]} `{expected[1]}`"
    return ""


if __name__ == "__main__":
    sweep(__doc__, "direct_style", "in direct style", lambda seed: Program(seed).text, check, least=5)
