// SPDX-License-Identifier: MIT
// See components.h.
#include "analysis/components.h"

#include <algorithm>

namespace mim {

std::vector<uint32_t> components(size_t size, const std::function<const std::vector<uint32_t>&(uint32_t)>& succs) {
    struct Visit {
        uint32_t v;
        size_t next;
    };
    constexpr uint32_t none = ~0u;
    std::vector<uint32_t> component(size, none), number(size, none), low(size), open;
    std::vector<Visit> stack;
    uint32_t numbers = 0, count = 0;
    auto enter = [&](uint32_t v) {
        number[v] = low[v] = numbers++;
        open.push_back(v);
        stack.push_back({v, 0});
    };
    auto leave = [&](uint32_t v) {
        if (stack.size() > 1) low[stack[stack.size() - 2].v] = std::min(low[stack[stack.size() - 2].v], low[v]);
        stack.pop_back();
        if (low[v] != number[v]) return;
        for (bool is_last = false; !is_last; open.pop_back()) component[open.back()] = count, is_last = open.back() == v;
        ++count;
    };
    for (uint32_t root = 0; root != size; ++root) {
        if (number[root] != none) continue;
        enter(root);
        while (!stack.empty()) {
            auto v     = stack.back().v;
            auto& next = succs(v);
            if (stack.back().next == next.size()) {
                leave(v);
                continue;
            }
            auto s = next[stack.back().next++];
            if (number[s] == none) enter(s);
            else if (component[s] == none) low[v] = std::min(low[v], number[s]);
        }
    }
    return component;
}

} // namespace mim
