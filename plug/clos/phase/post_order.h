// SPDX-License-Identifier: MIT
// A walk through functions without recursion: those that a function leads to come before it.
#pragma once
#include <vector>

#include "ir/world.h"

namespace mim::plug::clos {

/// Appends to `order` the functions that can be reached from `root`, in post-order. `enter (lam)`: false if it was
/// entered before; `inner (lam)`: the functions that it leads to, once it was entered, as a vector that stays where it
/// is.
template<class Enter, class Inner>
void add_in_post_order(const Lam* root, std::vector<const Lam*>& order, Enter enter, Inner inner) {
    struct Frame {
        const Lam* lam;
        size_t next;
    };
    std::vector<Frame> stack;
    if (enter(root)) stack.push_back({root, 0});
    while (!stack.empty()) {
        auto& top  = stack.back();
        auto& lams = inner(top.lam);
        if (top.next == lams.size()) {
            order.push_back(top.lam);
            stack.pop_back();
            continue;
        }
        auto lam = lams[top.next++];
        if (enter(lam)) stack.push_back({lam, 0});
    }
}

} // namespace mim::plug::clos
