// SPDX-License-Identifier: MIT
// The state that all files of one World share in elaboration. Private to src/sema.
#pragma once
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sema/annexes.h"
#include "sema/elaborate.h"
#include "sema/labels.h"
#include "sema/tokens.h"

namespace mim {

struct Elaborator::Shared {
    Shared(World& w, Diagnostics& d, SemaHost& h)
        : world(w)
        , diags(d)
        , host(h) {}

    World& world;
    Diagnostics& diags;
    SemaHost& host;
    Views views;
    Annexes annexes;
    /// An operator that a plugin declares; null: it had an error.
    struct Operator {
        const Def* fun;
        const View* view;
        Span span;
    };
    std::unordered_map<Symbol, std::vector<Operator>> operators; ///< in the order of their declaration
    std::unordered_set<const Def*> by_literal;                   ///< those whose right operand is written as a literal
    bool keeps_operator_calls = false;
    std::vector<OperatorCall> operator_calls; ///< if they are kept
    Tokens tokens{world, annexes};
    std::unordered_map<Symbol, Span> externs;
    std::deque<Scope> scopes;          ///< of the files that are elaborated
    std::vector<const Lam*> functions; ///< that the program itself declares, also those whose calls are all evaluated
    std::vector<const Lam*> as_read;   ///< functions in whose blocks slots are written
    std::deque<LabelledType> labelled; ///< all unions that are declared with labels
    Axiom written_slot;                ///< see activation.cpp
    /// An annex, or a rule with its variables, that is declared inside of a function.
    struct InnerAnnex {
        Symbol name;
        Span place;
        const Def* def;
        const Lam* binder;
    };
    std::vector<InnerAnnex> inner_annexes;
    size_t depth = 0; ///< files under elaboration, each imported by the one before
};

} // namespace mim
