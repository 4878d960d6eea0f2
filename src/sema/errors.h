// SPDX-License-Identifier: MIT
// Errors at the user's line: those of elaboration, and those of the graph turned into diagnostics. Expressions are
// shown as the user would write them where the error is: with the names in scope.
#pragma once
#include <string>

#include "sema/annexes.h"
#include "sema/elaborate.h"
#include "sema/labels.h"
#include "sema/names.h"

namespace mim {

class Errors {
public:
    Errors(World& world, Diagnostics& diags, const Annexes& annexes, const std::deque<LabelledType>& labelled, Names& names)
        : world_(world)
        , diags_(diags)
        , annexes_(annexes)
        , labelled_(labelled)
        , names_(names) {}

    Diagnostic& error(Diag id, Span span, DiagArgs args = {}) { return diags_.report(id, span, std::move(args)); }
    /// Whether the last errors have one like this in the same file: to be said once is enough.
    bool is_reported(Diag id, Span span, const DiagArgs& args) const;
    /// An error of the graph, with what to write instead where that is known.
    Diagnostic& report(const Error&, Span);
    /// The same at a call, or within its argument if that is where the mistake is.
    void report_call(const Error&, const ast::App*);
    /// The result of `build`; an error of the graph is reported at the span, or where it
    /// happened if that is none, and gives null.
    template<class F>
    const Def* at(Span span, F build) {
        try {
            return build();
        } catch (const Error& e) {
            report(e, span ? span : e.rewritten);
            return nullptr;
        }
    }
    /// The error if this value is not assignable: `not_assignable`, or that it holds 2^64. With the same arguments.
    Diag misfit(const Def* value) const;
    /// Notes where the function is declared that this expression applies.
    void note_declaration(Diagnostic&, const ast::Expr* callee);

    /// @name text for messages
    ///@{
    std::string show(const Def*);
    /// The name that the text has at the place, if it is one; a function as the text has it; else as `show`.
    std::string show(const Def*, const ast::Expr* place);
    /// As `show`, but with all that it leaves out.
    std::string show_in_full(const Def*);
    /// As `show`, where a variable, or an element of one, has another name.
    std::string show_with(const Def*, const Def* variable, const std::string& name);
    /// The text of a place, if it is short enough to be repeated in a message; else `…`.
    std::string source_text(Span) const;
    ///@}

    World& world() const { return world_; }
    Diagnostics& diags() const { return diags_; }
    Names& names() const { return names_; }
    const Annexes& annexes() const { return annexes_; }

private:
    /// A function as it is written at the place, if that is short enough; else nothing.
    std::string function_text(const Def*, Span place) const;

    /// The name of an expression here; empty if it has no name.
    std::string name_of(const Def*);
    std::string labelled_type(const Def*);

    World& world_;
    Diagnostics& diags_;
    const Annexes& annexes_;
    const std::deque<LabelledType>& labelled_; ///< all unions that are declared with labels
    Names& names_;
};

} // namespace mim
