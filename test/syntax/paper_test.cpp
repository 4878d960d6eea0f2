// SPDX-License-Identifier: MIT
// The listings of the MimIR paper (with the slips that doc/language lists put right) parse, print and format without loss, and
// the equal pairs of its Figure 2 that are a matter of syntax have the trees one expects.
#include <doctest/doctest.h>

#include "helper.h"

using namespace mim;
using namespace mim::test;

TEST_CASE("paper: introduction and section 2") {
    CHECK(round_trip("axm %tensor.Mat: {n m: Nat, T: *} → *; // n × m matrix with element type T\n"
                     "axm %tensor.zip: {n m: Nat, T: *} [f: [T, T] → T] [a b: %tensor.Mat (n, m, T)]\n"
                     "→ %tensor.Mat (n, m, T);\n"
                     "let res_mat = reduce (%tensor.zip elem_add) (init, array_of_matrices);")
          == "");
    CHECK(round_trip("let Char          = I8;\n"
                     "lam Str (n: Nat): * = %mem.Ptr «n; Char»;\n"
                     "lam Res (n: Nat): * = [%mem.M, Bool, Idx n];\n"
                     "let RegEx         = {n: Nat} [%mem.M, Str n, Idx n] → Res n;\n"
                     "axm %regex.any:           RegEx;\n"
                     "axm %regex.conj:          {i: Nat} [«i; RegEx»] → RegEx, normalize_conj, 2;\n"
                     "axm %regex.range:         «2; Char» → RegEx, normalize_range, 1;\n"
                     "axm %regex.quant(optional,star,plus): RegEx → RegEx, normalize_quant, 1;\n"
                     "lam %regex.lit(val: Char) = %regex.range (val, val);\n"
                     "let %regex.cls.d          = %regex.range ('0', '9'); // similar: %regex.cls.w, %regex.cls.W\n"
                     "plugin regex; // parse \"regex.mim\" and load \"libmimir.so\"\n"
                     "let pattern = %regex.conj (%regex.quant.plus %regex.cls.w, // '\\w+\\.[a-z]+'\n"
                     "                         %regex.lit '.', %regex.quant.plus (%regex.range ('a', 'z')));")
          == "");
}

TEST_CASE("paper: section 3") {
    CHECK(round_trip("let f = λ (a: «%core.nat.add (0, n); T»): U = body;\n"
                     "let Num = [T: *, add: [T, T] → T, mul: [T, T] → T, _0: T, _1: T];\n"
                     "lam f(T: *, less: [T, T] → Bool)(x: T): Bool = less (x, x);\n"
                     "let y = f (Nat, %core.ncmp.l) 23;\n"
                     "fun g(cond: Bool): Nat = /*...*/ x;\n"
                     "lam forever(x: Nat): Nat = forever x;")
          == "");
    CHECK(round_trip("let e = { con loop(i: Nat) =                       // i = φ(0, i + 1)\n"
                     "  (exit, body) #(%core.ncmp.l (i, 42)) () where\n"
                     "    con body() = loop (%core.nat.add (i, 1)); // recurse\n"
                     "    con exit() = next i;                      // pass last instance of i = 42 to next\n"
                     "  end;\n"
                     "loop 0                                              // loop entry\n};")
          == "");
    CHECK(round_trip("lam pow(a b: Nat)@%core.pe.known b: Nat =\n"
                     "  (%core.nat.mul (a, pow(a, %core.nat.sub (b, 1))), 1) #(%core.ncmp.e (b, 0));\n"
                     "lam f(n: Nat, x: «%core.nat.mul (n, %core.nat.mul (n, n)); Nat»): [] = ();\n"
                     "lam g(m: Nat, y: «pow (m, 3); Nat»): [] = f (m, y);")
          == "");
    CHECK(round_trip("con iter {A: *} (n: Nat) (body: Cn [Cn A][A]) (exit: Cn A) (acc: A)@tt =\n"
                     "  head(0, acc) where\n"
                     "    con head (i: Nat, acc: A)@%core.pe.known n = {\n"
                     "      let cond = %core.ncmp.l (i, n);\n"
                     "      (f, t)#cond () where\n"
                     "        con t() = body continue acc where\n"
                     "          con continue(acc: A) = head ((%core.nat.add (i, 1)), acc);\n"
                     "        end\n"
                     "        con f() = exit acc;\n"
                     "      end };\n"
                     "  end;\n"
                     "let r = iter n body exit (0, 1)\n"
                     "where\n"
                     "  con body (yield: Cn [Nat, Nat]) (a b: Nat) = yield (b, %core.nat.add (a, b));\n"
                     "  con exit (a _: Nat) = return a;\n"
                     "end;")
          == "");
    CHECK(round_trip("let a = %core.wrap.add 0 (x,1I8);\nlet b = %core.wrap.add 0 (x,2I8);\n"
                     "con f(cond: Bool, ret: Cn Nat) =\n  (F,T)#cond () where\n    con F() = N 23;\n    con T() = N 42;\n"
                     "    con N(phi: Nat) = ret phi;\n  end;")
          == "");
}

TEST_CASE("paper: figure 2") {
    CHECK(
        round_trip("let a = λ (T : *) ((x y : T), return : T → ⊥) : ⊥ = return x;\n"
                   "let b = cn (T : *) ((x y : T), return : Cn T) = return x;\n"
                   "let c = fn (T : *) (x y : T) : T = return x;\n"
                   "let d = λ T : * @ tt : [[[T, T], [T] → ⊥]] → ⊥ = λ xyr : [[T, T], [T] → ⊥] @ ff : ⊥ = xyr#1_2 xyr#0_2#0_2;\n"
                   "let e = [T : *] [[T, T], T → ⊥] → ⊥;\nlet f = Cn [T : *] [[T, T], Cn T];\nlet g = Fn [T : *] [T, T] → T;")
        == "");
    CHECK(tree("cn x: T = e") == tree("cn (x: T) = e"));
    CHECK(tree("λ T: * @tt: U = e") == tree("λ (T: *) @tt: U = e"));
    CHECK(tree("f ((n))") == tree("f n"));
}

TEST_CASE("paper: figure 4 and sections 5 and 6") {
    CHECK(round_trip("axm %core.idx: [s: Nat] [m: Nat] [l: Nat] → Idx s;\n"
                     "axm %core.nat(add, sub, mul): [a b: Nat] → Nat;\n"
                     "axm %core.ncmp(/*...*/): [a b: Nat] → Bool;\n"
                     "axm %core.bit1(f, neg, id, t): {s: Nat} [m: Nat] [a : Idx s] → Idx s;\n"
                     "axm %core.conv(s, u): {ss: Nat} [ds: Nat] [Idx ss] → Idx ds;\n"
                     "axm %core.bitcast: {S: *} [D: *] [S] → D;\n"
                     "lam %core.minus {s: Nat} (m: Nat) (a: Idx s): Idx s = %core.wrap.sub m (%core.idx s m 0, a);\n"
                     "axm %math.F: [p e: Nat] → *;\n"
                     "let %math.f64 = (52, 11);           // similar: f16, f32, ...\n"
                     "let %math.F64 = %math.F %math.f64; //           F16, F32, ...\n"
                     "lam %math.minus {p e: Nat} (m: Nat) (a: %math.F (p, e)): %math.F (p, e) =\n"
                     "    %math.arith.sub m (0:(%math.F pe), a);\n"
                     "axm %mem.store: {T: *} [%mem.M, %mem.Ptr T, T] → %mem.M;\n"
                     "axm %mem.lea: {n: Nat, Ts: «n; *»} [%mem.Ptr «j: n; Ts#j», i: Idx n] → %mem.Ptr Ts#i;")
          == "");
    CHECK(round_trip(
              "let b = λ(a: Nat): Nat = b;\nlet r = %core.minus /*256*/ mode 42₂₅₆;\n"
              "let p1/*: %mem.Ptr [Nat, I16, Nat]*/ = /*...*/ x;\n"
              "let q1/*: %mem.Ptr I16 */ = %mem.lea /*(3, (Nat, I16, Nat)*/ (p1, 1_3);\n"
              "axm %tensor.reduce: {r: Nat, s: «r; Nat», ni: Nat, Is: «ni; *»} [f: «2; «i: ni; Is#i» » → «i: ni; Is#i»] [is: «i: "
              "ni; «s; Is#i» », init: «i: ni; Is#i», dims: «r; Bool»] → «i: ni; «‹j: r; (s#j, 1) #(dims#j)›; Is#i» »;\n"
              "lam f (x y: [I8, I16, I32]): [I8, I16, I32] = /*...*/ x;\n"
              "let n4 = %core.nat.mul (n, 4);\n"
              "let t = %tensor.reduce /*(2, (n4,n), 3, (I8,I16,I32))*/ f ((a, b, c) (0I32, 0I16, 0I32) (ff, tt));")
          == "");
}
