// SPDX-License-Identifier: MIT
// The construction of subsets, a step at a time: all of an automaton is made of it (dfa.cpp), or what a subject asks
// for (lazy.cpp). A state is what may be read next, before it is known what comes: nodes of the nondeterministic
// automaton in the order of preference, and what is before the position if an assertion asks for that. Those of an
// enclosed language have no order; its `Close` stands behind them.
#pragma once
#include <optional>
#include <set>
#include <span>

#include "regex/host/automaton.h"

namespace mim::plug::regex {

class Subsets {
public:
    using Key = Ids; ///< what is before, and the nodes: without nodes, the state is dead

    /// The automaton must live as long.
    explicit Subsets(const Nfa&);

    uint32_t classes = 1; ///< of symbols that no set tells apart
    std::array<uint16_t, 257> class_of{};

    /// The states in which a match may begin, by the text before, in the order of Before; `again`: those in which the
    /// empty text is no match.
    Key start(unsigned before, bool again) const;
    static bool is_dead(std::span<const uint32_t> key) { return key.size() == 1; }

    /// The state that a symbol of a class leads to, and whether there is a match before it.
    bool step(std::span<const uint32_t> from, uint32_t cls, Key& to);
    /// The same for each class in turn: `add(match, to)`.
    template<class F>
    void each(std::span<const uint32_t> from, F add) {
        bool match = looks_ ? false : close(from, symbols_[0]);
        if (!looks_) sort_by_class();
        for (uint32_t cls = 0; cls != classes; ++cls) {
            if (looks_) match = step(from, cls, key_);
            else put(by_class_[cls], cls, key_);
            add(match, key_);
        }
    }
    size_t work = 0; ///< the steps that were taken, about

private:
    static constexpr uint32_t not_empty = Anywhere + 1; ///< beside what is before: no match ends here

    void find_classes();
    bool close(std::span<const uint32_t> key, size_t symbol);
    void follow(uint32_t node, uint64_t loops);
    bool visit(uint32_t node, uint64_t loops);
    void sort_by_class();
    void put(const Ids& followers, uint32_t cls, Key& to);
    const Ids& classes_of(uint32_t set);
    void go(uint32_t to, uint64_t loops) { todo_.push_back({to, loops}); }

    const Nfa& nfa_;
    bool looks_ = false, looks_back_ = false;
    std::vector<size_t> symbols_;                ///< one of each class
    std::vector<bool> is_enclosed_;              ///< by node; empty if none is
    std::vector<std::optional<Ids>> classes_of_; ///< by set, if it was asked for
    Ids followers_;
    std::vector<Ids> by_class_; ///< followers
    Key key_;

    // of what is closed now
    uint32_t before_ = 0;
    bool leaves_     = false;                         ///< an enclosed language has a match here
    size_t enclosed_ = 0;                             ///< how many of its nodes read
    Ids seen_, reads_;                                ///< nodes that read, and those that close languages
    std::vector<std::pair<uint32_t, uint64_t>> todo_; ///< nodes, in rounds of these loops that have read nothing
    std::set<std::pair<uint32_t, uint64_t>> in_round_;
    uint32_t round_ = 0;
};

} // namespace mim::plug::regex
