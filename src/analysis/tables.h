// SPDX-License-Identifier: MIT
// Tables: tuples of constants, which may have thousands of elements. Choosing one is an operation like others, so an analysis that looks at
// all elements of other tuples, since functions may be among them, need not do that here.
#pragma once
#include <algorithm>
#include <unordered_map>

#include "ir/def.h"

namespace mim {

class Tables {
public:
    /// Whether def is one: a tuple in which no variables and no functions are. Linear in the tuple for the first time.
    bool contains(const Def* def) { return def->isa<Tuple>() && is_constant(def); }

private:
    bool is_constant(const Def* def) {
        if (def->is_mut()) return false;
        if (!def->has(Def::HasDep) || def->isa<Axm>()) return true;
        if (!def->isa<Tuple>() && !def->isa<App>()) return false;
        auto [i, fresh] = known_.try_emplace(def, false);
        auto& known     = i->second;
        if (fresh) known = std::ranges::all_of(def->ops(), [&](auto op) { return is_constant(op); });
        return known;
    }

    std::unordered_map<const Def*, bool> known_;
};

} // namespace mim
