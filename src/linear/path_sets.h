// SPDX-License-Identifier: MIT
// Exact sets of the paths through one λ. A path is a choice of an arm at each condition of its branches, and a set is a decision
// diagram over the conditions, reduced and hash-consed: equal sets are the same number. A condition that is met later lies nearer to the
// root, so that the arms of a branch share what led there; a chain of n branches needs about n nodes. Private to the check in tokens.h.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/def.h"

namespace mim::linear {

/// Thrown when the sets of one λ get too large to go on.
struct TooManyPaths {};

class PathSets {
public:
    using Set                 = uint32_t;
    static constexpr Set None = 0, All = 1;

    PathSets();
    /// The paths that take this arm of the branches on `cond`.
    Set arm(const Def* cond, uint32_t arm, uint32_t num_arms);
    Set intersect(Set a, Set b) { return apply(And, a, b); }
    Set unite(Set a, Set b) { return apply(Or, a, b); }
    Set subtract(Set a, Set b) { return apply(Minus, a, b); }
    bool is_subset(Set a, Set b) { return subtract(a, b) == None; }

    /// Paths on which something happens at least once, and at least twice.
    struct Count {
        Set once = None, twice = None;
    };
    /// It happens on the paths of each of these, independently.
    Count sum(std::span<const Set>);
    Set unite_all(std::span<const Set> sets) { return sum(sets).once; }

private:
    enum Op : uint8_t { And, Or, Minus };
    using Arm  = std::pair<uint32_t, Set>;
    using Arms = std::vector<Arm>; ///< by arm
    struct Node {
        uint32_t var; ///< None and All: 0; the others are above their children
        uint32_t num_arms;
        Set rest;           ///< where the other arms lead: that to which most do, so that it is unique
        uint32_t begin = 0; ///< of those that lead elsewhere, in `arms_`, ordered
        uint32_t size  = 0;
    };
    /// Numbers by keys that are not 0, in open addressing.
    class Table {
    public:
        uint32_t* find(uint64_t key);
        void put(uint64_t key, uint32_t value);
        size_t size() const { return size_; }

    private:
        struct Slot {
            uint64_t key   = 0;
            uint32_t value = 0;
        };
        Slot& slot(uint64_t key);
        std::vector<Slot> slots_;
        size_t size_ = 0;
    };

    std::span<const Arm> arms(const Node& n) const { return {arms_.data() + n.begin, n.size}; }
    Set node(uint32_t var, uint32_t num_arms, Set rest, Arms arms);
    Set two_ways(uint32_t var, Set first, Set second);
    Set unique(uint32_t var, uint32_t num_arms, Set rest, std::span<const Arm> arms);
    Set apply(Op, Set a, Set b);
    Set apply_many(Op, Set a, Set b, uint32_t var, uint32_t num_arms);
    Set child(Set s, uint32_t var, uint32_t arm) const;

    std::vector<Node> nodes_;
    std::vector<Arm> arms_; ///< of all nodes
    std::vector<Set> next_; ///< by node: another one of the same hash, or None
    Table unique_;          ///< by hash
    Table memo_[3];         ///< by operation
    std::unordered_map<const Def*, uint32_t> vars_;
};

} // namespace mim::linear
