// SPDX-License-Identifier: MIT
// Places of expressions follow what rewriting makes of them, and reduced calls are told apart.
#include <doctest/doctest.h>

#include "ir/world.h"

using namespace mim;

namespace {

/// λ x: [Nat, Nat]: Nat = (x#0, x#1)#c for a run-time c, so that something is left to have a place.
struct Fixture {
    World w;
    const Def* c = w.mut_lam(w.pi(w.bool_type(), w.nat()))->var();

    Lam* function(Symbol name, Span at) {
        auto lam = w.mut_lam(w.pi(w.arr(2, w.nat()), w.nat()));
        w.notes.set_name(lam, name);
        w.notes.set_span(lam, at);
        auto body = w.extract(lam->var(), c);
        w.notes.set_span(body, {1, 50, 60});
        w.set(lam, w.tt(), body);
        w.seal(lam);
        return lam;
    }
};

} // namespace

TEST_CASE("places: what a reduced call leaves lies in the callee's text and in the call") {
    Fixture f;
    auto& w   = f.w;
    auto lam  = f.function(w.sym("f"), {1, 10, 11});
    w.here    = {1, 100, 110};
    auto left = w.app(lam, {w.lit_nat(3), w.lit_nat(4)});
    REQUIRE(left->isa<Extract>());
    auto place = w.notes.place(left);
    CHECK(place.span == Span{1, 50, 60});
    REQUIRE(place.inlined != 0);
    auto& call = w.notes.inlined(place.inlined);
    CHECK(call.name == "f");
    CHECK(call.callee == Span{1, 10, 11});
    CHECK(call.call == Place{{1, 100, 110}});
}

TEST_CASE("places: calls within calls form a chain, which ends where recursion goes too deep") {
    Fixture f;
    auto& w    = f.w;
    auto inner = f.function(w.sym("f0"), {1, 10, 11});
    for (unsigned i = 1; i < 40; ++i) { // f_i x = f_(i-1) (x#0, i)
        auto outer = w.mut_lam(w.pi(w.arr(2, w.nat()), w.nat()));
        w.notes.set_name(outer, w.sym("f" + std::to_string(i)));
        w.notes.set_span(outer, {1, 10 + i, 11 + i});
        auto saved = w.here;
        w.here     = {2, i, i + 1};
        w.set(outer, w.tt(), w.app(inner, {w.extract(outer->var(), 0), w.lit_nat(100 + i)}));
        w.here = saved;
        w.seal(outer);
        inner = outer;
    }
    w.here     = {3, 1, 2};
    auto place = w.notes.place(w.app(inner, {w.lit_nat(3), w.lit_nat(4)}));
    CHECK(place.span.file == 2); // the place of a call on the way
    unsigned depth = 0;
    for (auto id = place.inlined; id; id = w.notes.inlined(id).call.inlined) ++depth;
    CHECK(depth == 16);
}

TEST_CASE("places: names of values follow their copies") {
    Fixture f;
    auto& w   = f.w;
    w.debug   = true;
    auto lam  = f.function(w.sym("f"), {1, 10, 11});
    w.here    = {1, 100, 110};
    auto body = lam->body();
    w.notes.add_local(lam, {w.sym("x"), {{1, 40, 41}}, body});
    auto left = w.app(lam, {w.lit_nat(3), w.lit_nat(4)});
    REQUIRE(w.notes.local(left));
    CHECK(w.notes.local(left)->name == "x");
    CHECK(w.notes.local(left)->value == left);
    CHECK(w.notes.local(left)->place.inlined == w.notes.place(left).inlined);
}
