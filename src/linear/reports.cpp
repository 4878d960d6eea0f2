// SPDX-License-Identifier: MIT
#include "linear/reports.h"

#include <algorithm>
#include <unordered_map>

#include "linear/nodes.h"

namespace mim::linear {

bool Reports::is_first(const Lam* lam, const Def* token) { return reported_.emplace(outermost(world_, lam), token).second; }

/// In one function, what is wrong once shows in several places: a token that goes around a loop is also used twice by
/// who enters the loop, and one that is used twice has often replaced another one, which is dropped. Keeps the kind
/// that says most.
void Reports::drop_consequences() {
    auto rank = [](Diag id) {
        return id == Diag::token_escapes ? 3 : id == Diag::token_in_loop ? 2 : id == Diag::token_used_twice ? 1 : 0;
    };
    std::unordered_map<const Lam*, int> best;
    for (auto& v : violations_) {
        auto& b = best[outermost(world_, v.lam)];
        b       = std::max(b, rank(v.id));
    }
    std::erase_if(violations_, [&](auto& v) { return rank(v.id) < best[outermost(world_, v.lam)]; });
}

} // namespace mim::linear
