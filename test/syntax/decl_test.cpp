// SPDX-License-Identifier: MIT
// Declarations: the tree of every form, documentation comments, and that all of them survive printing and formatting.
#include <doctest/doctest.h>

#include "helper.h"

using namespace mim;
using namespace mim::test;

namespace {

std::string tree_of(const std::string& text) {
    Parsed p(text);
    return p.ok() ? dump(p.module) : p.errors();
}

const char* const kEverything = R"(/// The module.

/// Documented.
plugin core;
import foo;
import "dir/bar.mim";
axm %a.b(x, y = z = end, let): {n: Nat} [Idx n] → Idx n, normalize_b, 2;
axm %a.c: Nat, 1;
axm %a.d: *, normalize_d;
let x = 1;
let %a.e: Nat = 2;
let (a, (b c: Nat), _: T): U = x;
let [Nat, d: *, (e, f): V, [g: A, B] as h] as k = x;
lam f (n: Nat): * = n;
lam %a.g {T: *} (x y: T) @tt: T = x;
con extern main [%mem.M, Cn [I32]] = ret x = f $ y; g x;
fun h (x: T) _ (y): U = y;
rec A = [Nat, B];
and B: * = %mem.Ptr A;
and lam C x = A;
rec %a.h (T: *) {n: Nat}: * = | none | some T | pair [x: T, «n; T»];
let Color = | red | next [] → Nat;
ccon exit [I32];
ccon raw: Cn [I8, Cn I8];
cfun getchar [%mem.M]: [%mem.M, I32];
cfun sin F: F;
rule r (x: Nat) {T: *}: f x when g x => x;
norm %a.n (x y: Nat): f (x, y) => λ z = x;
con loop (i: Nat) = head i where
    con head (j: Nat) = loop j where
        let c = j;
    end
    and con body () = head 0;
end
let z = { let y = x; con k () = y; k };
)";

} // namespace

TEST_CASE("decl: the tree of each") {
    CHECK(tree_of("let x: T = y;") == "(let (name 'x' T) y)\n");
    CHECK(tree_of("let %a.b = y;") == "(let (name '%a.b' -) y)\n");
    CHECK(tree_of("let (a b: T, _) as c = y;") == "(let (as (() ( (group ( 'a' 'b') T) (name '' -)) -) 'c') y)\n");
    CHECK(tree_of("rec a: T = b and c = d; and con f x = y;")
          == "(rec 'a' T b)\nand (rec 'c' - d)\nand (fun 'f' 1 ( (name 'x' -)) - - y)\n");
    CHECK(tree_of("lam f (x: A) {B} @g: T = y;") == "(fun 'f' 0 ( (name 'x' A)) { (() ( (name 'B' -)) -)} g T y)\n");
    CHECK(tree_of("fun extern f x: A: T = y;") == "(extern 'f' 2 ( (name 'x' A)) - T y)\n");
    CHECK(tree_of("axm %a.b(c = d, e): T, n, 2;") == "(axm, '%a.b' ( ( 'c' 'd') ( 'e')) T 'n' 2)\n");
    CHECK(tree_of("axm %a.b(): T;") == "(axm '%a.b' () T '' 0)\n");
    CHECK(tree_of("cfun f [a: A] as p: T;") == "(cfun 'f' (as ([] ( (name 'a' A)) -) 'p') T)\n");
    CHECK(tree_of("ccon f [A];") == "(ccon 'f' ([] ( (type A)) -) -)\n");
    CHECK(tree_of("ccon f: T;") == "(ccon 'f' - T)\n");
    CHECK(tree_of("rule r (x: A): f x when c => y;") == "(rule 'r' ( (name 'x' A)) (app f x) c y)\n");
    CHECK(tree_of("norm n x: A: f x => y;") == "(norm 'n' ( (name 'x' A)) (app f x) - y)\n");
    CHECK(tree_of("rec L (T: *) {n: Nat}: * = | a | b [x: T, U] and M = | c Nat;")
          == "(rec 'L' ( (name 'T' (prim 0))) { (() ( (name 'n' (prim 4))) -)} (prim 0) (labels ( 'a' - 'b' (sigma ([] ( (name "
             "'x' T) (type "
             "U)) -)))))\nand (rec 'M' - (labels ( 'c' (prim 4))))\n");
    CHECK(tree_of("let C = | r | g A → B;") == "(let (name 'C' -) (labels ( 'r' - 'g' (pi 0 ( (type A)) B))))\n");
    CHECK(tree_of("import a; import \"b/c.mim\"; plugin p;") == "(import 'a')\n(import\" 'b/c.mim')\n(plugin 'p')\n");
}

TEST_CASE("decl: `;` may be left out behind `end` only") {
    CHECK(tree_of("let x = y where let z = 1; end let w = 2;")
          == "(let (name 'x' -) (where y ( (let (name 'z' -) 1))))\n(let (name 'w' -) 2)\n");
    CHECK(Parsed("let x = 1 let y = 2;").errors() == "1:11 expected `;`, got `let` while parsing a `let`\n");
}

TEST_CASE("decl: documentation") {
    Parsed p("/// File.\n/// Two lines.\n\n/// Lost.\n\n/// Kept\n///  too.\nlet x = 1; /// no\nlet y = 2;");
    REQUIRE(p.module.decls.size() == 2);
    CHECK(p.module.doc == "File.\nTwo lines.");
    CHECK(p.module.decls[0]->doc == "Kept\n too.");
    CHECK(p.module.decls[1]->doc == "");
    CHECK(print(p.module) == "/// File.\n/// Two lines.\n\n/// Kept\n///  too.\nlet x = 1;\nlet y = 2;\n");
}

TEST_CASE("decl: spans") {
    Parsed p("plugin core;\n/// d\nfun extern f (x: Nat): Nat = g x; let y = 1;");
    auto* f = ast::as<ast::Fun>(p.module.decls[1]);
    CHECK(p.sources.text(f->span) == "fun extern f (x: Nat): Nat = g x");
    CHECK(p.sources.text(f->name.span) == "f");
    CHECK(p.sources.text(f->fun.codomain->span) == "Nat");
    CHECK(p.sources.text(f->fun.body->span) == "g x");
    CHECK(p.sources.text(ast::as<ast::NamePattern>(f->fun.groups[0].pattern)->name.span) == "x");
}

TEST_CASE("decl: everything survives printing and formatting") { CHECK(round_trip(kEverything) == ""); }

TEST_CASE("decl: every kind of node occurs in the trees above") {
    // A new kind must be added to a test of this folder; the sizes of the closed sets say when.
    constexpr int exprs = 0
#define MIM_ONE(name) +1
        MIM_AST_EXPRS(MIM_ONE);
    constexpr int patterns = 0 MIM_AST_PATTERNS(MIM_ONE);
    constexpr int decls    = 0 MIM_AST_DECLS(MIM_ONE);
#undef MIM_ONE
    CHECK(exprs == 28);
    CHECK(patterns == 6);
    CHECK(decls == 10);
}

TEST_CASE("decl: a tree that the compiler makes prints without spans") {
    ast::Module m;
    SymbolTable symbols;
    auto& a    = m.arena;
    auto name  = [&](const char* s) -> const ast::Expr* { return ast::make<ast::Name>(a, {}, symbols.intern(s)); };
    auto* nat  = ast::make<ast::Prim>(a, {}, ast::PrimKind::Nat);
    auto* pat  = ast::make<ast::NamePattern>(a, {}, ast::Binder{symbols.intern("x"), {}}, static_cast<const ast::Expr*>(nat));
    auto group = ast::Group{pat, false};
    auto* app  = ast::make<ast::App>(a, {}, false, name("f"), name("x"));
    ast::Function fun{ast::LamForm::Lam, a.list(&group, 1), nullptr, nat, app};
    auto* d          = ast::make_decl<ast::Fun>(a, {}, true, ast::Binder{symbols.intern("g"), {}}, fun);
    const auto* decl = static_cast<const ast::Decl*>(d);
    m.decls          = a.list(&decl, 1);
    CHECK(print(m) == "lam extern g (x: Nat): Nat = f x;\n");
    CHECK(print(decl) == "lam extern g (x: Nat): Nat = f x;");
    CHECK(print(static_cast<const ast::Pattern*>(pat)) == "x: Nat");
}

TEST_CASE("decl: names") {
    CHECK(is_identifier("x_1"));
    CHECK_FALSE(is_identifier("let"));
    CHECK_FALSE(is_identifier("bot"));
    CHECK_FALSE(is_identifier("_"));
    CHECK_FALSE(is_identifier("1x"));
    CHECK_FALSE(is_identifier("x.y"));
    CHECK(is_keyword("where"));
    CHECK_FALSE(is_keyword("ret"));
}
