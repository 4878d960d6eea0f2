// SPDX-License-Identifier: MIT
// Patterns of the graph as trees, and trees as patterns of the graph.
#pragma once
#include <unordered_map>

#include "ir/world.h"
#include "regex/host/tree.h"

namespace mim::plug::regex {

/// How to match it, as the pattern itself says.
struct Wish {
    int scheme = -1; ///< a subtag of %regex.by
};

class Patterns {
public:
    /// Where groups are not asked for, there are none.
    explicit Patterns(World& w, bool groups = false)
        : world_(w)
        , groups_(groups) {}
    /// Throws Error if something in it is not known, or it is nested too deeply.
    const Pattern& read(const Def*);
    /// See Trees::reversed.
    const Pattern& reversed(const Pattern& p) { return trees_.reversed(p); }
    Wish wish;

private:
    const Pattern* compute(const Def*);
    std::vector<const Pattern*> elems(const Def* app);

    World& world_;
    bool groups_;
    Trees trees_;
    std::unordered_map<const Def*, const Pattern*> memo_;
    unsigned depth_ = 0;
};

/// The pattern of the graph that a tree is.
const Def* write(World&, const Trees&, const Pattern&);

/// The characters of a pattern that matches one character, if it is known to be such a pattern.
bool chars_of(const Def*, Set&);

} // namespace mim::plug::regex
