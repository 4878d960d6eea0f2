// SPDX-License-Identifier: MIT
// Trees that C++ builds, as the printer shows them.
#include "syntax/build.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "syntax/print.h"

using namespace mim;
using namespace mim::ast;

namespace {

struct Built {
    SymbolTable symbols;
    Builder b{1, symbols};
    static constexpr Span at{1, 2, 3};

    const Expr* x() { return b.name(at, "x"); }
    const Expr* i32() { return b.integer_type(at, 32); }
    /// The text of the only declaration.
    std::string text(Decl* decl) {
        b.add(decl);
        auto module = b.finish();
        return print(module);
    }
};

std::string text(const Expr* e) { return print(e); }

} // namespace

TEST_CASE("build: names and literals") {
    Built t;
    CHECK(text(t.x()) == "x");
    CHECK(text(t.b.annex(t.at, "%core.nat.add")) == "%core.nat.add");
    CHECK(text(t.b.boolean(t.at, true)) == "tt");
    CHECK(text(t.b.nat(t.at, 7)) == "7");
    CHECK(text(t.b.integer(t.at, 7, 32)) == "7I32");
    CHECK(text(t.b.integer(t.at, 7, 64)) == "7I64");
    CHECK(text(t.b.floating(t.at, "1.5", t.b.annex(t.at, "%math.F64"))) == "1.5:%math.F64");
    CHECK(text(t.b.string(t.at, "a\n")) == "\"a\\n\"");
    CHECK(text(t.b.hole(t.at)) == "_");
    CHECK(t.b.error(t.at)->kind == ExprKind::Error);
    CHECK(t.x()->span == t.at);
}

TEST_CASE("build: calls, tuples and choices") {
    Built t;
    auto f = t.b.name(t.at, "f");
    CHECK(text(t.b.app(t.at, f, t.x())) == "f x");
    CHECK(text(t.b.call(t.at, f, {t.x()})) == "f x");
    CHECK(text(t.b.call(t.at, f, {t.x(), t.b.nat(t.at, 1)})) == "f (x, 1)");
    CHECK(text(t.b.call(t.at, f, {})) == "f ()");
    CHECK(text(t.b.element(t.at, t.x(), 1)) == "x#1");
    CHECK(text(t.b.extract(t.at, t.x(), f)) == "x#f");
    CHECK(text(t.b.choose(t.at, f, t.x(), t.b.nat(t.at, 0))) == "(0, x)#f");
}

TEST_CASE("build: types") {
    Built t;
    CHECK(text(t.b.integer_type(t.at, 8)) == "I8");
    CHECK(text(t.b.integer_type(t.at, 1)) == "I1");
    CHECK(text(t.b.tuple_type(t.at, {t.i32(), t.x()})) == "[I32, x]");
    CHECK(text(t.b.array_type(t.at, t.b.nat(t.at, 3), t.i32())) == "«3; I32»");
    CHECK(text(t.b.arrow(t.at, {t.i32()}, t.x())) == "[I32] → x");
    CHECK(text(t.b.arrow(t.at, {t.i32(), t.i32()}, t.x())) == "[I32, I32] → x");
}

TEST_CASE("build: functions and blocks") {
    Built t;
    Builder::Head head{.groups = {{{t.at, "x", t.i32()}}}, .codomain = t.i32(), .filter = t.b.boolean(t.at, false)};
    CHECK(text(t.b.lambda(t.at, head, t.x())) == "λ (x: I32) @ff: I32 = x");
    auto let = t.b.let(t.at, t.at, "x", t.b.nat(t.at, 1));
    CHECK(text(t.b.block(t.at, {let}, t.x())) == "{\n    let x = 1;\n    x\n}");
    CHECK(text(t.b.block(t.at, {}, t.x())) == "x");
}

TEST_CASE("build: declarations") {
    Builder::Head head;
    {
        Built t;
        head.groups = {{{t.at, "T", t.b.prim(t.at, PrimKind::Star), true}}, {{t.at, "a", t.i32()}, {t.at, "b", t.i32()}}};
        CHECK(t.text(t.b.function(t.at, t.at, "f", head, t.x())) == "lam f {T: *} (a: I32, b: I32) = x;\n");
    }
    {
        Built t;
        Builder::Head of_fun{.groups = {{}}, .codomain = t.i32(), .form = LamForm::Fun};
        CHECK(t.text(t.b.function(t.at, t.at, "main", of_fun, t.x(), true)) == "fun extern main (): I32 = x;\n");
    }
    {
        Built t;
        CHECK(t.text(t.b.c_function(t.at, t.at, "puts", {{t.at, "s", t.i32()}}, t.i32())) == "cfun puts [s: I32]: I32;\n");
    }
    {
        Built t;
        Builder::Params names{{t.at, "a", nullptr}, {t.at, "b", nullptr}};
        CHECK(t.text(t.b.let(t.at, names, t.x())) == "let (a, b) = x;\n");
    }
}

TEST_CASE("build: a file") {
    Built t;
    t.b.document(" A file.");
    t.b.plugin("core");
    t.b.import("other.lark");
    auto f = t.b.let(t.at, t.at, "%own.f", t.x());
    t.b.document(f, " One.");
    t.b.add(f);
    auto module = t.b.finish();
    CHECK(module.file == 1);
    CHECK(module.annexes.size() == 1);
    CHECK(module.decls.size() == 3);
    CHECK(module.decls[2]->doc == " One.");
    CHECK(module.doc == " A file.");
    CHECK(print(module).find("import \"other.lark\";") != std::string::npos);
}

TEST_CASE("build: what cannot be a tree is refused") {
    Built t;
    const Expr* none = nullptr;
    Decl* nothing    = nullptr;
    Span elsewhere{2, 0, 1};
    CHECK_THROWS_AS(t.b.let(t.at, t.at, "x", none), std::invalid_argument);
    CHECK_THROWS_AS(t.b.app(t.at, none, t.x()), std::invalid_argument);
    CHECK_THROWS_AS(t.b.call(t.at, t.x(), {t.x(), none}), std::invalid_argument);
    CHECK_THROWS_AS(t.b.lambda(t.at, {}, none), std::invalid_argument);
    CHECK_THROWS_AS(t.b.block(t.at, {nothing}, t.x()), std::invalid_argument);
    CHECK_THROWS_AS(t.b.add(nothing), std::invalid_argument);
    CHECK_THROWS_AS(t.b.name(elsewhere, "x"), std::invalid_argument);
    CHECK_THROWS_AS(t.b.let(t.at, elsewhere, "x", t.x()), std::invalid_argument);
    CHECK_THROWS_AS(t.b.arrow(t.at, {none}, t.i32()), std::invalid_argument);
    CHECK_THROWS_AS(t.b.integer_type(t.at, 17), std::invalid_argument);
    CHECK_THROWS_AS(t.b.integer(t.at, 256, 8), std::invalid_argument);
    CHECK(text(t.b.name({}, "x")) == "x");
}
