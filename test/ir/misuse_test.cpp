// SPDX-License-Identifier: MIT
// Requests that no program makes, but C++ may: each is an error that says so in the words of a program.
#include <doctest/doctest.h>

#include <string>

#include "ir/world.h"

using namespace mim;

namespace {

Lam* identity(World& w, const char* name) {
    auto lam = w.lam(w.pi(w.nat(), w.nat()), [](auto x) { return x; });
    w.notes.set_name(lam, w.sym(name));
    return lam;
}

/// The error that the request throws.
template<class F>
Error error_of(F request) {
    try {
        request();
    } catch (const Error& e) {
        return e;
    }
    FAIL("nothing was thrown");
    return Error(Diag::broken_graph, {});
}

std::string string_of(const Error::Arg& arg) { return std::get<std::string>(arg); }

} // namespace

TEST_CASE("a body is set once") {
    World w;
    auto f = identity(w, "f");
    auto e = error_of([&] { w.set_body(f, w.lit_nat(1)); });
    CHECK(e.id == Diag::body_twice);
    CHECK(string_of(e.args[0]) == "f");
    CHECK(std::get<const Def*>(e.args[1]) == f->type());
    CHECK(f->body() == f->var());
}

TEST_CASE("a name is visible outside once, and stays what it was") {
    World w;
    auto f = identity(w, "f"), g = identity(w, "g");
    w.externals.add(w.sym("f"), f);
    auto e = error_of([&] { w.externals.add(w.sym("f"), g); });
    CHECK(e.id == Diag::external_twice);
    CHECK(string_of(e.args[0]) == "f");
    CHECK(w.externals.find("f") == f);
    CHECK(w.externals.size() == 1);
    w.externals.remove(w.sym("f"));
    w.externals.add(w.sym("f"), g);
    CHECK(w.externals.find("f") == g);
}

TEST_CASE("who replaces or removes an external function that is not there is told which ones are") {
    World w;
    auto f = identity(w, "f");
    CHECK(string_of(error_of([&] { w.externals.remove(w.sym("x")); }).args[1]) == "none");
    w.externals.add(w.sym("f"), f);
    w.externals.add(w.sym("g"), f);
    auto e = error_of([&] { w.externals.replace(w.sym("x"), f); });
    CHECK(e.id == Diag::unknown_external);
    CHECK(string_of(e.args[0]) == "x");
    CHECK(string_of(e.args[1]) == "`f`, `g`");
}

TEST_CASE("an external function without a body is found before the program is used") {
    World w;
    CHECK(!w.externals.find_open());
    auto f = w.mut_lam(w.pi(w.nat(), w.nat()));
    w.externals.add(w.sym("f"), f);
    REQUIRE(w.externals.find_open());
    CHECK(w.externals.find_open()->name == w.sym("f"));
    w.set(f, w.ff(), f->var());
    CHECK(!w.externals.find_open());
}

TEST_CASE("groups of a call are expressions, tuples and numbers") {
    World w;
    Axiom a;
    a.name = w.sym("%t.f");
    a.id   = {1, 0, 0};
    // {n: Nat} [Nat] [Idx n, Idx n] → Nat
    auto pi   = w.mut_pi(w.nat(), true);
    auto pair = w.sigma({w.idx(pi->var()), w.idx(pi->var())});
    auto type = w.seal(pi, w.pi(w.nat(), w.pi(pair, w.nat())));
    a.curry   = 3;
    auto f    = w.axm(&a, type);
    w.annexes.define(a.id, a.name, f);
    auto x = w.lit_idx(8, 3), y = w.lit_idx(8, 4);
    auto full = w.app(w.app(w.app(f, w.lit_nat(8)), w.lit_nat(2)), {x, y});
    CHECK(group(full, 0) == w.lit_nat(8));
    CHECK(group(full, 1) == w.lit_nat(2));
    auto [n, m, arg] = groups<3>(full);
    CHECK(n == w.lit_nat(8));
    CHECK(m == w.lit_nat(2));
    auto [first, second] = elems<2>(w, arg);
    CHECK(first == x);
    CHECK(second == y);
    auto app = full->as<App>();
    Redex redex{w, app->type(), app->callee(), app->arg()};
    CHECK(redex.groups<3>() == groups<3>(full));
    CHECK(redex.elem(1) == y);
}

TEST_CASE("an error has a text of its own, without its world") {
    World w;
    auto f = identity(w, "f");
    CHECK(error_of([&] { w.set_body(f, w.lit_nat(1)); }).what()
          == std::string("the function `f` of type `Nat → Nat` has a body already: it gets one once"));
    CHECK(error_of([&] { w.app(w.tt(), w.tt()); }).what() == std::string("`tt` of type `Bool` is not a function"));
    auto given = w.tuple({w.tt(), w.lit_idx(uint64_t(1) << 32, 3), w.tuple({w.lit_nat(1), w.lit_nat(2)})});
    auto wrong = error_of([&] { w.app(f, given); });
    CHECK(wrong.what()
          == std::string("expected a value of type `Nat`, got `(tt, 3I32, (1, 2))` of type `[Bool, I32, «2; Nat»]`"));
}

TEST_CASE("the text of an error is short, whatever the expression is") {
    World w;
    auto f    = identity(w, "f");
    auto size = w.lam(w.pi(w.nat(), w.nat()), [&](auto n) {
        auto pair = w.tuple({n, w.lit_nat(1)});
        for (int i = 0; i != 100; ++i) pair = w.tuple({pair, w.tt(), pair});
        auto text = std::string(error_of([&] { w.app(f, pair); }).what());
        CHECK(text.size() < 400);
        CHECK(text.find("…") != text.npos);
        return n;
    });
    CHECK(size);
}
