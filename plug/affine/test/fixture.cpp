// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include "eval/machine.h"

namespace mim::plug::affine::test {

namespace {

eval::Value mean_nat(eval::Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    switch (core::nat(m.sub())) {
        case core::nat::add: return eval::Value::num(a + b);
        case core::nat::sub: return eval::Value::num(a < b ? 0 : a - b);
        default: return eval::Value::num(a * b);
    }
}

} // namespace

Affine::Affine() {
    auto two = w.sigma({w.nat(), w.nat()}), three = w.sigma({w.nat(), w.nat(), w.nat()});
    add(core::nat(0), "%core.nat", {0, 3}, w.pi(two, w.nat()), 1, nullptr, mean_nat);
    add(trips(0), "%affine.trips", {0, 1}, w.pi(three, w.nat()), 1, normalize_trips, mean_trips);
    auto loop = w.mut_pi(w.star(), true);
    auto acc  = loop->var();
    auto turn = w.fn(w.sigma({w.nat(), acc}), acc);
    add(For(0), "%affine.For", {0, 1}, w.seal(loop, w.pi(three, w.pi(turn, w.fn(acc, acc)))), 4, normalize_For, mean_For);
    auto pure = w.mut_pi(w.star(), true);
    acc       = pure->var();
    turn      = w.pi(w.sigma({w.nat(), acc}), acc);
    add(fold(0), "%affine.fold", {0, 1}, w.seal(pure, w.pi(three, w.pi(turn, w.pi(acc, acc)))), 4, normalize_fold, mean_fold);
}

} // namespace mim::plug::affine::test
