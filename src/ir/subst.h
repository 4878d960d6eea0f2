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
    /// Puts arguments into the body of `callee`, which is called at `call`: the copy lies there.
    Subst(World& world, const Lam* callee, Place call)
        : world_(world)
        , callee_(call ? callee : nullptr)
        , call_(call) {}
    void map(const Def* from, const Def* to);
    const Def* rewrite(const Def*);
    /// What a mutable becomes, complete or not; null if it was not met.
    const Def* copy_of(const Def* mut) const { return memo_.find(mut); }

private:
    bool needs(const Def*);
    const Def* rebuild(const Def*);
    const Def* rebuild_call(const Def*);
    const Def* copy(const Def*);
    const Def* known(const Def*);
    void follow(const Def* from, const Def* to);
    Place moved(Place);

    World& world_;
    DefMap memo_;
    DefMap referenced_; ///< mutables that something pointed to while they were copied: recursive ones
    std::vector<const Def*> vars_;
    uint64_t bloom_    = 0;
    const Lam* callee_ = nullptr; ///< null: variables are replaced where they are
    Place call_;
    uint32_t inlined_ = 0; ///< the call, once something in it has a place
};

/// The node of def's kind (no binder, Lit, Inj, Axm) over new operands.
const Def* build(World&, const Def* def, Defs ops);

} // namespace mim
