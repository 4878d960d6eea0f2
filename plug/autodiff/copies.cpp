// SPDX-License-Identifier: MIT
#include "copies.h"

#include "autodiff/diagnostics.h"
#include "calls.h"
#include "ir/questions.h"

namespace mim::plug::autodiff {

const Def* Copier::copy(const Def* root) {
    auto around = std::exchange(root_, root);
    auto result = rewrite(root);
    root_       = around;
    return result;
}

const Def* Copier::rewrite_imm(const Def* def) {
    auto result = copied_.of(def) ? nullptr : computed_(def);
    return result ? result : Rewriter::rewrite_imm(def);
}

/// Its variable stands for one thing in the copy, and for another around it if the function calls itself from there.
const Def* Copier::rewrite_mut(const Def* def) {
    auto var = def->var();
    if (var && is_free_in(world(), var, root_))
        fail(world(), diag::not_covered(def, "an operation in it takes a function that calls it again"), def);
    if (var) copied_.add(var);
    return Rewriter::rewrite_mut(def);
}

/// Copies the inside of a function that was copied before anew, since it belongs to another function now.
const Def* Copies::of(const Def* root) {
    bool is_first = copiers_.empty() || copiers_.back()->is_inside(root);
    if (is_first) copiers_.push_back(std::make_unique<Copier>(world_, dependence_, computed_));
    return copiers_.back()->copy(root);
}

} // namespace mim::plug::autodiff
