// SPDX-License-Identifier: MIT
// Axioms that miss groups and are used as values, as functions: a rewrite that says which ones derives from AxiomExpander.
#pragma once
#include "kit/selective.h"

namespace mim::opt {

class AxiomExpander : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    /// Whether this axiom, maybe with some of its groups, becomes a function where it is a value.
    virtual bool expands(const Def*) = 0;
    /// The rewritten argument of an operation.
    virtual const Def* argument(const App* app) { return rewrite(app->arg()); }
    /// An axiom, or its application, that stays one.
    const Def* operation(const Def*);

    bool wants(const Def*) override;
    const Def* rewrite_imm(const Def*) override;
};

/// Axioms that take types, which monomorphization copies then as other functions.
void expand_polymorphic(PhaseContext&);

} // namespace mim::opt
