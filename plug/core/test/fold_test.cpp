// SPDX-License-Identifier: MIT
// Every operation on every value of the small sizes, and on the values at the edges of the large ones: the normalizer folds to what the
// evaluator computes, and folds exactly what is defined.
#include <doctest/doctest.h>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::core;
using test::Core;

namespace {

using Wide             = unsigned __int128;
constexpr Wide TwoTo64 = Wide(1) << 64;

std::vector<Wide> sizes() {
    std::vector<Wide> result = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 23};
    for (Wide n : {Wide(100), Wide(255), Wide(256), Wide(257), Wide(1) << 16, Wide(1000003), Wide(1) << 24, Wide(1) << 31,
                   (Wide(1) << 32) - 1, Wide(1) << 32, (Wide(1) << 32) + 1, (Wide(1) << 63) - 1, Wide(1) << 63,
                   (Wide(1) << 63) + 1, TwoTo64 - 2, TwoTo64 - 1, TwoTo64})
        result.push_back(n);
    return result;
}

/// All values of small sizes, the edges of large ones.
std::vector<uint64_t> values(Wide size) {
    std::vector<uint64_t> result;
    if (size <= 23) {
        for (uint64_t v = 0; v < size; ++v) result.push_back(v);
        return result;
    }
    for (Wide v : {Wide(0), Wide(1), Wide(2), Wide(7), Wide(24), Wide(31), Wide(32), Wide(63), Wide(64), Wide(65),
                   Wide(0x1234567), size / 2 - 1, size / 2, size / 2 + 1, size - 2, size - 1})
        if (v < size) result.push_back(uint64_t(v));
    return result;
}

/// The normal form is the literal that the evaluator computes, or what was asked for stays because it is undefined.
void agree(Core& c, eval::Machine& m, const Def* frozen, const Def* normal, const char* what) {
    auto expected = test::evaluate(m, frozen);
    auto lit      = isa_lit(normal);
    INFO(what << " type " << c.w.stats().nodes);
    REQUIRE(bool(lit) == bool(expected));
    if (lit) REQUIRE(lit->value() == *expected);
}

void on_machine(Core& c, const std::function<void(eval::Machine&)>& body) {
    auto r = eval::run(c.w, [&](eval::Machine& m) { return body(m), 0; }, {});
    INFO(r.message);
    CHECK(r.status == eval::Result::Done);
}

/// All pairs of values of all sizes.
template<class F>
void for_pairs(Core& c, F f) {
    on_machine(c, [&](eval::Machine& m) {
        for (auto n : sizes())
            for (auto a : values(n))
                for (auto b : values(n)) {
                    auto s = c.size(n);
                    f(m, s, c.w.lit_idx(s, a), c.w.lit_idx(s, b));
                }
    });
}

template<class Enum>
void same(Core& c, eval::Machine& m, Enum e, const std::vector<const Def*>& groups, const char* what) {
    auto normal = c.app(e, groups); // first: what is built twice is one node
    agree(c, m, c.frozen(e, groups), normal, what);
}

} // namespace

TEST_CASE_FIXTURE(Core, "core.wrap folds as it evaluates") {
    for_pairs(*this, [&](eval::Machine& m, const Def* s, const Def* a, const Def* b) {
        for (unsigned op = 0; op < 4; ++op)
            for (unsigned mode = 0; mode < 4; ++mode) {
                INFO("op " << op << " mode " << mode << " a " << a->as<Lit>()->value() << " b " << b->as<Lit>()->value() << " s "
                           << s->as<Lit>()->value());
                same(*this, m, wrap(op), {s, nat(mode), w.tuple({a, b})}, "wrap");
            }
    });
}

TEST_CASE_FIXTURE(Core, "core.bit1, bit2, shr and extrema fold as they evaluate") {
    for_pairs(*this, [&](eval::Machine& m, const Def* s, const Def* a, const Def* b) {
        INFO(" a " << a->as<Lit>()->value() << " b " << b->as<Lit>()->value() << " s " << s->as<Lit>()->value());
        auto ab = w.tuple({a, b});
        for (unsigned op = 0; op < 16; ++op) same(*this, m, bit2(op), {s, nat(0), ab}, "bit2");
        for (unsigned op = 0; op < 2; ++op) same(*this, m, shr(op), {s, ab}, "shr");
        for (unsigned op = 0; op < 4; ++op) same(*this, m, extrema(op), {s, ab}, "extrema");
        if (b == a)
            for (unsigned op = 0; op < 4; ++op) same(*this, m, bit1(op), {s, nat(0), a}, "bit1");
    });
}

TEST_CASE_FIXTURE(Core, "core.rotate and reverse fold as they evaluate") {
    for_pairs(*this, [&](eval::Machine& m, const Def* s, const Def* a, const Def* b) {
        INFO(" a " << a->as<Lit>()->value() << " b " << b->as<Lit>()->value() << " s " << s->as<Lit>()->value());
        for (unsigned op = 0; op < 2; ++op) same(*this, m, rotate(op), {s, w.tuple({a, b})}, "rotate");
        if (b == a)
            for (unsigned op = 0; op < 2; ++op) same(*this, m, plug::core::reverse(op), {s, a}, "reverse");
    });
}

TEST_CASE_FIXTURE(Core, "core.icmp folds as it evaluates") {
    for_pairs(*this, [&](eval::Machine& m, const Def* s, const Def* a, const Def* b) {
        for (unsigned op = 0; op < 32; ++op) same(*this, m, icmp(op), {s, w.tuple({a, b})}, "icmp");
    });
}

TEST_CASE_FIXTURE(Core, "core.div and abs fold as they evaluate, behind a token") {
    for_pairs(*this, [&](eval::Machine& m, const Def* s, const Def* a, const Def* b) {
        INFO(" a " << a->as<Lit>()->value() << " b " << b->as<Lit>()->value() << " s " << s->as<Lit>()->value());
        // The evaluator is given a token: make(token) becomes the body of a function.
        auto run = [&](auto make) -> std::optional<uint64_t> {
            auto f = w.mut_lam(w.pi(mem, w.sigma({mem, w.idx(s)})));
            w.set_filter(f, w.ff());
            w.set_body(f, make(f->var()));
            w.seal(f);
            try {
                return m.num(m.elem(m.call(m.eval(f), eval::Value::token()), 1));
            } catch (const eval::UndefinedBehaviour&) {
                return {};
            }
        };
        auto check = [&](auto op, auto groups) {
            auto outer    = w.mut_lam(w.pi(mem, mem));
            auto lit      = isa_lit(w.extract(app(op, groups(outer->var())), 1));
            auto expected = run([&](const Def* token) { return frozen(op, groups(token)); });
            REQUIRE(bool(lit) == bool(expected));
            if (lit) REQUIRE(lit->value() == *expected);
        };
        using Groups = std::vector<const Def*>;
        if (s == nat(1)) return; // nothing is known to be defined
        for (unsigned op = 0; op < 4; ++op)
            check(plug::core::div(op), [&](const Def* t) { return Groups{s, w.tuple({t, w.tuple({a, b})})}; });
        if (a == b) check(plug::core::abs(0), [&](const Def* t) { return Groups{s, w.tuple({t, a})}; });
    });
}

TEST_CASE_FIXTURE(Core, "core.conv and idx fold as they evaluate, for all pairs of sizes") {
    on_machine(*this, [&](eval::Machine& m) {
        for (auto from : sizes())
            for (auto to : sizes()) {
                auto ss = size(from), ds = size(to);
                for (auto v : values(from)) {
                    INFO("from " << uint64_t(from) << " to " << uint64_t(to) << " v " << v);
                    for (unsigned op = 0; op < 2; ++op) same(*this, m, conv(op), {ss, ds, w.lit_idx(ss, v)}, "conv");
                    for (unsigned mode = 0; mode < 4; ++mode) same(*this, m, idx(0), {ds, nat(mode), nat(v)}, "idx");
                }
            }
    });
}

TEST_CASE_FIXTURE(Core, "core.nat and ncmp fold as they evaluate") {
    on_machine(*this, [&](eval::Machine& m) {
        for (auto a : values(TwoTo64))
            for (auto b : values(TwoTo64)) {
                INFO("a " << a << " b " << b);
                auto ab = w.tuple({nat(a), nat(b)});
                for (unsigned op = 0; op < 3; ++op) same(*this, m, plug::core::nat(op), {ab}, "nat");
                for (unsigned op = 0; op < 8; ++op) same(*this, m, ncmp(op), {ab}, "ncmp");
            }
    });
}

TEST_CASE_FIXTURE(Core, "core.bitcast folds between Nat and integers of all sizes") {
    on_machine(*this, [&](eval::Machine& m) {
        for (auto n : sizes()) {
            if (n == 1) continue; // its only value has no bits
            auto type = w.idx(size(n));
            for (auto v : values(n)) same(*this, m, bitcast(0), {type, w.nat(), w.lit(type, v)}, "to Nat");
            for (auto v : values(TwoTo64)) same(*this, m, bitcast(0), {w.nat(), type, nat(v)}, "from Nat");
            for (auto k : sizes())
                if (k != 1)
                    for (auto v : values(n))
                        same(*this, m, bitcast(0), {type, w.idx(size(k)), w.lit(type, v)}, "between integers");
        }
    });
}
