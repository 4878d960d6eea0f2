// SPDX-License-Identifier: MIT
// See domtree.h.
#include "base/domtree.h"

#include <algorithm>
#include <utility>

namespace mim {

static constexpr uint32_t none = ~0u;

namespace {

/// Vertices are known by their place in a depth-first search; a forest of those that have been looked at grows from the last one down.
class Dominators {
public:
    using Edges = std::vector<std::vector<uint32_t>>;

    explicit Dominators(const Edges& preds)
        : preds_(preds)
        , place_(preds.size(), none) {
        search();
        ancestor_.assign(parent_.size(), none);
        for (uint32_t i = 0; i != parent_.size(); ++i) semi_.push_back(i), label_.push_back(i);
    }

    /// The immediate dominator of each vertex.
    std::vector<uint32_t> run() {
        auto n = uint32_t(parent_.size());
        std::vector<uint32_t> dom(n, 0), first(n, none), next(n, none); // lists of those with a semidominator
        for (auto i = n; --i != 0;) {
            for (auto p : preds_[vertex_[i]]) semi_[i] = std::min(semi_[i], semi_[eval(place_[p])]);
            next[i]         = first[semi_[i]];
            first[semi_[i]] = i;
            auto parent     = parent_[i];
            ancestor_[i]    = parent;
            for (auto w = std::exchange(first[parent], none); w != none; w = next[w]) {
                auto u = eval(w);
                dom[w] = semi_[u] < semi_[w] ? u : parent;
            }
        }
        std::vector<uint32_t> result(preds_.size(), 0);
        for (uint32_t i = 1; i < n; ++i) {
            if (dom[i] != semi_[i]) dom[i] = dom[dom[i]];
            result[vertex_[i]] = vertex_[dom[i]];
        }
        return result;
    }

private:
    void search() {
        Edges succs(preds_.size());
        for (uint32_t v = 0; v != preds_.size(); ++v)
            for (auto p : preds_[v]) succs[p].push_back(v);
        std::vector<std::pair<uint32_t, uint32_t>> stack{{0, 0}}; // and the place of the parent
        while (!stack.empty()) {
            auto [v, parent] = stack.back();
            stack.pop_back();
            if (place_[v] != none) continue;
            place_[v] = uint32_t(vertex_.size());
            vertex_.push_back(v);
            parent_.push_back(parent);
            for (auto s : succs[v]) stack.emplace_back(s, place_[v]);
        }
    }

    /// Of what is on the way from i up to the root of its tree, the root left out, the place with the least semidominator.
    uint32_t eval(uint32_t i) {
        if (ancestor_[i] == none) return i;
        path_.clear();
        for (auto u = i; ancestor_[ancestor_[u]] != none; u = ancestor_[u]) path_.push_back(u);
        for (; !path_.empty(); path_.pop_back()) {
            auto u = path_.back(), a = ancestor_[u];
            if (semi_[label_[a]] < semi_[label_[u]]) label_[u] = label_[a];
            ancestor_[u] = ancestor_[a];
        }
        return label_[i];
    }

    const Edges& preds_;
    std::vector<uint32_t> place_, vertex_, parent_; ///< of a vertex; the others of a place
    std::vector<uint32_t> semi_, label_, ancestor_, path_;
};

} // namespace

DomTree::DomTree(const std::vector<std::vector<uint32_t>>& preds)
    : idom_(preds.empty() ? std::vector<uint32_t>() : Dominators(preds).run())
    , depth_(preds.size(), 0)
    , children_(preds.size()) {
    if (preds.empty()) return;
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
