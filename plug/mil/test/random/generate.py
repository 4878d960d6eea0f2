#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A random program in LC, which has types and ends: generate.py SEED.

Functions call earlier ones only; what repeats goes along a list, or counts down. Values are words, truth values, lists,
trees, pairs, records, what may be missing, and functions. Every fourth program has polymorphic recursion; every third one
has an area with fields, one of which is a pointer; every fifth one has records in lists and as arguments of functions on
all types."""
import random
import sys

LIBRARY = r'''require "prelude.lc"
require "io.mil"

data Tree a = Leaf | Node (Tree a) a (Tree a)
data Shape  = Dot | Line Word | Box Word Word
data Both   = Both Word Bool
data Rich   = Rich Both (Word -> Word) Both Word
data Hold   = Empty | Hold Both Word Rich

upto :: Word -> Word -> List Word
upto i n = if ge i n then Nil else Cons i (upto (add i 1) n)

map :: (a -> b) -> List a -> List b
map f xs = case xs of
             Nil       -> Nil
             Cons y ys -> Cons (f y) (map f ys)

filter :: (a -> Bool) -> List a -> List a
filter p xs = case xs of
                Nil       -> Nil
                Cons y ys -> if p y then Cons y (filter p ys) else filter p ys

foldl :: (b -> a -> b) -> b -> List a -> b
foldl f z xs = case xs of
                 Nil       -> z
                 Cons y ys -> foldl f (f z y) ys

foldr :: (a -> b -> b) -> b -> List a -> b
foldr f z xs = case xs of
                 Nil       -> z
                 Cons y ys -> f y (foldr f z ys)

zipWith f xs ys = case xs of
                    Nil       -> Nil
                    Cons a as -> case ys of
                                   Nil       -> Nil
                                   Cons b bs -> Cons (f a b) (zipWith f as bs)

append xs ys = foldr Cons ys xs
compose f g x = f (g x)
flip f x y = f y x
twice f = compose f f
times n f x = if le n 0 then x else times (sub n 1) f (f x)
head xs = case xs of { Cons y ys -> Just y } | Nothing
orElse m d = case m of
               Nothing -> d
               Just x  -> x

insert :: Word -> Tree Word -> Tree Word
insert x t = case t of
               Leaf       -> Node Leaf x Leaf
               Node l y r -> if lt x y then Node (insert x l) y r
                             else if gt x y then Node l y (insert x r) else t

flatten t = let go t acc = case t of
                             Leaf       -> acc
                             Node l x r -> go l (Cons x (go r acc))
            in go t Nil
extent s = case s of
           Dot     -> 1
           Line n  -> n
           Box n m -> mul n m
turn b = case b of Both x t -> Both (neg x) (if t then False else True)
left r = case r of Rich b f c x -> b
bend r = case r of Rich b f c x -> Rich c (compose f f) (turn b) (add x 1)
spin :: Word -> Both -> Both
spin n b = if le n 0 then b else case b of Both x t -> spin (sub n 1) (Both (if t then add x n else sub x n) t)
'''

MIXED = r'''
keep x = x
pick :: Word -> List a -> a -> a
pick n xs d = case xs of
                Nil       -> d
                Cons y ys -> if eq n 0 then y else pick (sub n 1) ys d
'''

NEST = r'''
data Nest a = Flat a | Deep (Nest (Pair a a))
size :: (a -> Word) -> Nest a -> Word
size f n = case n of
             Flat x -> f x
             Deep m -> size (\p -> case p of (x, y) -> add (f x) (f y)) m
deep :: Word -> a -> Nest a
deep n x = if eq n 0 then Flat x else Deep (deep (sub n 1) (x, x))
'''

MEMORY = r'''
type Link = Ptr (Stored Word)
struct Cells [ link <- initLink Null :: Stored Link | low, high <- initWord 5 :: Stored Word
             | slots :: Array (2 ^ 3 - 4) (Stored Word) | flag :: Stored Bool ]
area cells <- Cells[flag <- initBool True | low <- initWord 3 | slots <- initSlots (\i -> initWord (number i))] :: Ref Cells

external initSlots {primInitArray 4 (Stored Word)} :: (Ix 4 -> Init (Stored Word)) -> Init (Array 4 (Stored Word))
external slot {primAt 4 (Stored Word)} :: Ref (Array 4 (Stored Word)) -> Ix 4 -> Ref (Stored Word)
external initLink {primInitStored Link} :: Link -> Init (Stored Link)
external loadLink {primReadRefStored Link} :: Ref (Stored Link) -> Proc Link
external saveLink {primWriteRefStored Link} :: Ref (Stored Link) -> Link -> Proc Unit
linked :: Word -> Proc Word
linked w = do p <- loadLink cells.link
              case p of
                Null  -> return w
                Ref r -> load r
external index {primModIx WordBits 4} :: Word -> Ix 4
external number {primIxToBit 4 WordBits} :: Ix 4 -> Word
'''

# Generators with variables in their types need an end of types.
GENERAL = r'''
external initWord {primInitStored t}, initBool {primInitStored t} :: t -> Init (Stored t)
external load {primReadRefStored t}, loadFlag {primReadRefStored t} :: Ref (Stored t) -> Proc t
external save {primWriteRefStored t}, saveFlag {primWriteRefStored t} :: Ref (Stored t) -> t -> Proc Unit
'''
SPECIAL = r'''
external initWord {primInitStored Word} :: Word -> Init (Stored Word)
external initBool {primInitStored Bool} :: Bool -> Init (Stored Bool)
external load {primReadRefStored Word} :: Ref (Stored Word) -> Proc Word
external loadFlag {primReadRefStored Bool} :: Ref (Stored Bool) -> Proc Bool
external save {primWriteRefStored Word} :: Ref (Stored Word) -> Word -> Proc Unit
external saveFlag {primWriteRefStored Bool} :: Ref (Stored Bool) -> Bool -> Proc Unit
'''

WORD, BOOL, LIST, TREE, MAYBE, PAIR, SHAPE, BOTH, RICH, HOLD, FUN, TEST, FUN2 = (
    "Word", "Bool", "List Word", "Tree Word", "Maybe Word", "(Word, Word)", "Shape", "Both", "Rich", "Hold", "(Word -> Word)",
    "(Word -> Bool)", "(Word -> Word -> Word)")
DATA = [WORD, WORD, WORD, BOOL, LIST, TREE, MAYBE, PAIR, SHAPE, BOTH, RICH, HOLD, FUN]
BINARY = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"]
DIVISORS = ["1", "3", "8", "4294967295", "(sub 0 1)"]
COMPARE = ["eq", "neq", "gt", "ge", "lt", "le", "ugt", "uge", "ult", "ule"]
NUMBERS = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe]
CHARACTERS = ["'a'", "'\\n'", "'\\''", "'\\SOH'", "'\\x7f'", "'é'"]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.has_nest = seed % 4 == 0
        self.has_memory = seed % 3 == 1
        self.is_mixed = seed % 5 == 2
        self.functions = []
        self.names = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def fresh(self, base="x"):
        self.names += 1
        return f"{base}{self.names}"

    def number(self):
        if self.random.random() < 0.05:
            return self.pick(CHARACTERS)
        return str(self.pick(NUMBERS) if self.random.random() < 0.5 else self.random.randrange(40))

    def variables(self, kind, scope):
        return [name for name, its in scope if its == kind]

    def expression(self, kind, scope, depth):
        """An expression of this type that may stand as an argument."""
        known = self.variables(kind, scope)
        if known and self.random.random() < (0.75 if depth <= 0 else 0.25):
            return self.pick(known)
        if depth <= 0:
            return self.leaf(kind, scope)
        ways = [self.conditional, self.matched, self.local, self.called, self.applied]
        own = getattr(self, "make_" + self.method(kind))
        way = own if self.random.random() < 0.65 else self.pick(ways)
        return "(" + way(kind, scope, depth - 1) + ")"

    @staticmethod
    def method(kind):
        return {WORD: "word", BOOL: "bool", LIST: "list", TREE: "tree", MAYBE: "maybe", PAIR: "pair", SHAPE: "shape",
                BOTH: "both", RICH: "rich", HOLD: "hold", FUN: "fun", TEST: "test", FUN2: "fun2"}[kind]

    def leaf(self, kind, scope):
        words = self.variables(WORD, scope)
        word = self.pick(words) if words and self.random.random() < 0.6 else self.number()
        return {WORD: word, BOOL: self.pick(["True", "False"]), LIST: self.pick(["Nil", f"(Cons {word} Nil)"]), TREE: "Leaf",
                MAYBE: self.pick(["Nothing", f"(Just {word})"]), PAIR: f"({word}, {self.number()})",
                SHAPE: self.pick(["Dot", f"(Line {word})", f"(Box {word} {self.number()})"]),
                BOTH: f"(Both {word} True)", RICH: f"(Rich (Both {word} False) neg (Both 3 True) {self.number()})",
                HOLD: self.pick(["Empty", f"(Hold (Both {word} True) 5 (Rich (Both 1 False) not (Both 3 True) {word}))"]),
                FUN: self.pick([f"({self.pick(BINARY)} {word})", "neg", "not", r"(\x -> x)"]),
                TEST: f"({self.pick(COMPARE)} {word})", FUN2: self.pick(BINARY)}[kind]

    # Expressions of every type.

    def conditional(self, kind, scope, depth):
        return (f"if {self.expression(BOOL, scope, depth)} then {self.expression(kind, scope, depth)} "
                f"else {self.expression(kind, scope, depth)}")

    def matched(self, kind, scope, depth):
        def arm(names, kinds):
            return self.expression(kind, scope + list(zip(names, kinds)), depth)
        a, b, c, d = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        of = self.pick([LIST, TREE, MAYBE, PAIR, SHAPE, BOTH, RICH, HOLD, BOOL])
        subject = self.expression(of, scope, depth)
        none = self.expression(kind, scope, depth)
        alternatives = {
            LIST: [f"Nil -> {none}", f"Cons {a} {b} -> {arm([a, b], [WORD, LIST])}"],
            TREE: [f"Leaf -> {none}", f"Node {a} {b} {c} -> {arm([a, b, c], [TREE, WORD, TREE])}"],
            MAYBE: [f"Nothing -> {none}", f"Just {a} -> {arm([a], [WORD])}"],
            PAIR: [f"({a}, {b}) -> {arm([a, b], [WORD, WORD])}"],
            SHAPE: [f"Dot -> {none}", f"Line {a} -> {arm([a], [WORD])}", f"Box {b} {c} -> {arm([b, c], [WORD, WORD])}"],
            BOTH: [f"Both {a} {b} -> {arm([a, b], [WORD, BOOL])}"],
            RICH: [f"Rich {a} {b} {c} {d} -> {arm([a, b, c, d], [BOTH, FUN, BOTH, WORD])}"],
            HOLD: [f"Empty -> {none}", f"Hold {a} {b} {c} -> {arm([a, b, c], [BOTH, WORD, RICH])}"],
            BOOL: [f"True -> {none}", f"False -> {arm([], [])}"]}[of]
        if len(alternatives) > 1 and self.random.random() < 0.2:
            del alternatives[self.random.randrange(len(alternatives))]
            inner = f"case {subject} of {{ {'; '.join(alternatives)} }}"
            return f"({inner}) | {self.expression(kind, scope, depth)}"
        return f"case {subject} of {{ {'; '.join(alternatives)} }}"

    def local(self, kind, scope, depth):
        name, its = self.fresh("v"), self.pick(DATA)
        return (f"let {{ {name} = {self.expression(its, scope, depth)} }} "
                f"in {self.expression(kind, scope + [(name, its)], depth)}")

    def called(self, kind, scope, depth):
        fitting = [f for f in self.functions if f[2] == kind]
        if not fitting:
            return self.conditional(kind, scope, depth)
        name, kinds, _ = self.pick(fitting)
        return " ".join([name] + [self.expression(k, scope, depth - 1) for k in kinds])

    def applied(self, kind, scope, depth):
        name, its = self.fresh("y"), self.pick(DATA)
        body = self.expression(kind, scope + [(name, its)], depth)
        return f"(\\{name} -> {body}) {self.expression(its, scope, depth)}"

    # Expressions of one type.

    def make_word(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([
            lambda: f"{self.pick(BINARY)} {e(WORD)} {e(WORD)}",
            lambda: f"{self.pick(BINARY)} {e(WORD)} {self.number()}",
            lambda: f"{self.pick(['neg', 'not'])} {e(WORD)}",
            lambda: f"{self.pick(['div', 'rem'])} {e(WORD)} {self.pick(DIVISORS + ['(or 1 ' + e(WORD) + ')'])}",
            lambda: f"foldl {e(FUN2)} {e(WORD)} {e(LIST)}",
            lambda: f"foldr {e(FUN2)} {e(WORD)} {e(LIST)}",
            lambda: f"foldl add 0 (map {e(FUN)} {e(LIST)})",
            lambda: f"{e(FUN)} {e(WORD)}",
            lambda: f"{e(FUN2)} {e(WORD)} {e(WORD)}",
            lambda: f"times {self.random.randrange(6)} {e(FUN)} {e(WORD)}",
            lambda: f"orElse {e(MAYBE)} {e(WORD)}",
            lambda: f"traceWord {e(WORD)}",
            lambda: f"extent {e(SHAPE)}",
        ] + ([lambda: f"size (add {e(WORD)}) (deep {self.random.randrange(5)} {e(WORD)})"] if self.has_nest else []))()

    def make_bool(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([
            lambda: f"{self.pick(COMPARE)} {e(WORD)} {e(WORD)}",
            lambda: f"{self.pick(COMPARE)} {e(WORD)} {self.number()}",
            lambda: f"{e(BOOL)} && {e(BOOL)}",
            lambda: f"{e(BOOL)} || {e(BOOL)}",
            lambda: f"{e(TEST)} {e(WORD)}",
        ])()

    def make_list(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([
            lambda: f"Cons {e(WORD)} {e(LIST)}",
            lambda: f"map {e(FUN)} {e(LIST)}",
            lambda: f"filter {e(TEST)} {e(LIST)}",
            lambda: f"append {e(LIST)} {e(LIST)}",
            lambda: f"zipWith {e(FUN2)} {e(LIST)} {e(LIST)}",
            lambda: f"upto {self.random.randrange(4)} {self.random.randrange(9)}",
            lambda: f"flatten {e(TREE)}",
        ])()

    def make_tree(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([
            lambda: f"insert {e(WORD)} {e(TREE)}",
            lambda: f"Node {e(TREE)} {e(WORD)} {e(TREE)}",
            lambda: f"foldl (flip insert) {e(TREE)} {e(LIST)}",
        ])()

    def make_maybe(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([lambda: f"Just {e(WORD)}", lambda: f"head {e(LIST)}"])()

    def make_pair(self, _, scope, depth):
        return f"{self.expression(WORD, scope, depth)}, {self.expression(WORD, scope, depth)}"

    def make_shape(self, _, scope, depth):
        e = lambda: self.expression(WORD, scope, depth)
        return self.pick([lambda: f"Line {e()}", lambda: f"Box {e()} {e()}"])()

    def make_both(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        name = self.fresh("b")
        return self.pick([
            lambda: f"Both {e(WORD)} {e(BOOL)}",
            lambda: f"turn {e(BOTH)}",
            lambda: f"left {e(RICH)}",
            lambda: f"spin {self.random.randrange(9)} {e(BOTH)}",
            lambda: f"(\\{name} -> {self.expression(BOTH, scope + [(name, BOTH)], depth)}) {e(BOTH)}",
        ] + ([lambda: f"pick {e(WORD)} (Cons {e(BOTH)} (Cons {e(BOTH)} Nil)) {e(BOTH)}"] if self.is_mixed else []))()

    def make_rich(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return self.pick([
            lambda: f"Rich {e(BOTH)} {e(FUN)} {e(BOTH)} {e(WORD)}",
            lambda: f"bend {e(RICH)}",
        ] + ([lambda: f"keep {e(RICH)}", lambda: f"times {self.random.randrange(4)} bend {e(RICH)}"] if self.is_mixed else []))()

    def make_hold(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        return f"Hold {e(BOTH)} {e(WORD)} {e(RICH)}"

    def make_fun(self, _, scope, depth):
        e = lambda kind: self.expression(kind, scope, depth)
        name = self.fresh("a")
        return self.pick([
            lambda: f"\\{name} -> {self.expression(WORD, scope + [(name, WORD)], depth)}",
            lambda: f"{e(FUN2)} {e(WORD)}",
            lambda: f"compose {e(FUN)} {e(FUN)}",
            lambda: f"twice {e(FUN)}",
            lambda: f"times {self.random.randrange(4)} {e(FUN)}",
        ])()

    def make_test(self, _, scope, depth):
        name = self.fresh("a")
        return self.pick([
            lambda: f"\\{name} -> {self.expression(BOOL, scope + [(name, WORD)], depth)}",
            lambda: f"{self.pick(COMPARE)} {self.expression(WORD, scope, depth)}",
        ])()

    def make_fun2(self, _, scope, depth):
        a, b = self.fresh("a"), self.fresh("b")
        return self.pick([
            lambda: f"\\{a} {b} -> {self.expression(WORD, scope + [(a, WORD), (b, WORD)], depth)}",
            lambda: self.pick(BINARY) if self.random.random() < 0.5 else f"flip {self.expression(FUN2, scope, depth)}",
        ])()

    # The program.

    def function(self):
        name = self.fresh("f")
        kinds = [self.pick(DATA) for _ in range(self.random.randrange(4))]
        result = self.pick(DATA)
        scope = [(self.fresh("p"), kind) for kind in kinds]
        arguments = " ".join(parameter for parameter, _ in scope)
        body = self.expression(result, scope, 3)
        signature = f"{name} :: {' -> '.join(kinds + [result])}\n" if self.random.random() < 0.7 else ""
        self.functions.append((name, kinds, result))
        return f"\n{signature}{' '.join([name, arguments]).strip()} = {body}\n"

    def memory(self, scope):
        """A step of `main` that changes memory, or reads it into a name of the scope."""
        e = lambda kind: self.expression(kind, scope, 2)
        place = self.pick([lambda: "cells.low", lambda: "cells.high", lambda: f"(slot cells.slots (index {e(WORD)}))"])()
        way = self.random.randrange(6)
        if way == 4:
            return f"saveLink cells.link {self.pick(['Null', f'(Ref {place})'])}"
        if way == 5:
            name = self.fresh("r")
            read = f"{name} <- linked {e(WORD)}"
            scope.append((name, WORD))
            return read
        if way < 2:
            return f"save {place} {e(WORD)}"
        if way == 2:
            return f"saveFlag cells.flag {e(BOOL)}"
        name, kind = self.fresh("r"), self.pick([WORD, BOOL])
        read = f"{name} <- load {place}" if kind == WORD else f"{name} <- loadFlag cells.flag"
        scope.append((name, kind))
        return read

    def main(self):
        lines = []
        scope = []
        for _ in range(self.random.randrange(3, 7)):
            if self.random.random() < 0.3:
                name, kind = self.fresh("m"), self.pick(DATA)
                lines.append(f"let {{ {name} = {self.expression(kind, scope, 2)} }}")
                scope.append((name, kind))
            if self.has_memory:
                lines.append(self.memory(scope))
            lines.append(f"printWord {self.expression(WORD, scope, 3)}")
        lines.append("return Unit")
        return "\nexport main :: Proc Unit\nmain = do { " + "\n          ; ".join(lines) + "\n          }\n"

    def text(self):
        functions = [self.function() for _ in range(self.random.randrange(3, 8))]
        memory = MEMORY + (SPECIAL if self.has_nest else GENERAL) if self.has_memory else ""
        return LIBRARY + (MIXED if self.is_mixed else "") + (NEST if self.has_nest else "") + memory + "".join(functions) + self.main()


if __name__ == "__main__":
    sys.stdout.write(Program(int(sys.argv[1])).text())
