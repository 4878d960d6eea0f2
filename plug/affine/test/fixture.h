// SPDX-License-Identifier: MIT
// A World with the axioms of %affine, and of %core the arithmetic that they are normalized to: without normalizers, so that what comes
// of a loop is compared by evaluating it.
#pragma once
#include "affine.h"
#include "core/annexes.h"
#include "unit/plugin_world.h"

namespace mim::plug::affine::test {

using unit::evaluate;

struct Affine : unit::PluginWorld {
    Affine();

    const Def* range(uint64_t start, uint64_t stop, uint64_t step) { return w.tuple({nat(start), nat(stop), nat(step)}); }
    const Def* add(const Def* a, const Def* b) { return w.call(core::nat::add, Defs{{w.tuple({a, b})}}); }
    const Def* mul(const Def* a, const Def* b) { return w.call(core::nat::mul, Defs{{w.tuple({a, b})}}); }
    /// Another accumulator for each order of the indices: 3·acc + i.
    const Def* mix(const Def* i, const Def* acc) { return add(mul(nat(3), acc), i); }

    using PluginWorld::add;
};

} // namespace mim::plug::affine::test
