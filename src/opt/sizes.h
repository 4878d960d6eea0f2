// SPDX-License-Identifier: MIT
// Which numbers among the parameters of functions decide over the layout of a value: the length of an array that is passed or computed
// as a value, numbers that axioms make types of, sizes of indices (an `Idx 200` takes
// 8 bits where an `Idx n` takes 64), and numbers that choose a type, as in `(I32, Nat)#b`. Those that are passed on
// to such a parameter count as well. Linear in the program.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/snapshot.h"

namespace mim::opt {

class Sizes {
public:
    Sizes(World&, const Snapshot&);
    /// Whether the part of a function's variable decides.
    bool contains(const Def* part) const { return parts_.contains(part); }
    /// Whether some part of the function's variable decides.
    bool decide_in(const Lam* lam) const { return functions_.contains(lam); }

private:
    void parameters(const Def* param);
    void layout_of(const Def* type);
    void made_of(const Def* arg, bool behind_pointer);
    void chosen_by(const Def* arg);
    void sizes_in(const Def* type);
    void mentioned_in(const Def* size);
    void spread();

    World& world_;
    const Snapshot& program_;
    std::unordered_set<const Def*> types_, sizes_, in_unions_; ///< those that were looked at
    std::unordered_set<const Def*> parts_;
    std::unordered_set<const Def*> functions_; ///< whose variables they are of
    std::vector<const Def*> todo_;
};

} // namespace mim::opt
