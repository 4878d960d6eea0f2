// SPDX-License-Identifier: MIT
// Dominators of a directed graph with the root 0 (Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph"). Shared by
// the blocks of a function, by the call graph of contification, and by graphs of uses, in which what many need may be used at any depth:
// so each edge costs a logarithm at most.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mim {

class DomTree {
public:
    /// preds[v]: predecessors of v. All vertices are reachable from 0, and numbered in a reverse post-order.
    explicit DomTree(const std::vector<std::vector<uint32_t>>& preds);

    uint32_t idom(uint32_t v) const { return idom_[v]; } ///< of the root: itself
    uint32_t depth(uint32_t v) const { return depth_[v]; }
    uint32_t lca(uint32_t a, uint32_t b) const;
    bool dominates(uint32_t a, uint32_t b) const { return pre_[a] <= pre_[b] && post_[b] <= post_[a]; }
    const std::vector<uint32_t>& children(uint32_t v) const { return children_[v]; }
    size_t size() const { return idom_.size(); }

private:
    void number();

    std::vector<uint32_t> idom_, depth_, pre_, post_;
    std::vector<std::vector<uint32_t>> children_;
};

} // namespace mim
