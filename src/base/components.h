// SPDX-License-Identifier: MIT
// Strongly connected components of a directed graph (Tarjan, "Depth-First Search and Linear Graph Algorithms"), without
// recursion.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace mim {

/// Succs: vertex → where its edges lead to, a range with `size()` and `[]` that lives as long as the search.
template<class Succs>
class ComponentSearch {
public:
    static constexpr uint32_t none = ~0u;

    ComponentSearch(size_t size, Succs succs)
        : succs_(std::move(succs))
        , component_(size, none)
        , number_(size, none)
        , low_(size) {}

    std::vector<uint32_t> run() {
        for (uint32_t root = 0; root != component_.size(); ++root)
            if (number_[root] == none) visit(root);
        return std::move(component_);
    }

private:
    struct Visit {
        uint32_t vertex;
        uint32_t next; ///< edge to follow
    };

    void visit(uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            auto& [v, next]   = path_.back();
            const auto& succs = succs_(v);
            if (next == succs.size()) leave();
            else follow(v, succs[next++]);
        }
    }

    void enter(uint32_t v) {
        number_[v] = low_[v] = count_++;
        open_.push_back(v);
        path_.push_back({v, 0});
    }

    void follow(uint32_t from, uint32_t to) {
        if (number_[to] == none) enter(to);
        else if (component_[to] == none) low_[from] = std::min(low_[from], number_[to]);
    }

    void leave() {
        auto v = path_.back().vertex;
        path_.pop_back();
        if (!path_.empty()) {
            auto& low = low_[path_.back().vertex];
            low       = std::min(low, low_[v]);
        }
        if (low_[v] == number_[v]) close(v);
    }

    /// All that is open from v on is one component.
    void close(uint32_t v) {
        for (bool is_last = false; !is_last; open_.pop_back()) {
            component_[open_.back()] = num_components_;
            is_last                  = open_.back() == v;
        }
        ++num_components_;
    }

    Succs succs_;
    std::vector<uint32_t> component_, number_, low_;
    std::vector<uint32_t> open_; ///< entered, and of no component yet
    std::vector<Visit> path_;    ///< from the root to where the search is
    uint32_t count_ = 0, num_components_ = 0;
};

/// The component of each of `size` vertices, where what an edge leads to has the same or a smaller one: operands come
/// first.
template<class Succs>
std::vector<uint32_t> components(size_t size, Succs succs) {
    if (size < 2) return std::vector<uint32_t>(size, 0); // most blocks have one function
    return ComponentSearch<Succs>(size, std::move(succs)).run();
}

/// The vertices of each component, in ascending order.
inline std::vector<std::vector<uint32_t>> members(const std::vector<uint32_t>& components) {
    std::vector<std::vector<uint32_t>> result;
    for (uint32_t v = 0; v != components.size(); ++v) {
        auto component = components[v];
        if (component >= result.size()) result.resize(component + 1);
        result[component].push_back(v);
    }
    return result;
}

} // namespace mim
