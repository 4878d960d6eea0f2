// SPDX-License-Identifier: MIT
// The annexes of a program: what plugins and the program itself define under a name like `%core.wrap.add`.
#pragma once
#include <unordered_map>

#include "base/symbol.h"
#include "ir/axiom.h"
#include "ir/def.h"

namespace mim {

/// An annex that stands for an application of an axiom: `let %p.a = app`, or `lam %p.a (x: T) = …x…` with its argument.
struct ShortForm {
    Symbol name;              ///< empty: there is none
    const Def* arg = nullptr; ///< null for a `let`
};

class AnnexIndex {
public:
    void define(AnnexId, Symbol name, const Def*);
    const Def* at(AnnexId) const;       ///< throws if no loaded plugin defines it
    const Def* find(Symbol name) const; ///< null if unknown
    /// The best one for this application of an axiom.
    ShortForm short_form(const Def* app) const;
    /// The shortest of the names that an axiom is declared with: of `%core.ncmp(xYGle = l)` it is `%core.ncmp.l`.
    Symbol shortest_name(const Axm*) const;
    /// Some annex is an axiom whose values are tokens.
    bool has_linear_types() const { return has_linear_types_; }
    /// Some annex is an axiom that calls a continuation, and hands its result on as a value.
    bool has_calls_of_continuations() const { return has_calls_of_continuations_; }

private:
    ShortForm short_form_of_axiom(const Def* axiom) const;

    struct Hash {
        size_t operator()(const AnnexId&) const;
    };
    std::unordered_map<AnnexId, const Def*, Hash> annexes_;
    std::unordered_map<Symbol, const Def*> names_;
    bool has_linear_types_           = false;
    bool has_calls_of_continuations_ = false;
};

} // namespace mim
