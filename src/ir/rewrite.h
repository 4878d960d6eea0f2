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

    /// While it lives, what is rewritten is the text of a function that becomes part of its caller (doc/adr/0008-inlined-calls.md).
    /// Does nothing without -g, when nobody asks.
    class Inlining {
    public:
        Inlining(Rewriter&, const Lam* callee, Place call);
        ~Inlining() { rewriter_.inlining_ = around_; }
        bool is_shown() const { return call_ != 0; }
        Inlining(const Inlining&)            = delete;
        Inlining& operator=(const Inlining&) = delete;

    private:
        friend class Rewriter;
        Rewriter& rewriter_;
        const Lam* callee_;
        Inlining* around_;
        uint32_t call_ = 0;
    };
    /// While it lives, what is rewritten is in this binder: a function that does not depend on one that is being inlined is no part of
    /// its text.
    class Within {
    public:
        Within(Rewriter&, const Def* binder);
        ~Within() { rewriter_.inlining_ = around_; }
        Within(const Within&)            = delete;
        Within& operator=(const Within&) = delete;

    private:
        Rewriter& rewriter_;
        Inlining* around_;
    };
    /// Where in the new program what stands at this place is.
    Place moved(Place) const;
    /// Names in `from` for the function `to` of the new program, its copy.
    void copy_names(const Lam* from, const Lam* to);
    /// The same for a function that became part of the one that is being made; as what is in the text of a call, if it has one.
    void keep_names(const Lam* from, bool is_call);
    /// What a value that may not have been visited has become, for names; else null.
    virtual const Def* known_value(const Def* def) {
        auto result = known(def);
        return result || needs(def) ? result : def;
    }
    /// The body of `callee`, a function of the new program, for this argument, in the place of a call of the old one. Null as World::beta.
    const Def* inline_copy(const Lam* callee, const Def* arg, const App* call);

private:
    void follow(const Def* from, const Def* to);

    World& world_;
    IdTable<const Def*> memo_;
    Inlining* inlining_ = nullptr; ///< the innermost
};

} // namespace mim
