// SPDX-License-Identifier: MIT
// Private to src/ir: substitution of variables.
#pragma once
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
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
    /// The same for a function that `outer` would have to copy first.
    Subst(Subst& outer, const Lam* callee, Place call)
        : Subst(outer.world_, callee, call) {
        outer_ = &outer;
    }
    void map(const Def* from, const Def* to);
    const Def* rewrite(const Def*);
    /// With -g, after its body was rewritten: the names in this function, which has become part of the one that is being made.
    void keep_names(const Lam*);
    /// What a mutable becomes, complete or not; null if it was not met.
    const Def* copy_of(const Def* mut) const { return memo_.find(mut); }

    /// @name places of what becomes part of its caller, for Rewriter, which does the same
    ///@{
    /// A call that stands at this place; 0 if it is too deep to be told apart.
    static uint32_t inline_call(World&, const Lam* callee, Place call);
    /// Where in the caller what is at this place of the callee's text is.
    static Place inside(World&, Place, uint32_t call);
    /// Place and name of what became of `from` in there; it may be the same node.
    static void move(World&, const Def* from, const Def* to, uint32_t call);
    /// For an error while `def` is rewritten: its place, if nothing inside of it has one.
    static void blame(World& w, const Def* def, Error& e) {
        if (!e.rewritten && def->has(Def::Placed)) e.rewritten = w.notes.place(def).span;
    }
    /// World::beta of a call that stands there.
    static const Def* beta(World&, const Lam* callee, const Def* arg, Place call);
    /// The names in a function for one that is its copy, or that it became part of; `known` says what a value has become, or null, and
    /// `move` changes the rest.
    static void copy_locals(World&, const Lam* from, const Lam* to, const std::function<const Def*(const Def*)>& known,
                            const std::function<void(Local&)>& move);
    static const Lam*& building(World&);
    ///@}

private:
    bool needs(const Def*);
    const Def* incomplete(const Def*);
    const Def* rebuild(const Def*);
    const Def* rebuild_call(const Def*);
    const Def* rebuild_union(const Def*);
    const Def* reduce_local(const Def* call);
    const Def* copy(const Def*);
    const Def* expand(const Def*);
    const Def* known(const Def*);
    void follow(const Def* from, const Def* to);
    void copy_names(const Lam* from, const Lam* to);
    Place moved(Place);

    World& world_;
    DefMap memo_;
    DefMap referenced_; ///< mutables that something pointed to while they were copied: recursive ones
    std::vector<const Def*> vars_;
    uint64_t bloom_    = 0;
    const Lam* callee_ = nullptr; ///< null: variables are replaced where they are
    Place call_;
    uint32_t inlined_ = 0;       ///< the call, once something in it has a place
    Subst* outer_     = nullptr; ///< replaces what depends on none of vars_
    using Call        = std::pair<const Def*, const Def*>;
    std::unordered_map<Call, const Def*, WorldImpl::PairHash> calls_; ///< of functions inside, and their results; null: not yet
    std::unordered_set<const Def*> unions_;                           ///< whose members are being rewritten
};

/// Nothing of it is computed at run time.
bool is_constant(const Def*);

/// The node of def's kind (no binder, Lit, Inj, Axm) over new operands.
const Def* build(World&, const Def* def, Defs ops);

} // namespace mim
