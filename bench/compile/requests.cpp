// SPDX-License-Identifier: MIT
// What one node request costs: `requests KIND N` makes N requests of one kind. requests.py runs it under callgrind with two values of
// N and prints instructions per request.
#include <cstdio>
#include <cstdlib>
#include <string_view>

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
    auto n = strtoull(argv[2], nullptr, 10);
    World w;
    Axiom axiom;
    auto add  = declare_add(w, axiom);
    auto i32  = w.idx(1ull << 32);
    auto zero = w.lit_nat(0);
    auto fun  = w.mut_lam(w.pi(w.sigma({i32, i32, w.nat()}), i32));
    auto x = w.extract(fun->var(), 0), y = w.extract(fun->var(), 1);
    const Def* last = x;
    // the kind is found once: comparing names costs as much as a request
    auto repeat = [&](auto request) {
        for (uint64_t i = 0; i < n; ++i) last = request(i);
        return 0;
    };
    auto i32_size = w.lit_nat(1ull << 32);
    auto run      = [&](std::string_view kind) {
        if (kind == "hit") return repeat([&](auto) { return w.tuple({x, y}); });
        if (kind == "literal") return repeat([&](auto i) { return w.lit(i32, i); });
        if (kind == "pair") return repeat([&](auto i) { return w.tuple({w.lit(i32, i), y}); });
        if (kind == "extract") return repeat([&](auto i) { return w.extract(w.tuple({w.lit(i32, i), y, zero}), 1); });
        if (kind == "app-hit") return repeat([&](auto) { return w.app(w.app(w.app(add, i32_size), zero), {x, y}); });
        if (kind == "app") return repeat([&](auto) { return w.app(w.app(w.app(add, i32_size), zero), {last, y}); });
        if (kind == "call") return repeat([&](auto) { return w.call(add, {zero, w.tuple({last, y})}); });
        if (kind == "pi") return repeat([&](auto) { return dependent_pi(w); });
        return 2;
    };
    if (auto status = run(argv[1])) return status;
    std::printf("%u\n", last->id());
}
