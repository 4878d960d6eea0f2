// SPDX-License-Identifier: MIT
// The calculus through the C++ interface: typing, normalization, α-equivalence, inference and evaluation (spec section 1).
#include <doctest/doctest.h>

#include "ir/recursive.h"
#include "ir/rewrite.h"
#include "ir/world.h"

using namespace mim;

namespace {
/// λ x: dom. f(x), closed and sealed.
template<class F>
Lam* lambda(World& w, const Def* dom, const Def* codom, const Def* filter, F f) {
    auto lam = w.mut_lam(w.pi(dom, codom));
    w.set_filter(lam, filter);
    w.set_body(lam, f(lam));
    w.close(std::span<Lam* const>(&lam, 1));
    return lam;
}

/// {T: *} → T → T
const Def* poly_id_type(World& w, bool implicit) {
    auto pi = w.mut_pi(w.star(), implicit);
    return w.seal(pi, w.pi(pi->var(), pi->var()));
}

Diag diag_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.id;
    }
    return Diag::declared_here;
}
} // namespace

TEST_CASE("universes") {
    World w;
    CHECK(w.star()->type() == w.sort(1));
    CHECK(w.nat()->type() == w.star());
    CHECK(w.pi(w.star(), w.nat())->type() == w.sort(1));
    CHECK(w.sigma({w.nat(), w.star()})->type() == w.sort(1));
    CHECK(diag_of([&] { w.sort(1u << 20); }) == Diag::bad_level);
    CHECK(diag_of([&] { w.pi(w.lit_nat(3), w.nat()); }) == Diag::not_a_type);
}

TEST_CASE("literals") {
    World w;
    CHECK(w.lit_idx(3, 2)->type() == w.idx(3));
    CHECK(diag_of([&] { w.lit_idx(3, 5); }) == Diag::literal_out_of_range);
    CHECK(diag_of([&] { w.lit_idx(uint64_t(0), 0); }) == Diag::literal_out_of_range);
    CHECK(w.lit(w.i64_type(), ~0ull)->type() == w.i64_type());
    CHECK(w.lit_2_64() != w.lit_nat(0));
    CHECK(w.tt() == w.lit_idx(2, 1));
}

TEST_CASE("tuples and arrays normalize") {
    World w;
    auto n = w.nat();
    CHECK(w.sigma({n, n}) == w.arr(2, n));
    CHECK(w.sigma({n}) == n);
    CHECK(w.arr(1, n) == n);
    CHECK(w.arr(uint64_t(0), n) == w.unit_type());
    CHECK(w.pack(uint64_t(0), w.lit_nat(3)) == w.unit());
    CHECK(w.tuple({w.lit_nat(0), w.lit_nat(0)}) == w.pack(2, w.lit_nat(0)));
    auto t = w.tuple({w.lit_nat(0), w.lit_nat(1), w.lit_nat(2)});
    CHECK(t->type() == w.arr(3, n));
    CHECK(w.extract(t, 2) == w.lit_nat(2));
    CHECK(w.extract(w.pack(3, w.lit_nat(7)), w.lit_idx(3, 1)) == w.lit_nat(7));
    CHECK(diag_of([&] { w.extract(w.pack(3, w.lit_nat(7)), w.lit_idx(7, 5)); }) == Diag::bad_index);
    CHECK(w.tuple({w.lit_nat(0), w.tt()})->type() == w.sigma({n, w.bool_type()}));
}

TEST_CASE("binders of literal arity are written out") {
    World w;
    auto f   = w.mut_lam(w.pi(w.pi(w.idx(2), w.star()), w.star()))->var(); // an unknown family F: Idx 2 → *
    auto arr = w.mut_arr(w.lit_nat(2));
    auto res = w.seal(arr, w.app(f, arr->var()));
    REQUIRE(res->isa<Sigma>());
    CHECK(res->op(0) == w.app(f, w.lit_idx(2, 0)));
    CHECK(res->op(1) == w.app(f, w.lit_idx(2, 1)));
}

TEST_CASE("extract with an unknown index") {
    World w;
    lambda(w, w.bool_type(), w.nat(), w.ff(), [&](Lam* lam) {
        auto i = lam->var();
        CHECK(w.extract(w.tuple({w.lit_nat(0), w.lit_nat(1)}), i)->type() == w.nat());
        auto t = w.extract(w.tuple({w.lit_nat(0), w.tt()}), i)->type();
        CHECK(t == w.extract(w.tuple({w.nat(), w.bool_type()}), i));
        CHECK(t->type() == w.star());
        CHECK(diag_of([&] { w.extract(w.tuple({w.lit_nat(0), w.bool_type()}), i); }) == Diag::mixed_sorts);
        return w.extract(w.tuple({w.lit_nat(0), w.lit_nat(1)}), i);
    });
}

TEST_CASE("extract with an index of another size is rejected") {
    World w; // (m n: Nat) (a: «m; Nat») (i: Idx n): a#i
    auto mn = w.mut_lam(w.pi(w.arr(2, w.nat()), w.star()));
    auto m = w.extract(mn->var(), 0), n = w.extract(mn->var(), 1);
    auto a = w.mut_lam(w.pi(w.arr(m, w.nat()), w.star()));
    auto i = w.mut_lam(w.pi(w.idx(n), w.star()));
    CHECK(diag_of([&] { w.extract(a->var(), i->var()); }) == Diag::bad_index);
    auto j = w.mut_lam(w.pi(w.idx(m), w.star()));
    CHECK(w.extract(a->var(), j->var())->type() == w.nat());
}

TEST_CASE("α-equivalence") {
    World w;
    CHECK(poly_id_type(w, false) == poly_id_type(w, false));
    CHECK(poly_id_type(w, false) != poly_id_type(w, true));
    CHECK(equal(w, poly_id_type(w, false), poly_id_type(w, true)));
    auto outer = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto id    = [&] { return lambda(w, w.nat(), w.nat(), w.ff(), [](Lam* l) { return l->var(); }); };
    auto k     = [&] { return lambda(w, w.nat(), w.nat(), w.ff(), [&](Lam*) { return outer->var(); }); };
    CHECK(equal(w, id(), id()));
    CHECK(equal(w, k(), k()));
    CHECK(!equal(w, id(), k()));
    auto other = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto k2    = lambda(w, w.nat(), w.nat(), w.ff(), [&](Lam*) { return other->var(); });
    CHECK(!equal(w, k(), k2)); // example 5.1 with b and y different
    // example 5.3: λ x. x is not λ y. x
    auto f = id();
    auto g = w.mut_lam(w.pi(w.nat(), w.nat()));
    w.set(g, w.ff(), f->var());
    CHECK(!equal(w, f, g));
}

TEST_CASE("β under filters") {
    World w;
    auto inl = lambda(w, w.nat(), w.arr(2, w.nat()), w.tt(), [&](Lam* l) { return w.tuple({l->var(), w.lit_nat(1)}); });
    CHECK(w.app(inl, w.lit_nat(5)) == w.tuple({w.lit_nat(5), w.lit_nat(1)}));
    auto call = lambda(w, w.nat(), w.nat(), w.ff(), [&](Lam* l) { return l->var(); });
    CHECK(w.app(call, w.lit_nat(5))->isa<App>());
    CHECK(w.beta(call, w.lit_nat(5)) == w.lit_nat(5));
    CHECK(diag_of([&] { w.app(inl, w.tt()); }) == Diag::not_assignable);
    CHECK(diag_of([&] { w.app(w.lit_nat(1), w.tt()); }) == Diag::not_a_function);
    CHECK(diag_of([&] { lambda(w, w.nat(), w.nat(), w.lit_nat(1), [&](Lam* l) { return l->var(); }); }) == Diag::filter_not_bool);
}

TEST_CASE("a call that is its own result is an error, as one that needs its own result") {
    World w;
    auto forever = w.mut_lam(w.pi(w.nat(), w.nat()));
    w.set_filter(forever, w.tt());
    CHECK(diag_of([&] {
              w.set_body(forever, w.app(forever, forever->var()));
              w.close(std::span<Lam* const>(&forever, 1));
          })
          == Diag::needs_itself);

    auto f = w.mut_lam(w.pi(w.nat(), w.arr(2, w.nat())));
    w.set_filter(f, w.tt());
    CHECK(diag_of([&] {
              w.set_body(f, w.tuple({w.lit_nat(1), w.extract(w.app(f, f->var()), 0)}));
              w.close(std::span<Lam* const>(&f, 1));
          })
          == Diag::needs_itself);
}

TEST_CASE("endless evaluation ends on the budget") {
    World w;
    w.limits.budget = 1000;
    auto f          = w.mut_lam(w.pi(w.arr(2, w.nat()), w.nat()));
    w.set_filter(f, w.tt());
    auto x = w.extract(f->var(), 0);
    CHECK(diag_of([&] {
              // f (x, y) = f (g x, y) with g an unknown function: new arguments for ever
              auto g = w.mut_lam(w.pi(w.nat(), w.nat()));
              w.set_filter(g, w.ff());
              w.set_body(f, w.app(f, {w.app(g, x), w.extract(f->var(), 1)}));
              w.close(std::span<Lam* const>(&f, 1));
          })
          == Diag::out_of_budget);
}

TEST_CASE("implicit arguments") {
    World w;
    auto pi  = w.mut_pi(w.star(), true);
    auto typ = w.seal(pi, w.pi(pi->var(), pi->var()));
    auto id  = w.mut_lam(typ);
    auto in  = w.mut_lam(w.pi(id->var(), id->var()));
    w.set(in, w.tt(), in->var());
    w.seal(in);
    w.set(id, w.tt(), in);
    w.close(std::span<Lam* const>(&id, 1));
    const Def* arg[] = {w.lit_nat(7)};
    CHECK(w.call(id, arg) == w.lit_nat(7));
}

TEST_CASE("assignability of dependent tuples") {
    World w;
    auto cmp = w.mut_sigma(2); // [T: *, [T, T] → Bool]
    w.set(cmp, 0, w.star());
    auto T = w.extract(cmp->var(), 0);
    w.set(cmp, 1, w.pi(w.arr(2, T), w.bool_type()));
    auto type = w.seal(cmp);
    auto less = w.mut_lam(w.pi(w.arr(2, w.nat()), w.bool_type()));
    CHECK(assignable(w, type, w.tuple({w.nat(), less})));
    CHECK(!assignable(w, type, w.tuple({w.bool_type(), less})));
    // the type of an element of a value of it: x#1 : [x#0, x#0] → Bool
    auto x = w.mut_lam(w.pi(type, w.nat()))->var();
    CHECK(w.extract(x, 1)->type() == w.pi(w.arr(2, w.extract(x, 0)), w.bool_type()));
}

TEST_CASE("placeholders of arity and element types (example 6.1)") {
    World w;
    auto n  = w.holes.make(w.nat());
    auto ts = w.holes.make(w.arr(n, w.star()));
    auto a  = w.mut_arr(n);
    auto p  = w.seal(a, w.extract(ts, a->var()));
    auto t  = w.sigma({w.nat(), w.idx(0x10000), w.nat()});
    CHECK(unify(w, p, t));
    CHECK(w.refresh(n) == w.lit_nat(3));
    CHECK(w.refresh(ts) == w.tuple({w.nat(), w.idx(0x10000), w.nat()}));
    // an array of unknown length
    auto len = w.mut_lam(w.pi(w.nat(), w.nat()))->var();
    n        = w.holes.make(w.nat());
    ts       = w.holes.make(w.arr(n, w.star()));
    a        = w.mut_arr(n);
    p        = w.seal(a, w.extract(ts, a->var()));
    CHECK(unify(w, p, w.arr(len, w.nat())));
    CHECK(w.refresh(n) == len);
    CHECK(w.refresh(ts) == w.pack(len, w.nat()));
    // no array at all
    n = w.holes.make(w.nat());
    CHECK(unify(w, w.arr(n, w.bool_type()), w.bool_type()));
    CHECK(w.refresh(n) == w.lit_nat(1));
}

TEST_CASE("the occurs check and scopes of placeholders") {
    World w;
    auto h = w.holes.make(w.star());
    CHECK(!unify(w, h, w.pi(h, w.nat())));
    auto lam = w.mut_lam(w.pi(w.star(), w.star()));
    w.holes.enter(lam);
    CHECK(!unify(w, h, lam->var())); // made before the variable was in scope
    CHECK(unify(w, w.holes.make(w.star()), lam->var()));
}

TEST_CASE("unions") {
    World w;
    const Def* members[] = {w.nat(), w.bool_type()};
    const Def* swapped[] = {w.bool_type(), w.nat()};
    auto u               = w.union_type(members);
    CHECK(u == w.union_type(swapped));
    const Def* twice[] = {u, w.nat()};
    CHECK(w.union_type(twice) == u);
    const Def* one[] = {w.nat(), w.nat()};
    CHECK(w.union_type(one) == w.nat());
    auto v = w.inj(u, w.lit_nat(3));
    CHECK(v->type() == u);
    CHECK(diag_of([&] { w.inj(u, w.lit_idx(8, 3)); }) == Diag::not_a_member);
    auto on_nat       = lambda(w, w.nat(), w.nat(), w.tt(), [](Lam* l) { return l->var(); });
    auto on_bool      = lambda(w, w.bool_type(), w.nat(), w.tt(), [&](Lam*) { return w.lit_nat(9); });
    const Def* arms[] = {on_bool, on_nat};
    CHECK(w.match(v, arms) == w.lit_nat(3));
    CHECK(w.match(w.inj(u, w.tt()), arms) == w.lit_nat(9));
    const Def* few[] = {on_nat};
    CHECK(diag_of([&] { w.match(v, few); }) == Diag::arms_mismatch);
}

TEST_CASE("unions: an injection keeps its member") {
    World w;
    auto lam  = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto pair = w.mut_sigma(2);
    w.set(pair, 0, w.nat());
    w.set(pair, 1, w.idx(w.extract(pair->var(), 0)));
    const Def* members[] = {w.seal(pair), w.sigma({w.nat(), w.idx(lam->var())})};
    auto value           = w.tuple({w.lit_nat(5), w.lit_idx(5, 3)});
    auto open            = w.inj(w.union_type(members), value);
    CHECK(open->as<Inj>()->member() == members[0]);
    auto known = w.subst(open, lam->var(), w.lit_nat(5));
    CHECK(known->as<Inj>()->member() == members[0]);
    CHECK(is_by_hand(w, known->as<Inj>()));
    CHECK(known == w.inj(known->type(), value, members[0]));
    CHECK(known != w.inj(known->type(), value));
}

TEST_CASE("unions: members of a match are apart") {
    World w;
    auto lam = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto n   = lam->var();
    CHECK(apart(w, w.nat(), w.bool_type()));
    CHECK(apart(w, w.idx(3), w.idx(4)));
    CHECK(!apart(w, w.idx(3), w.idx(n)));
    CHECK(!apart(w, w.nat(), w.nat()));
    CHECK(apart(w, w.arr(w.lit_nat(3), w.nat()), w.unit_type()));
    CHECK(!apart(w, w.arr(n, w.nat()), w.unit_type()));
    CHECK(apart(w, w.sing(w.lit_nat(3)), w.sing(w.lit_nat(4))));
    CHECK(!apart(w, w.sing(w.lit_nat(3)), w.nat()));
    const Def* members[] = {w.idx(3), w.idx(n)};
    auto value           = w.inj(w.union_type(members), w.lit_idx(3, 1));
    auto zero            = [&](Lam*) { return w.lit_nat(0); };
    const Def* arms[]    = {lambda(w, members[0], w.nat(), w.tt(), zero), lambda(w, members[1], w.nat(), w.tt(), zero)};
    CHECK(diag_of([&] { w.match(value, arms); }) == Diag::members_not_apart);
}

TEST_CASE("singletons") {
    World w;
    auto s   = w.sing(w.lit_nat(3));
    auto lam = w.mut_lam(w.pi(s, w.nat()));
    CHECK(lam->var() == w.lit_nat(3));
    CHECK(assignable(w, s, w.lit_nat(3)));
    CHECK(!assignable(w, s, w.lit_nat(4)));
}

TEST_CASE("insert") {
    World w;
    auto t = w.tuple({w.lit_nat(0), w.tt()});
    CHECK(w.insert(t, w.lit_idx(2, 0), w.lit_nat(9)) == w.tuple({w.lit_nat(9), w.tt()}));
    CHECK(diag_of([&] { w.insert(t, w.lit_idx(2, 0), w.tt()); }) == Diag::not_assignable);
    auto a = w.mut_lam(w.pi(w.arr(3, w.nat()), w.nat()))->var();
    auto b = w.insert(a, w.lit_idx(3, 1), w.lit_nat(5));
    CHECK(w.extract(b, 1) == w.lit_nat(5));
    CHECK(w.extract(b, 2) == w.extract(a, 2));
}

TEST_CASE("recursive types") {
    World w;
    // rec List = [Nat, Fn-like pointer: [] → List]
    auto make = [&] {
        auto h = w.holes.make(w.star());
        return tie_recursive(w, h, w.sigma({w.nat(), w.pi(w.unit_type(), h)}));
    };
    auto a = make(), b = make();
    CHECK(a != b);
    CHECK(equal(w, a, b));
    CHECK(a->op(1)->as<Pi>()->codom() == a);
    auto h = w.holes.make(w.star());
    CHECK_NOTHROW(tie_recursive(w, h, w.sigma({w.nat(), w.pi(h, w.nat())})));
}

TEST_CASE("β copies only what depends on the variable") {
    World w;
    auto outer = lambda(w, w.nat(), w.pi(w.nat(), w.nat()), w.tt(),
                        [&](Lam* o) { return lambda(w, w.nat(), w.nat(), w.ff(), [&](Lam*) { return o->var(); }); });
    auto three = w.app(outer, w.lit_nat(3))->as<Lam>();
    CHECK(three->body() == w.lit_nat(3));
    auto closed = lambda(w, w.nat(), w.nat(), w.ff(), [](Lam* l) { return l->var(); });
    auto k      = lambda(w, w.nat(), w.pi(w.nat(), w.nat()), w.tt(), [&](Lam*) { return closed; });
    CHECK(w.app(k, w.lit_nat(1)) == closed);
}
