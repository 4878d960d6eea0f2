// SPDX-License-Identifier: MIT
// See domtree.h.
#include "analysis/domtree.h"

namespace mim {

static constexpr uint32_t none = ~0u;

DomTree::DomTree(const std::vector<std::vector<uint32_t>>& preds)
    : idom_(preds.size(), none)
    , depth_(preds.size(), 0)
    , children_(preds.size()) {
    if (preds.empty()) return;
    idom_[0]       = 0;
    auto intersect = [&](uint32_t a, uint32_t b) {
        while (a != b) {
            while (a > b) a = idom_[a];
            while (b > a) b = idom_[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 1; v < preds.size(); ++v) {
            uint32_t dom = none;
            for (auto p : preds[v])
                if (idom_[p] != none) dom = dom == none ? p : intersect(p, dom);
            if (dom != idom_[v]) idom_[v] = dom, changed = true;
        }
    }
    for (uint32_t v = 1; v < preds.size(); ++v) {
        depth_[v] = depth_[idom_[v]] + 1;
        children_[idom_[v]].push_back(v);
    }
    number();
}

void DomTree::number() {
    pre_.assign(idom_.size(), 0);
    post_.assign(idom_.size(), 0);
    uint32_t counter = 0;
    std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
    pre_[0] = counter++;
    while (!stack.empty()) {
        auto [v, next] = stack.back();
        if (next == children_[v].size()) {
            post_[v] = counter++;
            stack.pop_back();
            continue;
        }
        ++stack.back().second;
        auto child  = children_[v][next];
        pre_[child] = counter++;
        stack.emplace_back(child, 0);
    }
}

uint32_t DomTree::lca(uint32_t a, uint32_t b) const {
    while (a != b) {
        if (depth_[a] < depth_[b]) std::swap(a, b);
        a = idom_[a];
    }
    return a;
}

} // namespace mim
