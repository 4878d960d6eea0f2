// SPDX-License-Identifier: MIT
// A deterministic automaton, made while it runs, that says which of many patterns have matched. A transition that ends
// matches has a list of the patterns that they are of.
#pragma once
#include <string_view>
#include <vector>

#include "regex/runtime/lazy.h"

namespace mim::plug::regex {

/// The patterns that have matched.
class Hits {
public:
    explicit Hits(size_t patterns)
        : has_(patterns) {}

    void add(uint32_t pattern) {
        if (has_[pattern]) return;
        has_[pattern] = true;
        ++count_;
    }
    bool is_full() const { return count_ == has_.size(); }
    bool is_empty() const { return count_ == 0; }
    std::vector<size_t> numbers() const;

private:
    std::vector<bool> has_;
    size_t count_ = 0;
};

class LazySet : public Lazy {
public:
    /// Of an automaton that searches, whose matches have the numbers of patterns. It must live as long.
    explicit LazySet(const Graph& graph, const LazyLimits& limits = {})
        : Lazy(graph, limits) {}

    /// Adds the patterns that match somewhere in the subject. `is_enough`: the first one.
    void search(Subject, Hits&, bool is_enough);

private:
    uint32_t class_at(Subject, size_t pos) const;
    size_t skip_plain(Subject, size_t pos, uint32_t& row) const;
    uint32_t add_transition(uint32_t row, uint32_t cls, Hits&);
    bool step(uint32_t cls, Hits&);
    void note(size_t cell);
    void add_list(uint32_t list, Hits&);
    void forget();

    List<uint32_t> lists_of_;   ///< by cell of the rows: where its list begins; 0: it has none
    List<uint32_t> lists_;      ///< of each the round in which it was added, its size, and its patterns
    uint32_t round_        = 0; ///< of searches
    size_t cleared_before_ = 0;
};

} // namespace mim::plug::regex
