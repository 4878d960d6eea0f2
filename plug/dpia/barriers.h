// SPDX-License-Identifier: MIT
// Barriers of a work group. A conflict is two accesses to one storage, at least one a write, that are not known to be of one
// work item. A barrier must stand between them, at a point that all items reach together. As few are placed as possible,
// the innermost loops first.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/polynomial.h"

namespace mim::plug::dpia {

/// The indices of a cell, and for each dimension that has work items the variable that says which item.
struct Access {
    std::string storage;
    bool is_global, is_write;
    std::vector<Polynomial> indices;
    std::map<unsigned, Polynomial::Var> items;  ///< of the group
    std::map<unsigned, Polynomial::Var> groups; ///< outside of which the storage was made
    std::vector<Polynomial::Var> loops;         ///< around it, from the outside
    std::string family        = {};             ///< storages that change places between turns of `swap_loop`
    Polynomial::Var swap_loop = ~Polynomial::Var(0);
};

/// Commands of a work group: those that all items reach together have a gap in front of each.
struct Phase {
    enum Kind : uint8_t { Sequence, Loop, Branch, Leaf } kind = Leaf; ///< a branch has two sequences
    std::vector<std::unique_ptr<Phase>> parts                 = {};
    std::vector<Access> accesses                              = {}; ///< of a leaf
    bool may_repeat = false, is_run = true;                         ///< a loop: more than one turn; at least one
    Polynomial::Var turn = ~Polynomial::Var(0);
    size_t gap           = ~size_t(0); ///< in front of it
};

struct Barriers {
    /// For gaps that have one: the fences, local and global.
    std::map<size_t, std::pair<bool, bool>> fences = {};
    const char* refused                            = nullptr;
    std::string storage                            = {}; ///< that two accesses meet in
};

/// `uniform` are variables that are the same for all items.
Barriers place_barriers(const Phase& program, const std::set<Polynomial::Var>& uniform);

} // namespace mim::plug::dpia
