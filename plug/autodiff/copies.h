// SPDX-License-Identifier: MIT
// Functions and arrays that a derivative has as they are, since an operation takes them: they are not differentiated
// there. A call in one stays a call, of a copy. So a function may be both: differentiated where it is called, and
// copied.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "dependence.h"
#include "ir/rewrite.h"

namespace mim::plug::autodiff {

/// A value of the program as the derivative computes it; null: it is copied like all others.
using Computed = std::function<const Def*(const Def*)>;

class Copier : public Rewriter {
public:
    Copier(World& world, Dependence& dependence, const Computed& computed)
        : Rewriter(world)
        , dependence_(dependence)
        , copied_(world)
        , computed_(computed) {}

    const Def* copy(const Def* root);
    /// Whether the expression refers to an argument of a function of which there is a copy already.
    bool is_inside(const Def* root) { return copied_.of(root); }

private:
    bool needs(const Def* def) override { return dependence_.of(def) || copied_.of(def); }
    const Def* rewrite_imm(const Def*) override;
    const Def* rewrite_mut(const Def*) override;
    const Def* rewrite_var(const Def* var) override { return computed_(var); }

    Dependence& dependence_; ///< on arguments of what is differentiated
    Dependence copied_;      ///< on variables of copies
    const Computed& computed_;
    const Def* root_ = nullptr;
};

class Copies {
public:
    Copies(World& world, Dependence& dependence, Computed computed)
        : world_(world)
        , dependence_(dependence)
        , computed_(std::move(computed)) {}

    const Def* of(const Def* root);

private:
    World& world_;
    Dependence& dependence_;
    Computed computed_;
    std::vector<std::unique_ptr<Copier>> copiers_;
};

} // namespace mim::plug::autodiff
