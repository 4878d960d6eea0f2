// SPDX-License-Identifier: MIT
// The formatter: comments and empty lines, long lines, idempotence, and the 0.1 dialect.
#include <doctest/doctest.h>

#include "helper.h"

using namespace mim;
using namespace mim::test;

TEST_CASE("format: comments stay with what they explain") {
    CHECK(format_text("// head\n\n\n\n/// doc\nlet   x=1 ; // tail\n/* own */\nlet y = /* in */ 2;\n// last")
          == "// head\n\n/// doc\nlet x = 1; // tail\n/* own */\nlet y = /* in */ 2;\n// last\n");
    CHECK(format_text("let x = (a, // first\n b // second\n );") == "let x = (\n    a, // first\n    b // second\n);\n");
    CHECK(format_text("let x = (\n// own\na, b);") == "let x = (\n    // own\n    a,\n    b\n);\n");
    CHECK(format_text("let x = y where // w\n let a = 1; // a\n\n // b\n let c = 2;\n // end\n end;")
          == "let x = y where // w\n    let a = 1; // a\n\n    // b\n    let c = 2;\n    // end\nend;\n");
    CHECK(format_text("let x = 1 // before the semicolon\n;") == "let x = 1; // before the semicolon\n");
    CHECK(format_text("// only") == "// only\n");
    CHECK(format_text("") == "");
}

TEST_CASE("format: layout") {
    CHECK(format_text("con f (x: Nat) = g x where con g (y: Nat) = { let z = y; z }; end;")
          == "con f (x: Nat) = g x where\n    con g (y: Nat) = {\n        let z = y;\n        z\n    };\nend;\n");
    CHECK(format_text("fun f (x: Nat): Nat = ret y = g $ x; return y;") == "fun f (x: Nat): Nat = ret y = g $ x; return y;\n");
    auto name = std::string(40, 'a');
    CHECK(format_text("fun f (x: Nat): Nat = ret " + name + " = " + name + " $ x; return " + name + ";")
          == "fun f (x: Nat): Nat =\n    ret " + name + " = " + name + " $ x;\n    return " + name + ";\n");
    CHECK(format_text("let x = (" + name + ", " + name + ", " + name + ");")
          == "let x = (\n    " + name + ",\n    " + name + ",\n    " + name + "\n);\n");
    CHECK(format_text("axm %a.b: [x: " + name + "] [y: " + name + "] → " + name + ";")
          == "axm %a.b:\n    [x: " + name + "]\n    [y: " + name + "] →\n    " + name + ";\n");
    CHECK(format_text("let x = match y with | a: A => " + name + " | b: B => " + name + " | c: C => " + name + ";")
          == "let x = match y with\n    | a: A => " + name + "\n    | b: B => " + name + "\n    | c: C => " + name + ";\n");
}

TEST_CASE("format: operators") {
    CHECK(format_text("op  +  {s:Nat}(a b:Idx s):Idx s=f(a,b);") == "op + {s: Nat} (a b: Idx s): Idx s = f (a, b);\n");
    CHECK(format_text("op && (a b:Bool) @ff:Bool=a;") == "op && (a b: Bool) @ff: Bool = a;\n");
    CHECK(format_text("let a=(b+c)*d-(e)/f% g;") == "let a = (b + c) * d - e / f % g;\n");
    CHECK(format_text("let a=b>c||!d&&- -e==f;") == "let a = b > c || !d && --e == f;\n");
    auto name = std::string(40, 'a');
    CHECK(format_text("let x = " + name + " + " + name + " - " + name + " * " + name + ";")
          == "let x =\n    " + name + "\n        + " + name + "\n        - " + name + " * " + name + ";\n");
    auto commented = format_text("let x = a // one\n + b /* two */ + c // three\n;");
    CHECK(commented == "let x =\n    a // one\n        + b /* two */\n        + c; // three\n");
    CHECK(format_text(commented) == commented);
}

TEST_CASE("format: labels") {
    CHECK(format_text("let C=|red|green Nat|b[x:T,U];") == "let C = | red | green Nat | b [x: T, U];\n");
    CHECK(format_text("rec C (T: *) = // all\n |red // one\n // own\n |green ; // last")
          == "rec C (T: *) = // all\n    | red // one\n    // own\n    | green; // last\n");
    CHECK(format_text("let x = match c with|red=>1|C.b(x,_)=>x|g y=>y;")
          == "let x = match c with | red => 1 | C.b (x, _) => x | g y => y;\n");
}

TEST_CASE("format: errors are reported and nothing is written") {
    SourceManager sources;
    Diagnostics diags(sources);
    CHECK_FALSE(format(sources.add("a", "let x = ;"), sources, diags).has_value());
    CHECK(diags.num_errors() == 1);
}

TEST_CASE("format: declarations without braces") {
    CHECK(format_text("let a=let x=1;x;") == "let a = let x = 1; x;\n");
    CHECK(format_text("let a = (let x = 1; x, 2,);") == "let a = (let x = 1; x, 2);\n");
    CHECK(format_text("let a = f (let x = 1; x);") == "let a = f (let x = 1; x);\n");
    CHECK(format_text("let a = let x = 1; (let y = 2; y);") == "let a = let x = 1; (let y = 2; y);\n");
    CHECK(format_text("let a = { let x = 1; x };") == "let a = {\n    let x = 1;\n    x\n};\n");
    CHECK(format_text("let T = Nat → let U = Nat; U → U;") == "let T = Nat → let U = Nat; U → U;\n");
    CHECK(format_text("lam f (x: Nat): Nat =\n  // one\n  let y = x; // two\n  let z = y;\n  /* three */ z;")
          == "lam f (x: Nat): Nat =\n    // one\n    let y = x; // two\n    let z = y;\n    /* three */ z;\n");
    CHECK(format_text("let a = let x = 1; f x where lam f (y: Nat): Nat = x // one\n end;")
          == "let a =\n    let x = 1;\n    f x where\n        lam f (y: Nat): Nat = x; // one\n    end;\n");
    CHECK(format_text("let a = (let x = 1; x) where let y = 2 end;") == "let a = (let x = 1; x) where\n    let y = 2;\nend;\n");
    CHECK(format_text(";let a = 1;; // one\n;let b = [Nat,];") == "let a = 1; // one\nlet b = [Nat];\n");
}

TEST_CASE("format: the 0.1 dialect comes out as today's") {
    CHECK(format_text(".plugin mem;\n.let %core.mode.us = 0b00; // wrap around\n")
          == "plugin mem;\nlet %core.mode.us = 0; // wrap around\n");
    CHECK(format_text(".ax %core.nat(add, sub, mul): «2; .Nat» -> .Nat, normalize_nat;")
          == "axm %core.nat(add, sub, mul): «2; Nat» → Nat, normalize_nat;\n");
    CHECK(format_text(".ax %core.shr(a, l): Π.[s: .Nat][«2; .Idx s»] -> .Idx s, normalize_shr;")
          == "axm %core.shr(a, l): {s: Nat} [«2; Idx s»] → Idx s, normalize_shr;\n");
    CHECK(format_text(".ax %core.pe(hlt, run): Π [T: *][T] -> T, normalize_pe;")
          == "axm %core.pe(hlt, run): [T: *] [T] → T, normalize_pe;\n");
    CHECK(format_text(".lam %core.minus.(s: .Nat)(m: .Nat)(a: .Idx s): .Idx s = %core.wrap.sub m (0:(.Idx s), a);")
          == "lam %core.minus {s: Nat} (m: Nat) (a: Idx s): Idx s = %core.wrap.sub m (0:(Idx s), a);\n");
    CHECK(format_text(".fun .extern f(x: .Nat): .Nat = .ret y = g $ x; return y;")
          == "fun extern f (x: Nat): Nat = ret y = g $ x; return y;\n");
    CHECK(format_text(".con f(b: .Bool, k: .Cn .Nat) = .let x = (.ff, .tt)#b; k (.infer, x);")
          == "con f (b: Bool, k: Cn Nat) = let x = (ff, tt)#b; k (_, x);\n");
    CHECK(format_text(".let let = .fn (x: .Nat): .Nat = return x;") == "let let_ = fn (x: Nat): Nat = return x;\n");
    CHECK(format_text(".let f = Π x: .Nat -> .Idx x;") == "let f = [x: Nat] → Idx x;\n");
}
