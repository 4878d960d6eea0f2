// SPDX-License-Identifier: MIT
// The verifier accepts what World builds, and sees what a broken phase might leave behind.
#include <doctest/doctest.h>

#include "ir/dot.h"
#include "ir/dump.h"
#include "phase/verify.h"

using namespace mim;

namespace {

Lam* open_lam(World& w, const Def* type, const Def* filter) {
    auto lam = w.mut_lam(type);
    w.set_filter(lam, filter);
    return lam;
}
void close(World& w, std::initializer_list<Lam*> lams) { w.close(std::span<Lam* const>(lams.begin(), lams.size())); }

std::string messages(World& w) {
    std::string res;
    for (auto& v : verify(w)) res += to_string(w, v) + "\n";
    return res;
}

} // namespace

TEST_CASE("verify: dependent types, arrays, unions and inserts are well formed") {
    World w;
    // extern f (n: Nat, xs: «n; Nat», i: Idx n, u: Nat ∪ Bool): Nat
    auto dom = w.mut_sigma(4);
    w.set(dom, 0, w.nat());
    w.set(dom, 1, w.arr(w.extract(dom->var(), uint64_t(0)), w.nat()));
    w.set(dom, 2, w.idx(w.extract(dom->var(), uint64_t(0))));
    const Def* members[] = {w.nat(), w.bool_type()};
    auto u               = w.union_type(members);
    w.set(dom, 3, u);
    auto f  = open_lam(w, w.pi(w.seal(dom), w.nat()), w.ff());
    auto v  = f->var();
    auto xs = w.insert(w.extract(v, 1), w.extract(v, 2), w.lit_nat(3));
    auto a = open_lam(w, w.pi(w.nat(), w.nat()), w.ff()), b = open_lam(w, w.pi(w.bool_type(), w.nat()), w.ff());
    w.set_body(a, w.extract(xs, w.extract(v, 2)));
    w.set_body(b, w.select(b->var(), w.lit_nat(1), w.lit_nat(2)));
    const Def* arms[] = {a, b};
    w.set_body(f, w.match(w.extract(v, 3), arms));
    close(w, {a, b, f});
    w.externals.add(w.sym("f"), f);
    CHECK(messages(w) == "");
    CHECK(dump(w).find("extern f") != std::string::npos);
    CHECK(dot(w).find("digraph") == 0);
}

TEST_CASE("verify: an external with free variables") {
    World w;
    auto f = open_lam(w, w.pi(w.nat(), w.nat()), w.ff());
    auto g = open_lam(w, w.pi(w.nat(), w.nat()), w.ff());
    w.set_body(g, w.app(f, f->var()));
    w.set_body(f, w.app(g, f->var()));
    close(w, {g, f});
    w.externals.add(w.sym("g"), g);
    CHECK(messages(w).find("an external function has free variables") != std::string::npos);
    CHECK(GraphVerifier(w).run()[0].id == Diag::broken_graph);
}

TEST_CASE("verify: a binder that is not complete, and a placeholder") {
    World w;
    auto f = open_lam(w, w.pi(w.nat(), w.nat()), w.ff());
    w.externals.add(w.sym("f"), f);
    CHECK(messages(w).find("not complete") != std::string::npos);
}

TEST_CASE("verify: a redex that is left, and one that reduces to itself") {
    for (bool itself : {true, false}) {
        World w;
        auto f = open_lam(w, w.pi(w.nat(), w.nat()), w.ff());
        auto g = open_lam(w, w.pi(w.nat(), w.nat()), w.ff());
        w.set_body(f, itself ? w.app(f, f->var()) : f->var());
        w.set_body(g, w.app(f, g->var()));
        w.set_filter(f, w.tt()); // too late: the call is there already
        w.seal(f), w.seal(g);
        w.externals.add(w.sym("g"), g);
        auto text = messages(w);
        CHECK((text.find("a call is left whose filter is tt") != std::string::npos) == !itself);
    }
}
