// SPDX-License-Identifier: MIT
// The library's traversal verb: a memoized rewrite. Closed subgraphs that contain nothing to rewrite come back by pointer; a
// mutable is copied only when something in it changes. Phases derive from it and override what they are interested in.
#pragma once
#include <vector>

#include "ir/id_table.h"
#include "ir/world.h"

namespace mim {

class Rewriter {
public:
    explicit Rewriter(World& world)
        : world_(world) {}
    virtual ~Rewriter() = default;

    World& world() { return world_; }
    /// def with everything in it rewritten; memoized.
    const Def* rewrite(const Def* def);
    /// From now on `from` becomes `to`.
    void map(const Def* from, const Def* to) { memo_.put(from, to); }

protected:
    /// An immutable node: the default rewrites the operands and builds the node again.
    virtual const Def* rewrite_imm(const Def* def);
    /// A mutable node: the default copies it (with its info) if anything reachable changes, and keeps it otherwise.
    virtual const Def* rewrite_mut(const Def* def);
    /// A variable that nothing was mapped to: the default keeps it, since its binder is not copied.
    virtual const Def* rewrite_var(const Def* var) { return var; }
    /// Whether anything in def could change; the default says yes. Cheap answers of `false` save whole subgraphs.
    virtual bool needs(const Def*) { return true; }

    /// Builds the node of the same kind over new operands (same number; `type` for Lit, Inj, Axm, Hole).
    const Def* rebuild(const Def* def, const Def* new_type, Defs new_ops);
    /// The copy of a mutable; maps both it and its variable before its operands are rewritten.
    const Def* copy_mut(const Def* def);
    /// What became of a value, as far as it was visited; else null.
    const Def* known(const Def*);

private:
    World& world_;
    IdTable<const Def*> memo_;
};

} // namespace mim
