// SPDX-License-Identifier: MIT
// Sets of paths through one λ, as the arms that they take: where a token is consumed and where other results of its effect are
// used. Small and exact up to a bound; beyond it a set says that it is too large. Private to the check in tokens.h.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/def.h"

namespace mim::tokens {

/// All paths that take certain arms; 0 is all paths. Two branches on one condition take the same arm.
using Region = uint32_t;

struct Regions {
    std::vector<Region> list;
    bool too_large = false;
    bool twice     = false; ///< some path is in two of the regions that add_once got
};

class Paths {
public:
    Paths() { nodes_.push_back({0, nullptr, 0, 1, 0}); }

    enum class Relation : uint8_t { Disjoint, Covers, CoveredBy, Overlap };
    static constexpr Region Impossible = ~Region(0);

    /// The part of r that takes this arm at branches on cond; sets `too_deep` if that is not told apart from r.
    Region arm(Region r, const Def* cond, uint32_t arm, uint32_t num_arms, bool& too_deep);
    /// Covers: all paths of b are in a.
    Relation relate(Region a, Region b) const;
    /// Set union.
    void add(Regions&, Region) const;
    /// The same, but notes if some path was there already.
    void add_once(Regions&, Region) const;

    struct Choice {
        const Def* cond;
        uint32_t arm, num_arms;
        bool operator==(const Choice& o) const { return cond == o.cond && arm == o.arm; }
    };
    /// The choices of `of` that are not made in `given`; false if some contradict.
    bool further(Region of, Region given, std::vector<Choice>& out) const;

private:
    struct Node {
        Region parent;
        const Def* cond;
        uint32_t arm, num_arms, depth;
    };
    void push(Regions&, Region) const;
    void split(Region a, Region b, std::vector<Choice>& only_a, std::vector<Choice>& only_b) const;

    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, std::vector<Region>> children_; ///< by parent and condition
};

} // namespace mim::tokens
