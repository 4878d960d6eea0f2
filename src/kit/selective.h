// SPDX-License-Identifier: MIT
// A rewrite that first finds out what will change, and then touches only that and what (transitively) mentions it: everything
// else comes back by pointer, with its memos and free variables. The search is linear in the graph and makes no nodes.
#pragma once
#include <vector>

#include "analysis/snapshot.h"
#include "ir/rewrite.h"
#include "phase/phase.h"

namespace mim {

/// An axiom that misses groups as a function that takes them (filter tt): what a phase has to do is left to do in its body, at the
/// application of the axiom to all its groups.
const Def* eta_expand(World&, const Def* partial);

class SelectiveRewriter : public Rewriter {
public:
    explicit SelectiveRewriter(PhaseContext& c)
        : Rewriter(c.world)
        , program_(c.program()) {}
    /// Rewrites what is reachable from the functions visible outside. False if there was nothing to do. An error leaves in `World::here`
    /// the definition that it is about.
    bool run();
    /// What the rewrite started from.
    const Snapshot& program() const { return program_; }

protected:
    /// Whether this node itself will change, whatever happens to its operands.
    virtual bool wants(const Def*) = 0;
    /// What is not known from the search was made by the rewrite, and may have to be rewritten in turn.
    bool needs(const Def* def) override { return !program_.contains(def) || is_dirty(def); }
    const Def* rewrite_mut(const Def* def) override;

private:
    bool is_dirty(const Def* def) const { return def->id() < dirty_.size() && dirty_[def->id()]; }
    void spread(std::vector<const Def*> wanted);
    void rewrite_all();
    Span place();

    const Snapshot& program_;
    std::vector<bool> dirty_;           ///< by id
    std::vector<const Def*> rewriting_; ///< functions and other binders, each inside of the one before
};

} // namespace mim
