// SPDX-License-Identifier: MIT
// A rewrite that first finds out what will change, and then touches only that and what (transitively) mentions it: everything
// else comes back by pointer, with its memos and free variables. The search is linear in the graph and makes no nodes.
#pragma once
#include <vector>

#include "ir/rewrite.h"

namespace mim::opt {

class SelectiveRewriter : public Rewriter {
public:
    using Rewriter::Rewriter;
    /// Rewrites what is reachable from the functions visible outside. False if there was nothing to do.
    bool run();

protected:
    /// Whether this node itself will change, whatever happens to its operands.
    virtual bool wants(const Def*) = 0;
    /// What is not known from the search was made by the rewrite, and may have to be rewritten in turn.
    bool needs(const Def* def) override { return mark(def) != Clean; }
    const Def* rewrite_mut(const Def* def) override;

private:
    enum Mark : uint8_t { Unknown, Clean, Dirty };
    Mark mark(const Def* def) const { return def->id() < marks_.size() ? marks_[def->id()] : Unknown; }
    void set_mark(const Def* def, Mark);
    void search();
    void spread();

    std::vector<const Def*> reached_, wanted_;
    std::vector<Mark> marks_; ///< by id
};

} // namespace mim::opt
