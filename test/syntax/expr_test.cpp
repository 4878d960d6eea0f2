// SPDX-License-Identifier: MIT
// Expressions: the tree of every form, binding strengths, and that canonical text has as few parentheses as they allow.
#include <doctest/doctest.h>

#include "helper.h"

using namespace mim;
using namespace mim::test;

TEST_CASE("expr: leaves") {
    CHECK(tree("x") == "x");
    CHECK(tree("%core.nat.add") == "%core.nat.add");
    CHECK(tree("23") == "23");
    CHECK(tree("(23)") == "23");
    CHECK(tree("42I32") == "(idx 1 42 4294967296)");
    CHECK(tree("3_23") == "(idx 0 3 23)");
    CHECK(tree("3₂₃") == tree("3_23"));
    CHECK(tree("'a'") == "(idx 2 97 256)");
    CHECK(tree("23:(Idx 42)") == "(lit 23 (app (prim 5) 42))");
    CHECK(tree("1.5:%math.F64") == "(float 1.5 %math.F64)");
    CHECK(tree("\"hi\\n\"") == "(str hi\n)");
    CHECK(tree("Sort 2") == "(sort 2)");
    CHECK(tree("Sort 1") == tree("□"));
    CHECK(tree("_") == "_");
    CHECK(tree("bot") == tree("⊥"));
    CHECK(tree("top") == tree("⊤"));
}

TEST_CASE("expr: every primitive reads and prints"){
#define MIM_PRIM(name, unicode, ascii)                                                                                           \
    CHECK(canonical(unicode) == unicode);                                                                                        \
    CHECK(canonical(ascii, true) == ascii);
    MIM_AST_PRIMS(MIM_PRIM)
#undef MIM_PRIM
}

TEST_CASE("expr: brackets") {
    CHECK(tree("()") == "(tuple ())");
    CHECK(tree("(a, b)") == "(tuple ( a b))");
    CHECK(tree("[]") == "(sigma ([] () -))");
    CHECK(tree("[a]") == "(sigma ([] ( (type a)) -))");
    CHECK(tree("[x: A, y z: B]") == "(sigma ([] ( (name 'x' A) (group ( 'y' 'z') B)) -))");
    CHECK(tree("[[x: A, B], C]") == "(sigma ([] ( ([] ( (name 'x' A) (type B)) -) (type C)) -))");
    CHECK(tree("[(x, y): T, z]") == "(sigma ([] ( (() ( (name 'x' -) (name 'y' -)) T) (type z)) -))");
    CHECK(tree("«n; T»") == "(array ( '' n) T)");
    CHECK(tree("<<x: n, m; T>>") == "(array ( 'x' n '' m) T)");
    CHECK(tree("‹x: n; e›") == "(pack ( 'x' n) e)");
    CHECK(tree("{| e |}") == "(single e)");
    CHECK(tree("⦃e⦄") == "(single e)");
    CHECK(tree("ins(a, b, c)") == "(ins a b c)");
    CHECK(tree("{ let x = y; x }") == "(block ( (let (name 'x' -) y)) x)");
}

TEST_CASE("expr: operators by strength") {
    CHECK(tree("a + b") == "(op '+' a b)");
    CHECK(tree("-a") == "(op '-' - a)");
    CHECK(tree("!a") == "(op '!' - a)");
    CHECK(tree("a - b - c") == tree("(a - b) - c"));
    CHECK(tree("a + b * c") == tree("a + (b * c)"));
    CHECK(tree("a * b + c") == tree("(a * b) + c"));
    CHECK(tree("a + b < c - d") == tree("(a + b) < (c - d)"));
    CHECK(tree("a || b && c == d") == tree("a || (b && (c == d))"));
    CHECK(tree("-a * b") == tree("(-a) * b"));
    CHECK(tree("-f a") == tree("-(f a)"));
    CHECK(tree("f a + g b#0") == tree("(f a) + (g (b#0))"));
    CHECK(tree("a + b inj T ∪ U") == tree("(a + b) inj (T ∪ U)"));
    CHECK(tree("a * b → c") == tree("(a * b) → c"));
    for (auto text :
         {"a - (b - c)",   "(a + b) * c", "a == (b == c)", "-(a + b)",         "!(a && b) || c",     "--a",        "- 1",
          "-1.5:T",        "- 1.5:T",     "a + -1.5:T",    "f (-a)",           "f (a + b)",          "f (-1.5:T)", "(a + b)#0",
          "a + (b inj T)", "2.0 * x",     "f a - 1",       "λ (x: T) = x + y", "(λ (x: T) = x) + y", "«a + b; T»", "‹a; b > c›",
          "f (*) x",       "F * → T"}) {
        CAPTURE(text);
        CHECK(canonical(text) == text);
    }
}

TEST_CASE("expr: what is an operator, its neighbours tell") {
    CHECK(tree("a * b") == "(op '*' a b)");
    CHECK(tree("a *") == tree("a (*)"));
    CHECK(tree("a * *") == tree("(a (*)) (*)"));
    CHECK(tree("[T: *] → *") == "(pi 0 ( ([] ( (name 'T' (prim 0))) -)) (prim 0))");
    CHECK(tree("a < b") == "(op '<' a b)");
    CHECK(tree("a > b") == "(op '>' a b)");
    CHECK(tree("<a; b>") == tree("‹a; b›"));
    CHECK(tree("<a; (b > c)>") == tree("‹a; b > c›"));
    CHECK(tree("<a; λ (x: T) = x>") == tree("‹a; λ (x: T) = x›"));
    CHECK(tree("<<a; b > c>>") == tree("«a; b > c»"));
    CHECK(tree("f <<3; g <<2; T>>>> x") == tree("f «3; g «2; T»» x"));
    CHECK(tree("f -1") == tree("f - 1"));
    CHECK(tree("f-1") == tree("f - 1"));
    CHECK(tree("(f) -1.5") == tree("f - 1.5"));
    CHECK(tree("a+-1.5:T") == tree("a + (-1.5:T)"));
    CHECK(tree("a<=b") == tree("a <= b"));
    CHECK(canonical("‹a; b > c›", true) == "<a; (b > c)>");
    CHECK(canonical("f ‹a; b›", true) == "f (<a; b>)");
    CHECK(canonical("‹a; λ (x: T) = b > c›", true) == "<a; (lm (x: T) = b > c)>");
    CHECK(tree("op + a") == "(op '+' op a)");
    CHECK(tree("op - (a: T): T = b; c") == "(block ( (op '-' (lam 0 ( (name 'a' T)) - T b))) c)");
    CHECK(tree("op + (a)") == "(op '+' op a)");
}

TEST_CASE("expr: declarations in front of an expression") {
    CHECK(tree("let x = y; x") == tree("{ let x = y; x }"));
    CHECK(tree("(let x = y; x, z)") == "(tuple ( (block ( (let (name 'x' -) y)) x) z))");
    CHECK(tree("(e,)") == "e");
    CHECK(tree("(a, b,)") == tree("(a, b)"));
    CHECK(tree("[a,]") == tree("[a]"));
    CHECK(tree("ins(a, b, c,)") == tree("ins(a, b, c)"));
    CHECK(tree("{ let x = y;; x }") == tree("{ let x = y; x }"));
    CHECK(tree("e where let x = y end") == tree("e where let x = y; end"));
    CHECK(tree("let x = y; e where let z = x; end") == "(where 1 e ( (let (name 'x' -) y) (let (name 'z' -) x)))");
    CHECK(tree("(let x = y; e) where let z = x; end") == "(where (block ( (let (name 'x' -) y)) e) ( (let (name 'z' -) x)))");
    CHECK(tree("{T: let U = *; U} → T") == tree("{T: { let U = *; U }} → T"));
    CHECK(tree("A → let T = B; T → C") == tree("A → { let T = B; T → C }"));
}

TEST_CASE("expr: `>>` closes two packs, `>` `>` an array") {
    CHECK(tree("<a; <b; c>>") == tree("‹a; ‹b; c››"));
    CHECK(tree("<<a; <b; c>>>") == tree("«a; ‹b; c›»"));
    CHECK(tree("<a; <<b; c>>>") == tree("‹a; «b; c»›"));
    CHECK(tree("<a; <<b; <c; d>>>>") == tree("‹a; «b; ‹c; d›»›"));
    CHECK(canonical("‹‹2; n›; x›", true) == "< <2; n>; x>");
}

TEST_CASE("expr: binding strengths") {
    CHECK(tree("f a b") == "(app (app f a) b)");
    CHECK(tree("f @a b") == "(app (app@ f a) b)");
    CHECK(tree("f a#i#j") == "(app f (# (# a i) j))");
    CHECK(tree("a#23:(Idx 42)") == "(# a (lit 23 (app (prim 5) 42)))");
    CHECK(tree("f A ∪ B#i") == "(app f (union ( A (# B i))))");
    CHECK(tree("A \\/ B \\/ C") == "(union ( A B C))");
    CHECK(tree("f a inj A ∪ B") == "(inj (app f a) (union ( A B)))");
    CHECK(tree("f a inj @A A ∪ B") == "(inj@ (app f a) A (union ( A B)))");
    CHECK(tree("a inj A inj B") == "(inj (inj a A) B)");
    CHECK(tree("a inj A → B") == "(pi 0 ( (type (inj a A))) B)");
    CHECK(tree("A → B → C") == "(pi 0 ( (type A)) ( (type B)) C)");
    CHECK(tree("f a where let x = b; end") == "(where (app f a) ( (let (name 'x' -) b)))");
    CHECK(tree("A → a where let x = b; end") == "(where (pi 0 ( (type A)) a) ( (let (name 'x' -) b)))");
    CHECK(tree("a where let x = b; end where let y = c; end")
          == "(where (where a ( (let (name 'x' -) b))) ( (let (name 'y' -) c)))");
}

TEST_CASE("expr: function types") {
    CHECK(tree("[x: A] → B") == "(pi 0 ( ([] ( (name 'x' A)) -)) B)");
    CHECK(tree("{x: A} → B") == "(pi 0 { ([] ( (name 'x' A)) -)} B)");
    CHECK(tree("{n: Nat} [a: T] → U") == tree("{n: Nat} → [a: T] → U"));
    CHECK(tree("[A] [B] → C") == tree("[A] -> [B] -> C"));
    CHECK(tree("[A, B] ∪ C → D") == "(pi 0 ( (type (union ( (sigma ([] ( (type A) (type B)) -)) C)))) D)");
    CHECK(tree("Cn A") == "(pi 1 ( (type A)) -)");
    CHECK(tree("Cn [A] [B]") == "(pi 1 ( ([] ( (type A)) -)) ( ([] ( (type B)) -)) -)");
    CHECK(tree("Cn A → B") == tree("Cn (A → B)"));
    CHECK(tree("Fn A → B") == "(pi 2 ( (type A)) B)");
    CHECK(tree("Fn [A] {B} → C → D") == "(pi 2 ( ([] ( (type A)) -)) { ([] ( (type B)) -)} (pi 0 ( (type C)) D))");
    CHECK(tree("[T: *] → Cn T") == "(pi 0 ( ([] ( (name 'T' (prim 0))) -)) (pi 1 ( (type T)) -))");
}

TEST_CASE("expr: functions") {
    CHECK(tree("λ x = x") == "(lam 0 ( (name 'x' -)) - - x)");
    CHECK(tree("lm x: A = x") == "(lam 0 ( (name 'x' A)) - - x)");
    CHECK(tree("λ (x: A) @f: U = e") == "(lam 0 ( (name 'x' A)) f U e)");
    CHECK(tree("λ x: A @f: U = e") == tree("λ (x: A) @f: U = e"));
    CHECK(tree("λ x: A @f 3: U = e") == "(lam 0 ( (name 'x' A)) (app f 3) U e)");
    CHECK(tree("cn (x y: A) = e") == "(lam 1 ( (() ( (group ( 'x' 'y') A)) -)) - - e)");
    CHECK(tree("fn {T: *} ((a, b) as c, _: B): U = e")
          == "(lam 2 { (() ( (name 'T' (prim 0))) -)} ( (() ( (as (() ( (name 'a' -) (name 'b' -)) -) 'c') (name '' B)) -)) - U "
             "e)");
    CHECK(tree("f λ x = x y") == "(app f (lam 0 ( (name 'x' -)) - - (app x y)))");
}

TEST_CASE("expr: blocks, ret and match") {
    CHECK(tree("{ let x = a; ret y = f $ x; y }") == "(block ( (let (name 'x' -) a) (ret (name 'y' -) f x)) y)");
    CHECK(tree("ret (a, b) = f $ x; ret y: T = g $ a; y")
          == "(block ( (ret (() ( (name 'a' -) (name 'b' -)) -) f x) (ret (name 'y' T) g a)) y)");
    CHECK(tree("ret phi") == "(app ret phi)");
    CHECK(tree("ret (phi, x)") == "(app ret (tuple ( phi x)))");
    CHECK(tree("{ret: T} → U") == "(pi 0 { ([] ( (name 'ret' T)) -)} U)");
    CHECK(tree("match e with | a: A => x | (b, c): B => y")
          == "(match e ( (name 'a' A) x (() ( (name 'b' -) (name 'c' -)) B) y))");
    CHECK(tree("match e with | a x => b | L.c (y, _) as z => L.d | %p.l.e => f | g => h")
          == "(match e ( (label 'a' (name 'x' -)) b (as (label 'L.c' (() ( (name 'y' -) (name '' -)) -)) 'z') L.d (label "
             "'%p.l.e' -) f (name "
             "'g' -) h))");
    CHECK(tree("match e with a: A => x") == tree("match e with | a: A => x"));
    CHECK(tree("match a with | x: A => match b with | y: B => c | z: C => d")
          == "(match a ( (name 'x' A) (match b ( (name 'y' B) c (name 'z' C) d))))");
}

TEST_CASE("expr: canonical text has no needless parentheses") {
    for (auto text : {"f a b",
                      "f (g a) b",
                      "(f, g)#i ()",
                      "f a#i",
                      "(f a)#i",
                      "A ∪ B",
                      "f (A → B)",
                      "f A ∪ B",
                      "(f A) ∪ B",
                      "a inj A ∪ B",
                      "A → B → C",
                      "(A → B) → C",
                      "A → (B → C)",
                      "[x: A] → B",
                      "{n: Nat} [a: T] → U",
                      "Cn [A] [B]",
                      "Cn (A → B)",
                      "Fn A → B",
                      "Fn [A] → Cn B",
                      "f @x",
                      "f (Sort 2)",
                      "23:(Idx 42)",
                      "λ x = x",
                      "λ (x: A) @f: U = e",
                      "f (λ x = x)",
                      "(λ x = x) y",
                      "{| e |}",
                      "⦃e⦄",
                      "‹x: n; e›",
                      "«m, n; T»",
                      "ins(a, b, c)",
                      "([A]) [B]",
                      "([A]) → B",
                      "[([A]), B]",
                      "λ (x: A) @(3:F): U = e",
                      "(ret x = f $ a; x) where\n    let y = b;\nend",
                      "match a with | (x: A) as y => b",
                      "match a with | L.b x => c | d (y: A) => e | f (g, h) as i => j",
                      "match a with | x: A => (match b with | y: B => c) | z: C => d",
                      "(x where\n    let y = b;\nend)#i",
                      "e#name",
                      "e#(f i)",
                      "1I64",
                      "'\\''",
                      "\"\\\"'\\x01é\"",
                      "cn x = y",
                      "fn (x: A): B = y",
                      "_",
                      "λ (x): T = x"}) {
        CAPTURE(text);
        auto once = canonical(text);
        CHECK(tree(once) == tree(text));
        if (std::string_view(text).find("{|") == std::string_view::npos
            && std::string_view(text) != "match a with | (x: A) as y => b")
            CHECK(once == text);
    }
    CHECK(canonical("((f)) ((a)) (b)") == "f a b");
    CHECK(canonical("(A ∪ B) → (f a)") == "A ∪ B → f a");
}

TEST_CASE("expr: ASCII spellings") {
    CHECK(canonical("«n; ⊥» → ‹2; ⊤› ∪ ⦃λ x = □⦄", true) == "<<n; bot>> -> <2; top> \\/ {| lm x = Sort 1 |}");
    CHECK(canonical("<<n; bot>> -> top \\/ {| e |}") == "«n; ⊥» → ⊤ ∪ ⦃e⦄");
}

TEST_CASE("expr: a single expression") {
    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags(sources);
    auto m = parse_expr(sources.add("-", "f x → y"), sources, symbols, diags);
    CHECK(dump(m) == "(let (name '' -) (pi 0 ( (type (app f x))) y))\n");
    parse_expr(sources.add("-", "f x; y"), sources, symbols, diags);
    CHECK(diags.num_errors() == 1);
}
