// SPDX-License-Identifier: MIT
// Phases that are tables, and functions that are built together.
#include "kit/lower.h"

#include <doctest/doctest.h>

#include "kit/build.h"
#include "kit/match.h"

using namespace mim;

enum class op : uint16_t { one, other };

namespace mim {
template<>
struct AnnexTraits<op> {
    static constexpr uint64_t plugin   = 23;
    static constexpr uint16_t tag      = 0;
    static constexpr uint16_t num_subs = 2;
};
} // namespace mim

namespace {

/// `%t.op.one` and `%t.op.other`: Nat → Nat → Nat, and a function `f` that is visible outside.
struct Fixture {
    Fixture() {
        for (uint16_t sub = 0; sub != 2; ++sub) {
            auto& axiom = axioms[sub];
            axiom.name  = w.sym(sub == 0 ? "%t.op.one" : "%t.op.other");
            axiom.id    = {AnnexTraits<op>::plugin, 0, sub};
            axiom.curry = 2;
            w.annexes.define(axiom.id, axiom.name, w.axm(&axiom, w.pi(w.nat(), w.pi(w.nat(), w.nat()))));
        }
    }

    template<class F>
    void program(F body) {
        auto f = w.lam(w.pi(w.nat(), w.nat()), body);
        w.externals.add(w.sym("f"), f);
    }
    const Def* body() { return w.externals.find("f")->body(); }
    const Def* param() { return w.externals.find("f")->var(); }

    World w;
    SourceManager sources;
    Diagnostics diags{sources};
    PhaseContext context{w, diags};
    Axiom axioms[2];
};

const Def* first(const Lowered& app) { return app.group(0); }

} // namespace

TEST_CASE_FIXTURE(Fixture, "what a table says of one subtag does not concern another") {
    program([&](auto x) { return w.call(op::one, w.call(op::other, x, 1), 2); });
    CHECK(Lowering(context).on(op::one, first).run());
    CHECK(body() == w.call(op::other, param(), 1));
}

TEST_CASE_FIXTURE(Fixture, "of the tag, and innermost operands as well") {
    program([&](auto x) { return w.call(op::one, w.call(op::other, x, 1), 2); });
    CHECK(Lowering(context).on<op>(first).run());
    CHECK(body() == param());
}

TEST_CASE_FIXTURE(Fixture, "null leaves the application as it is, over operands that changed") {
    program([&](auto x) { return w.call(op::one, w.call(op::other, x, 1), 2); });
    auto stays = [](const Lowered&) -> const Def* { return nullptr; };
    CHECK(Lowering(context).on(op::one, stays).on(op::other, first).run());
    CHECK(body() == w.call(op::one, param(), 2));
}

TEST_CASE_FIXTURE(Fixture, "an axiom that misses groups becomes a function") {
    // (op.one 3, op.one 4)#(an index that is not known) x
    auto f = w.lam(w.pi(w.sigma({w.bool_type(), w.nat()}), w.nat()), [&](auto var) {
        auto [index, x] = elems<2>(w, var);
        auto one        = [&](uint64_t n) { return w.app(w.annex(op::one), w.lit_nat(n)); };
        return w.app(w.extract(w.tuple({one(3), one(4)}), index), x);
    });
    w.externals.add(w.sym("f"), f);
    CHECK(Lowering(context).on<op>(first).run());
    CHECK(!occurs<op>(PhaseContext{w, diags}.program()));
}

TEST_CASE_FIXTURE(Fixture, "nothing to do") {
    program([&](auto x) { return x; });
    auto before = w.externals.find("f");
    CHECK(!Lowering(context).on<op>(first).run());
    CHECK(w.externals.find("f") == before);
    CHECK(!occurs<op>(context.program()));
}

TEST_CASE("functions that call each other") {
    World w;
    Functions functions(w);
    auto even = functions.con(w.nat(), "even"), odd = functions.con(w.nat(), "odd");
    w.set_body(even, w.app(odd, even->var()));
    w.set_body(odd, functions.branch(w.tt(), functions.block(w.app(even, odd->var()), "yes"),
                                     functions.block(w.app(odd, odd->var()), "no")));
    functions.close();
    for (auto lam : functions.all()) {
        CHECK(lam->is_set());
        CHECK(lam->filter() == w.ff());
    }
    CHECK(w.notes.name(even) == w.sym("even"));
    CHECK(functions.all().size() == 4);
}
