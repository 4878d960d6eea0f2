// SPDX-License-Identifier: MIT
// Faults of plugins that are found where they happen: a normalizer must keep the type, and must not build what is ill-typed. And
// what is left open at the end of a declaration.
#include <doctest/doctest.h>

#include "base/stack.h"
#include "ir/world.h"

using namespace mim;

namespace {

/// `%bad.f: Nat → Nat` with this normalizer, applied to 23; the error that comes of it.
Diag error_of_normalizer(Normalizer normalizer, std::vector<Error::Arg>& args) {
    World w;
    Axiom f;
    f.name       = w.sym("%bad.f");
    f.id         = {plugin_hash("bad"), 0, 0};
    f.curry      = 1;
    f.normalizer = normalizer;
    auto def     = w.axm(&f, w.pi(w.nat(), w.nat()));
    w.annexes.define(f.id, f.name, def);
    try {
        w.app(def, w.lit_nat(23));
    } catch (const Error& e) {
        args = e.args;
        return e.id;
    }
    return Diag::declared_here;
}

std::string text(const Error::Arg& arg) { return std::get<std::string>(arg); }

} // namespace

TEST_CASE("a normalizer that changes the type is its plugin's fault") {
    std::vector<Error::Arg> args;
    auto changes = [](const Redex& redex) { return redex.w.tt(); };
    CHECK(error_of_normalizer(changes, args) == Diag::normalizer_broke);
    REQUIRE(args.size() == 7);
    CHECK(text(args[0]) == "bad");
    CHECK(text(args[1]) == "%bad.f");
}

TEST_CASE("a normalizer that builds an ill-typed expression is its plugin's fault") {
    std::vector<Error::Arg> args;
    auto fails = [](const Redex& redex) { return redex.w.app(redex.arg, redex.arg); };
    CHECK(error_of_normalizer(fails, args) == Diag::normalizer_threw);
    REQUIRE(args.size() == 5);
    CHECK(text(args[0]) == "bad");
}

TEST_CASE("what a normalizer says about the program is passed on") {
    std::vector<Error::Arg> args;
    auto rejects = [](const Redex&) -> const Def* { throw Error(Diag::out_of_budget, {"1"}); };
    CHECK(error_of_normalizer(rejects, args) == Diag::out_of_budget);
}

TEST_CASE("a placeholder that nothing fills is an error at the end of the declaration") {
    World w;
    auto lam  = w.mut_lam(w.pi(w.nat(), w.star()));
    auto hole = w.holes.make(w.star());
    w.set(lam, w.ff(), w.pi(w.nat(), hole));
    w.close(std::span<Lam* const>(&lam, 1));
    Diag id = Diag::declared_here;
    try {
        w.finish();
    } catch (const Error& e) {
        id = e.id;
    }
    CHECK(id == Diag::unsolved_hole);
}

TEST_CASE("⊤ and ⊥ are two types") {
    World w;
    CHECK(w.top()->isa<Top>());
    CHECK(w.top()->type() == w.star());
    CHECK(w.top() != w.bot());
}

TEST_CASE("a rewrite that is too deep for the stack is an error, not a crash") {
    Diag id = Diag::declared_here;
    run_on_big_stack(
        [&] {
            World w;
            auto lam  = w.mut_lam(w.pi(w.nat(), w.star()));
            auto type = w.arr(lam->var(), w.nat());
            for (int i = 0; i < 20000; ++i) type = w.cn({w.nat(), type});
            w.set(lam, w.tt(), type);
            w.close(std::span<Lam* const>(&lam, 1));
            try {
                w.app(lam, w.lit_nat(3));
            } catch (const Error& e) {
                id = e.id;
            }
        },
        size_t(1) << 20);
    CHECK(id == Diag::too_deep);
}
