// SPDX-License-Identifier: MIT
// Where functions in direct style may leave. Such a function comes back to who calls it, unless it calls one that leaves, as in
//
//     λ (x: Nat): Nat = %direct.cps2ds stop x
//
// What it calls occurs in it. The judgement, for a function f in direct style:
//
//     a λ that occurs in f leaves through x        ⟹  f may leave through x
//     f refers to a function that nobody knows     ⟹  f may leave somewhere that nobody knows
//
// What is closed comes back to who calls it. Where the λs leave is a least fixed point: see leaving.cpp.
#include "linear/check.h"

namespace mim::linear {

void Check::find_mentioned(Fn& f) {
    if (is_never(f.lam->body()) || world.is_closed(f.lam)) return;
    std::vector<const Def*> todo{f.lam->body()};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || world.is_closed(d) || !seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) {
            f.mentioned.push_back(lam);
        } else if (binder_of(d)) {
            f.mentions_unknown |= holds_function(d->type());
        } else {
            for (auto op : value_ops(d)) todo.push_back(op);
        }
    }
}

} // namespace mim::linear
