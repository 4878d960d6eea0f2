// SPDX-License-Identifier: MIT
// The laws of terms: binders are opened and closed without loss, what is equal has equal answers, nothing is answered too early; and
// code and checks mean what they are normalized to.
#include <doctest/doctest.h>

#include "eval/machine.h"
#include "refly/diagnostics.h"
#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::refly;
using test::Refly;
namespace refly = mim::plug::refly;

namespace {

/// λ (x: Nat) (y: Nat) @ff = next (…), one of several bodies.
const Def* function(Refly& r, const std::function<const Def*(const Def*, const Def*)>& body) {
    auto& w     = r.w;
    auto inner  = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto outer  = w.mut_lam(w.pi(w.nat(), inner->type()));
    auto result = body(outer->var(), inner->var());
    w.set(inner, w.ff(), result);
    w.set(outer, w.ff(), w.seal(inner));
    return w.seal(outer);
}

std::vector<const Def*> samples(Refly& r) {
    auto& w    = r.w;
    auto next  = [&](const Def* e) { return w.app(r.next, e); };
    auto poly  = w.mut_pi(w.star());
    auto pack  = w.mut_pack(w.lit_nat(5000));
    auto array = w.mut_arr(w.lit_nat(5000));
    auto sum   = w.mut_sigma(2);
    w.set(sum, 0, w.nat());
    w.set(sum, 1, w.arr(w.extract(sum->var(), 0), w.nat()));
    return {function(r, [&](auto x, auto) { return next(x); }),
            function(r, [&](auto, auto y) { return next(next(y)); }),
            function(r, [&](auto x, auto y) { return next(w.extract(w.tuple({x, y}), w.lit_idx(2, 1))); }),
            w.seal(poly, w.pi(poly->var(), poly->var())),
            w.seal(pack, w.tuple({pack->var(), w.lit_nat(1)})),
            w.seal(array, w.sing(array->var())),
            w.seal(sum),
            next(w.lit_nat(5)),
            w.tuple({w.lit_nat(5), w.tt()}),
            w.pi(w.nat(), w.bool_type())};
}

} // namespace

TEST_CASE_FIXTURE(Refly, "what is opened and closed is the same") {
    for (auto e : samples(*this)) {
        INFO(std::string(node_name(e->node())));
        CHECK(mim::equal(w, close(w, e, open(w, e)), e));
        for (auto op : open(w, e)) CHECK(is_closed(w, op));
        for (auto op : open(w, e)) CHECK(mim::equal(w, close(w, op, open(w, op)), op));
    }
}

TEST_CASE_FIXTURE(Refly, "an operand that is replaced by itself changes nothing") {
    for (auto e : samples(*this))
        for (uint64_t i = 0; i != e->num_ops(); ++i) {
            INFO(std::string(node_name(e->node())) << ' ' << i);
            auto t  = quote(e);
            auto op = ask(refly::op(0), w.tuple({t, nat(i)}));
            CHECK(ask(replace(0), w.tuple({t, nat(i), op})) == t);
        }
}

TEST_CASE_FIXTURE(Refly, "equal functions have equal operands all the way down") {
    auto make = [&](int) {
        return function(*this, [&](auto x, auto y) { return w.app(next, w.extract(w.tuple({x, y}), w.ff())); });
    };
    auto a = make(0), b = make(1);
    CHECK(ask(refly::equal(0), w.tuple({quote(a), quote(b)})) == w.tt());
    auto inner = [&](const Def* e) { return open(w, open(w, e)[1])[1]; };
    CHECK(inner(a) == inner(b));
    CHECK(fresh_name(w, inner(a)) == 1);
}

TEST_CASE_FIXTURE(Refly, "nothing is answered while a variable is free") {
    auto lam = w.mut_lam(w.pi(w.nat(), w.bool_type()));
    auto q   = ask(is::lit, quote(lam->var()));
    CHECK(match(is::lit, q));
    CHECK(!isa_lit(ask(refly::arity(0), quote(w.app(next, lam->var())))));
    w.set(lam, w.tt(), q);
    auto f = w.seal(lam);
    CHECK(w.app(f, nat(3)) == w.tt());
    CHECK(w.app(f, w.app(next, nat(3))) == w.ff());
}

TEST_CASE_FIXTURE(Refly, "each term has one kind") {
    for (auto e : samples(*this)) {
        unsigned n = 0;
        for (uint16_t sub = 0; sub != 21; ++sub) n += ask(is(sub), quote(e)) == w.tt();
        CHECK(n == 1);
    }
}

TEST_CASE_FIXTURE(Refly, "code means its value, and so does a check that holds") {
    auto text = w.pack(3, w.lit_idx(256, 'x'));
    auto body = [&](eval::Machine& m) {
        auto code = frozen(reify(0), {w.nat(), nat(5)});
        CHECK(unit::evaluate(m, frozen(reflect(0), {w.nat(), code})) == 5);
        CHECK(app(reflect(0), {w.nat(), code}) == nat(5));
        CHECK(unit::evaluate(m, frozen(dbg::perm, {w.nat(), nat(5)})) == 5);
        for (auto when : {check::now, check::run}) {
            auto with = [&](const Def* c) { return std::vector<const Def*>{w.nat(), nat(3), w.tuple({c, nat(5), text})}; };
            CHECK(unit::evaluate(m, frozen(when, with(w.tt()))) == 5);
            CHECK(app(when, with(w.tt())) == nat(5));
            CHECK(!unit::evaluate(m, frozen(when, with(w.ff()))));
        }
        return 0;
    };
    auto r = eval::run(w, body, {});
    INFO(r.message);
    CHECK(r.status == eval::Result::Done);
}

TEST_CASE_FIXTURE(Refly, "what cannot be is an error") {
    auto text = w.pack(3, w.lit_idx(256, 'x'));
    auto id   = [&](auto make) {
        try {
            make();
        } catch (const Error& e) {
            return e.id;
        }
        return Diag::unused;
    };
    CHECK(id([&] { app(check::now, {w.nat(), nat(3), w.tuple({w.ff(), nat(5), text})}); }) == diag::check_failed);
    CHECK(id([&] { app(check::run, {w.nat(), nat(3), w.tuple({w.ff(), nat(5), text})}); }) == Diag::unused);
    CHECK(id([&] { app(typed(0), {w.bool_type(), quote(nat(5))}); }) == diag::term_type);
    CHECK(id([&] { ask(refly::op(0), w.tuple({quote(nat(5)), nat(0)})); }) == diag::term_part);
    auto f = quote(w.app(next, nat(5)));
    CHECK(id([&] { ask(replace(0), w.tuple({f, nat(1), quote(w.tt())})); }) == diag::term_replace);
}
