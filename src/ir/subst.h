// SPDX-License-Identifier: MIT
// Private to src/ir: substitution of variables.
#pragma once
#include <vector>

#include "ir/impl.h"

namespace mim {

class Subst {
public:
    explicit Subst(World& world)
        : world_(world) {}
    void map(const Def* from, const Def* to);
    const Def* rewrite(const Def*);
    /// What a mutable becomes, complete or not; null if it was not met.
    const Def* copy_of(const Def* mut) const { return memo_.find(mut); }

private:
    bool needs(const Def*);
    const Def* rebuild(const Def*);
    const Def* rebuild_call(const Def*);
    const Def* copy(const Def*);

    World& world_;
    DefMap memo_;
    DefMap referenced_; ///< mutables that something pointed to while they were copied: recursive ones
    std::vector<const Def*> vars_;
    uint64_t bloom_ = 0;
};

/// The node of def's kind (no binder, Lit, Inj, Axm) over new operands.
const Def* build(World&, const Def* def, Defs ops);

} // namespace mim
