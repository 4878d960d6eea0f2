// SPDX-License-Identifier: MIT
// The base of the classes that elaborate one kind of text each: the state that all of them need, and short names for
// reporting errors.
#pragma once
#include "sema/effects.h"
#include "sema/enclosing.h"
#include "sema/errors.h"
#include "sema/holes.h"
#include "sema/result.h"
#include "sema/shared.h"

namespace mim {

/// The session, and the state of elaboration within a file.
struct Context {
    Elaborator::Shared& shared;
    Names& names;
    Errors& errors;
    Enclosing& enclosing;
    Holes& holes;
    Effects& effects;
};

/// An expression that is written here has this value, which may be null. Equal expressions are one node, which comes
/// from where it was written first.
inline void set_place(World& world, const Def* def, Span span) {
    if (def && !def->has(Def::Placed) && Notes::has_place(def)) world.notes.set_span(def, span);
}

class SemaBase {
protected:
    explicit SemaBase(const Context& context)
        : context_(context)
        , shared_(context.shared)
        , world_(context.shared.world)
        , views_(context.shared.views)
        , names_(context.names)
        , errors_(context.errors)
        , enclosing_(context.enclosing)
        , holes_(context.holes)
        , effects_(context.effects)
        , tokens_(context.shared.tokens) {}

    Diagnostic& error(Diag id, Span span, DiagArgs args = {}) { return errors_.error(id, span, std::move(args)); }
    Diagnostic& report(const Error& e, Span span) { return errors_.report(e, span); }
    template<class F>
    const Def* at(Span span, F build) {
        return errors_.at(span, build);
    }
    std::string show(const Def* def) { return errors_.show(def); }
    std::string show(const Def* def, const ast::Expr* place) { return errors_.show(def, place); }
    /// Whether all of a value's type is known, without what may still be inferred.
    bool has_known_type(const Def* value) { return !world_.refresh(value->type())->has(Def::HasHole); }
    std::string source_text(Span span) const { return errors_.source_text(span); }

    const Context& context_;
    Elaborator::Shared& shared_;
    World& world_;
    Views& views_;
    Names& names_;
    Errors& errors_;
    Enclosing& enclosing_;
    Holes& holes_;
    Effects& effects_;
    Tokens& tokens_;
};

} // namespace mim
