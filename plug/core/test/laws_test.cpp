// SPDX-License-Identifier: MIT
// Random expressions over two variables are normalized once with the variables in place, and compared at many values with what the
// evaluator makes of the same expression unnormalized. Where the evaluator says that it is undefined, anything goes.
#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "core/diagnostics.h"
#include "ir/dump.h"
#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::core;
using test::Core;

namespace {

using Wide = unsigned __int128;

/// How to build an expression in any World, with and without normalization.
struct Recipe {
    std::function<const Def*(Core&, const std::vector<const Def*>&)> build; ///< from the built operands
    std::vector<Recipe> operands;
    int variable = -1; ///< a leaf

    const Def* make(Core& c, const Def* x, const Def* y, bool freeze) const {
        if (variable >= 0) return variable ? y : x;
        std::vector<const Def*> ops;
        for (auto& o : operands) ops.push_back(o.make(c, x, y, freeze));
        if (!freeze) return build(c, ops);
        World::Frozen frozen(c.w);
        return build(c, ops);
    }
};

class Generator {
public:
    Generator(Wide size, unsigned seed)
        : size_(size)
        , random_(seed) {}

    uint64_t number() {
        uint64_t edges[] = {0, 1, 2, 3, uint64_t(size_ - 1), uint64_t(size_ / 2), uint64_t((size_ + 1) / 2), random_()};
        return uint64_t(Wide(edges[below(8)]) % size_);
    }
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    Recipe integer(unsigned depth) {
        if (depth == 0 || below(8) == 0) return leaf();
        auto n = size_;
        auto m = below(3) ? 0 : below(4);
        switch (below(10)) {
            case 0:
                return {[=, op = bit1(below(4))](Core& c, auto& o) { return c.app(op, {c.size(n), c.nat(0), o[0]}); },
                        {integer(depth - 1)}};
            case 1:
            case 2:
                return binary(depth, [=, op = bit2(below(16))](Core& c, auto o) { return c.app(op, {c.size(n), c.nat(0), o}); });
            case 3: return binary(depth, [=, op = shr(below(2))](Core& c, auto o) { return c.app(op, {c.size(n), o}); });
            case 4: return binary(depth, [=, op = extrema(below(4))](Core& c, auto o) { return c.app(op, {c.size(n), o}); });
            case 5: return there_and_back(depth);
            case 6: return binary(depth, [=, op = rotate(below(2))](Core& c, auto o) { return c.app(op, {c.size(n), o}); });
            case 7:
                return {[=, op = plug::core::reverse(below(2))](Core& c, auto& o) { return c.app(op, {c.size(n), o[0]}); },
                        {integer(depth - 1)}};
            default:
                return binary(depth, [=, op = wrap(below(4))](Core& c, auto o) { return c.app(op, {c.size(n), c.nat(m), o}); });
        }
    }

    Recipe boolean(unsigned depth) {
        return binary(depth, [n = size_, op = icmp(below(32))](Core& c, auto o) { return c.app(op, {c.size(n), o}); });
    }

    Recipe nat(unsigned depth) {
        if (depth == 0 || below(8) == 0) {
            if (below(3)) return variable();
            return {[n = below(5)](Core& c, auto&) { return c.nat(n); }, {}};
        }
        auto f = [op = plug::core::nat(below(3))](Core& c, auto& o) { return c.app(op, {c.w.tuple({o[0], o[1]})}); };
        return {f, {nat(depth - 1), nat(depth - 1)}};
    }
    Recipe nat_relation(unsigned depth) {
        auto f = [op = ncmp(below(8))](Core& c, auto& o) { return c.app(op, {c.w.tuple({o[0], o[1]})}); };
        return {f, {nat(depth), nat(depth)}};
    }

private:
    template<class F>
    Recipe binary(unsigned depth, F f) {
        auto a = integer(depth - 1);
        return {[f](Core& c, auto& o) { return f(c, c.w.tuple({o[0], o[1]})); }, {a, below(6) ? integer(depth - 1) : a}};
    }
    Recipe variable() {
        Recipe r;
        r.variable = static_cast<int>(below(2));
        return r;
    }
    Recipe leaf() {
        if (below(3)) return variable();
        return {[s = size_, n = number()](Core& c, auto&) { return c.w.lit_idx(c.size(s), n); }, {}};
    }
    /// Conversions to another size, perhaps through a third, and back.
    Recipe there_and_back(unsigned depth) {
        static constexpr uint64_t sizes[] = {2, 3, 4, 5, 8, 10, 16, 100, 256, 65536};
        auto s                            = size_;
        auto t = sizes[below(10)], u = sizes[below(10)];
        auto f = conv(below(2)), g = conv(below(2)), h = conv(below(2));
        auto build = [=](Core& c, auto& o) {
            auto first = c.app(f, {c.size(s), c.nat(t), o[0]});
            return c.app(h, {c.nat(u), c.size(s), c.app(g, {c.nat(t), c.nat(u), first})});
        };
        return {build, {integer(depth - 1)}};
    }

    Wide size_;
    std::mt19937_64 random_;
};

/// `recipe` over the variables of a function, at `values` (pairs). The expressions that are not normalized live in a World of
/// their own: what is built twice is one node.
void compare(Core& c, Core& plain, eval::Machine& m, const Recipe& recipe, Wide size,
             const std::vector<std::pair<uint64_t, uint64_t>>& values) {
    auto type = [&](Core& core) { return size ? core.w.idx(core.size(size)) : core.w.nat(); };
    auto& w   = c.w;
    auto f    = w.mut_lam(w.pi(w.sigma({type(c), type(c)}), type(c)));
    auto open = recipe.make(c, w.extract(f->var(), 0), w.extract(f->var(), 1), false);
    for (auto [x, y] : values) {
        auto expected = test::evaluate(m, recipe.make(plain, plain.w.lit(type(plain), x), plain.w.lit(type(plain), y), true));
        if (!expected) continue;
        auto lit = isa_lit(w.subst(open, f->var(), w.tuple({w.lit(type(c), x), w.lit(type(c), y)})));
        INFO("x " << x << " y " << y << " of " << brief(w, open));
        REQUIRE(lit);
        REQUIRE(lit->value() == *expected);
    }
}

void on_machine(Core& c, const std::function<void(eval::Machine&)>& body) {
    auto r = eval::run(c.w, [&](eval::Machine& m) { return body(m), 0; }, {});
    INFO(r.message);
    CHECK(r.status == eval::Result::Done);
}

} // namespace

TEST_CASE("core: laws of integers hold at every value") {
    for (Wide size : {Wide(2), Wide(3), Wide(4), Wide(5), Wide(8), Wide(10), Wide(23), Wide(256), Wide(1000), Wide(1) << 24,
                      (Wide(1) << 32) + 1, Wide(1) << 64})
        for (unsigned seed = 0; seed < 150; ++seed) {
            Core c, plain;
            Generator g(size, seed);
            std::vector<std::pair<uint64_t, uint64_t>> values;
            if (size <= 5)
                for (uint64_t x = 0; x < size; ++x)
                    for (uint64_t y = 0; y < size; ++y) values.push_back({x, y});
            else
                for (unsigned i = 0; i < 24; ++i) values.push_back({g.number(), g.number()});
            INFO("size " << uint64_t(size) << " seed " << seed);
            on_machine(plain, [&](eval::Machine& m) {
                for (unsigned i = 0; i < 6; ++i) {
                    compare(c, plain, m, g.integer(1 + i % 3), size, values);
                    compare(c, plain, m, g.boolean(1 + i % 3), size, values);
                }
            });
        }
}

TEST_CASE("core: laws of Nat hold at every value") {
    std::vector<std::pair<uint64_t, uint64_t>> values;
    for (uint64_t x : {0, 1, 2, 3, 7, 13})
        for (uint64_t y : {0, 1, 2, 5, 13}) values.push_back({x, y});
    for (unsigned seed = 0; seed < 500; ++seed) {
        Core c, plain;
        Generator g(2, seed);
        INFO("seed " << seed);
        on_machine(plain, [&](eval::Machine& m) {
            for (unsigned i = 0; i < 6; ++i) {
                compare(c, plain, m, g.nat(1 + i % 4), 0, values);
                compare(c, plain, m, g.nat_relation(i % 4), 0, values);
            }
        });
    }
}

TEST_CASE_FIXTURE(Core, "core: equal sizes are the same node") {
    auto f = w.mut_lam(w.pi(w.sigma({w.nat(), w.nat(), w.nat()}), w.nat()));
    auto n = w.extract(f->var(), 0), m = w.extract(f->var(), 1), k = w.extract(f->var(), 2);
    auto add = [&](const Def* a, const Def* b) { return app(plug::core::nat::add, {w.tuple({a, b})}); };
    auto mul = [&](const Def* a, const Def* b) { return app(plug::core::nat::mul, {w.tuple({a, b})}); };
    auto sub = [&](const Def* a, const Def* b) { return app(plug::core::nat::sub, {w.tuple({a, b})}); };
    CHECK(add(n, m) == add(m, n));
    CHECK(add(n, add(m, k)) == add(add(k, n), m));
    CHECK(add(add(n, nat(1)), nat(2)) == add(nat(3), n));
    CHECK(mul(n, mul(m, k)) == mul(mul(k, m), n));
    CHECK(mul(add(n, nat(1)), m) == add(m, mul(n, m)));
    CHECK(mul(add(n, m), add(n, m)) == add(mul(n, n), add(mul(m, m), mul(nat(2), mul(m, n)))));
    CHECK(add(n, n) == mul(n, nat(2)));
    CHECK(sub(add(n, m), m) == n);
    CHECK(sub(add(n, nat(5)), add(nat(2), n)) == nat(3));
    CHECK(sub(add(n, nat(2)), add(nat(5), n)) == nat(0));
    CHECK(app(ncmp::l, {w.tuple({n, add(n, nat(1))})}) == w.tt());
    CHECK(app(ncmp::ge, {w.tuple({n, nat(0)})}) == w.tt());
    CHECK(app(ncmp::e, {w.tuple({add(n, nat(1)), nat(0)})}) == w.ff());
    CHECK(app(ncmp::l, {w.tuple({n, m})}) == app(ncmp::g, {w.tuple({m, n})}));
}

TEST_CASE_FIXTURE(Core, "core: what would leave 64 bits is not folded and warned about") {
    unsigned warnings = 0;
    w.warn            = [&](const Error& e) { warnings += e.id == diag::nat_overflow; };
    auto big          = nat(~uint64_t(0));
    CHECK(app(plug::core::nat::add, {w.tuple({big, nat(1)})})->isa<App>());
    CHECK(app(plug::core::nat::mul, {w.tuple({big, nat(2)})})->isa<App>());
    CHECK(warnings == 2);
}

TEST_CASE_FIXTURE(Core, "core: long sums cost the same for each term") {
    auto f    = w.mut_lam(w.pi(w.arr(3000, w.nat()), w.nat()));
    auto sum  = nat(0);
    auto from = w.stats().nodes;
    for (uint64_t i = 0; i < 3000; ++i) sum = app(plug::core::nat::add, {w.tuple({sum, w.extract(f->var(), i)})});
    CHECK(w.stats().nodes - from < 3000 * 12);
}

TEST_CASE_FIXTURE(Core, "core.pe.known answers when the answer is final") {
    auto known = [&](const Def* d) { return app(pe::known, {d->type(), d}); };
    auto f     = w.mut_lam(w.pi(w.nat(), w.nat()));
    w.set_filter(f, w.ff());
    auto x = f->var();
    CHECK(known(nat(3)) == w.tt());
    CHECK(known(w.tuple({nat(3), w.tuple({w.tt(), nat(1)})})) == w.tt());
    CHECK(known(x)->isa<App>());
    CHECK(known(w.tuple({nat(3), x}))->isa<App>());
    auto g = w.mut_lam(w.pi(w.nat(), w.nat()));
    w.set_filter(g, w.ff());
    w.set_body(g, x);
    w.seal(g);
    CHECK(known(g)->isa<App>()); // refers to x
    w.set_body(f, x);
    w.seal(f);
    CHECK(known(f) == w.tt());
    w.emitting = true;
    CHECK(known(w.app(f, nat(1))) == w.ff());
}

TEST_CASE_FIXTURE(Core, "core.bitcast between types of different size is an error") {
    auto pair = w.sigma({w.nat(), w.bool_type()});
    auto f    = w.mut_lam(w.pi(pair, w.nat()));
    CHECK_THROWS_AS(app(bitcast(0), {pair, w.nat(), f->var()}), Error);
    auto g = w.mut_lam(w.pi(w.nat(), w.nat()));
    CHECK(app(bitcast(0), {w.nat(), w.idx(256), g->var()})->isa<App>());
    CHECK(app(bitcast(0), {w.idx(256), w.nat(), app(bitcast(0), {w.nat(), w.idx(256), w.lit_nat(0x1ff)})}) == nat(0xff));
}
