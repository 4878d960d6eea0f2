// SPDX-License-Identifier: MIT
// Diagnostics of the parser: what was expected and seen, where, and that one run reports several without inventing more.
#include <doctest/doctest.h>

#include "helper.h"

using namespace mim;
using namespace mim::test;

namespace {
std::string errors(const std::string& text) { return Parsed(text).errors(); }
} // namespace

TEST_CASE("error: expected and seen") {
    CHECK(errors("let x = ;") == "1:9 expected an expression, got `;` while parsing a `let`\n");
    CHECK(errors("let = 3;") == "1:5 expected a pattern, got `=` while parsing a `let`\n");
    CHECK(errors("let x 3;") == "1:7 expected `=`, got `3` while parsing a `let`\n");
    CHECK(errors("let x = 3") == "1:10 expected `;` to end a `let`\n");
    CHECK(errors("fun h (x: Nat) Nat = x;") == "1:16 expected `=`, got `Nat` while parsing a function\n");
    CHECK(errors("lam f = x;") == "1:7 expected a parameter, got `=` while parsing a function\n");
    CHECK(errors("con f x: T: U = y;") == "1:11 expected `=`, got `:` while parsing a function\n");
    CHECK(errors("axm foo: Nat;") == "1:5 expected an annex, got `foo` while parsing an `axm`\n");
    CHECK(errors("axm %a.b(1): Nat;") == "1:10 expected a subtag, got `1` while parsing an `axm`\n");
    CHECK(errors("axm %a.b: T, n, x;") == "1:17 expected a curry counter, got `x` while parsing an `axm`\n");
    CHECK(errors("cfun f: T;") == "1:7 expected a domain, got `:` while parsing a `cfun`\n");
    CHECK(errors("ccon f;") == "1:7 expected `:`, got `;` while parsing a `ccon`\n");
    CHECK(errors("rule r (x: T): y;") == "1:17 expected `=>`, got `;` while parsing a `rule`\n");
    CHECK(errors("norm r (x: T) 3;") == "1:15 expected `:`, got `3` while parsing a `norm`\n");
    CHECK(errors("import 3;") == "1:8 expected a name, got `3` while parsing an `import`\n");
    CHECK(errors("plugin \"x\";") == "1:8 expected a name, got `\"x\"` while parsing a `plugin`\n");
    CHECK(errors("rec = 1;") == "1:5 expected a name, got `=` while parsing a recursive declaration\n");
    CHECK(errors("foo;") == "1:1 expected a declaration, got `foo` while parsing a file\n");
    CHECK(errors("end;") == "1:1 expected a declaration, got `end` while parsing a file\n");
    CHECK(errors("let x = [A] [B];") == "1:13 expected `->`, got `[` while parsing a `let`\n");
    CHECK(errors("let x = Fn A;") == "1:13 expected `->`, got `;` while parsing a `let`\n");
    CHECK(errors("let x = f {T};") == "1:11 expected `;`, got `{` while parsing a `let`\n");
    CHECK(errors("let x = ins(a, b);") == "1:17 expected `,`, got `)` while parsing `ins`\n");
    CHECK(errors("let x = «n T»;") == "1:14 expected `;`, got `»` while parsing an array type\n");
    CHECK(errors("let x = ⦃e;") == "1:13 expected `|}`, got `;` while parsing a singleton type\n");
    CHECK(errors("let x = match e;") == "1:16 expected `with`, got `;` while parsing a `match`\n");
    CHECK(errors("let x = match e with | a: A;") == "1:28 expected `=>`, got `;` while parsing a `match`\n");
    CHECK(errors("let x = (a as b);") == "1:12 expected `)`, got `as` while parsing a tuple\n");
}

TEST_CASE("error: a bracket that is not closed has a note at the one that was opened") {
    Parsed p("let x = (1, 2];\nlet y = 3;");
    CHECK(p.errors() == "1:14 expected `)`, got `]` while parsing a tuple\n");
    REQUIRE(p.diags.all()[0].notes.size() == 1);
    auto& note = p.diags.all()[0].notes[0];
    CHECK(note.id == Diag::opened_here);
    CHECK(p.sources.text(note.span) == "(");
    CHECK(message(note.id, note.args) == "to close the `(` that was opened here");
    CHECK(p.module.decls.size() == 2);
}

TEST_CASE("error: one run reports several, and goes on behind each") {
    Parsed p("let a = (1, ;\nlam f (x: = x;\nlet b = { let c = ; let d = 2; d };\nfun = 3;\nlet e = f ) x;\nlet g = 1;");
    CHECK(p.errors()
          == "1:13 expected an expression, got `;` while parsing a tuple\n"
             "2:11 expected a type, got `=` while parsing a pattern\n"
             "3:19 expected an expression, got `;` while parsing a `let`\n"
             "4:5 expected a name, got `=` while parsing a function\n"
             "5:11 expected `;`, got `)` while parsing a `let`\n");
    CHECK(dump(p.module.decls[p.module.decls.size() - 1]) == "(let (name 'g' -) 1)");
}

TEST_CASE("error: errors of lexer and parser come in the order of the text") {
    CHECK(errors("let x = ;\nlet y = 5_3;\nlet = 1;")
          == "1:9 expected an expression, got `;` while parsing a `let`\n"
             "2:9 literal `5_3` does not fit its type `Idx 3`: the largest value is 2\n"
             "3:5 expected a pattern, got `=` while parsing a `let`\n");
}

TEST_CASE("error: what the lexer rejects is not reported again") {
    CHECK(errors("let x = f ? y;") == "1:11 unexpected character `?`\n");
    CHECK(errors("let x = (1.5, y);")
          == "1:10 float `1.5` has no type: write `1.5:T`, where `T` is a type of floating-point numbers\n");
}

TEST_CASE("error: `and` needs a group") {
    CHECK(Parsed("let x = 1; and y = 2;").has(Diag::misplaced_and));
    CHECK(Parsed("let x = { and y = 2; y };").has(Diag::misplaced_and));
    CHECK(Parsed("rec x = 1; let z = 3; and y = 2;").ok());
    CHECK(errors("rec x = 1; and let y = 2;") == "1:16 expected a name, got `let` while parsing a recursive declaration\n");
}

TEST_CASE("error: imports only at the top level") {
    CHECK(errors("let x = { plugin p; import f; 1 };")
          == "1:11 `plugin` is only allowed at the top level of a file\n1:21 `import` is only allowed at the top level of a "
             "file\n");
    CHECK(Parsed("let x = { plugin p; 1 };").has(Diag::only_at_top_level));
}

TEST_CASE("error: a group of names only works inside brackets") {
    CHECK(errors("let x y: Nat = 1;") == "1:5 `x y: Nat` names several elements at once, which only works inside brackets\n");
    CHECK(Parsed("let x y: Nat = 1;").has(Diag::group_outside));
}

TEST_CASE("error: long text is shortened") {
    CHECK(errors("let x = (a b\"" + std::string(60, 'x') + "\"c]);") == "1:76 expected `)`, got `]` while parsing a tuple\n");
    CHECK(errors("let \"" + std::string(60, 'x') + "\" = 1;")
          == "1:5 expected a pattern, got `\"" + std::string(35, 'x') + "…` while parsing a `let`\n");
}

TEST_CASE("error: too many errors end the run") {
    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags(sources);
    diags.max_errors = 3;
    std::string text;
    for (int i = 0; i < 10; ++i) text += "let = 1;\n";
    CHECK_THROWS_AS(parse(sources.add("a", text), sources, symbols, diags), TooManyErrors);
    CHECK(diags.num_errors() == 3);
}
