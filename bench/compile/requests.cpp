// SPDX-License-Identifier: MIT
// What one node request costs: `requests KIND N` makes N requests of one kind. requests.py runs it under callgrind with two values of
// N and prints instructions per request.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ir/world.h"

using namespace mim;

namespace {
/// axm add: {s: Nat} [m: Nat] [a b: Idx s] → Idx s, without a normalizer: the cost of checking and hash-consing alone.
const Def* declare_add(World& w, Axiom& axiom) {
    axiom.name  = w.sym("%bench.add");
    axiom.curry = 3;
    auto pi     = w.mut_pi(w.nat(), true);
    auto idx    = w.idx(pi->var());
    return w.axm(&axiom, w.seal(pi, w.pi(w.nat(), w.pi(w.arr(2, idx), idx))));
}

/// [n: Nat] → [Idx n, Idx n+…] : a dependent Π that is new to the table n times and an old one after that.
const Def* dependent_pi(World& w) {
    auto pi = w.mut_pi(w.nat());
    return w.seal(pi, w.pi(w.idx(pi->var()), w.idx(pi->var())));
}
} // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    auto kind = argv[1];
    auto n    = strtoull(argv[2], nullptr, 10);
    World w;
    Axiom axiom;
    auto add  = declare_add(w, axiom);
    auto i32  = w.idx(1ull << 32);
    auto zero = w.lit_nat(0);
    auto fun  = w.mut_lam(w.pi(w.sigma({i32, i32, w.nat()}), i32));
    auto x = w.extract(fun->var(), 0), y = w.extract(fun->var(), 1);
    auto is         = [&](const char* s) { return !strcmp(kind, s); };
    const Def* last = x;
    for (uint64_t i = 0; i < n; ++i) {
        if (is("hit")) last = w.tuple({x, y});
        else if (is("literal")) last = w.lit(i32, i);
        else if (is("pair")) last = w.tuple({w.lit(i32, i), y});
        else if (is("extract")) last = w.extract(w.tuple({w.lit(i32, i), y, zero}), 1);
        else if (is("app-hit")) last = w.app(w.app(w.app(add, w.lit_nat(1ull << 32)), zero), {x, y});
        else if (is("app")) last = w.app(w.app(w.app(add, w.lit_nat(1ull << 32)), zero), {last, y});
        else if (is("call")) last = w.call(add, {zero, w.tuple({last, y})});
        else if (is("pi")) last = dependent_pi(w);
        else return 2;
    }
    std::printf("%u\n", last->id());
}
