// SPDX-License-Identifier: MIT
// Functions: lam/con/fun and λ/cn/fn alike. The signature makes one λ for each parameter group and, where the result
// type is written, gives them their types before the body is read, so that recursive uses know them; else the body's
// type decides.
#pragma once
#include <functional>

#include "sema/activation.h"
#include "sema/debug_names.h"
#include "sema/expectation.h"
#include "sema/pattern.h"
#include "sema/pending_function.h"
#include "sema/type.h"

namespace mim {

/// The type of functions like `lam`, whose result has the type `codom` over the variable of `lam`.
const Pi* pi_over(World&, const Lam* lam, const Def* codom, bool implicit);

class Functions : SemaBase {
public:
    Functions(const Context& context, Terms& terms, Patterns& patterns, Types& types, Activations& activations,
              Expectations& expectations, DebugNames& debug_names)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns)
        , types_(types)
        , activations_(activations)
        , expectations_(expectations)
        , debug_names_(debug_names) {}

    /// A function without a name.
    Res lambda(const ast::Lam*);

    /// @name a function in steps; each is false after a report
    ///@{
    /// Domains and, unless it is to be inferred, the type; leaves the parameters in scope.
    bool signature(PendingFunction&);
    /// Brings the parameters of a function whose signature was read into scope once more; poison if it is wrong.
    void bind_params(PendingFunction&);
    /// Filter and body, with the parameters in scope; the λs are not closed.
    bool body(PendingFunction&);
    /// The same for a function whose body is not read from its text: it makes this type, with this view beside it.
    bool set_type(PendingFunction&, Res type);
    /// Closes the functions of a recursive group after their bodies; `holes` is the mark of open placeholders from
    /// before their signatures.
    bool close(std::span<PendingFunction>, size_t holes);
    ///@}

    /// A λ without a name, of one group, around the result of `build`, whose type is its codomain. Null if that is
    /// poison.
    Lam* infer(const Def* dom, const std::function<const Def*(Lam*)>& build);

private:
    bool group_domain(PendingFunction&, ParamGroup&);
    bool make_lam(PendingFunction&, ParamGroup&);
    void note_parameters(const ParamGroup&);
    void bind_group(ParamGroup&);
    void bind_poison(const ParamGroup&);
    const Def* known_filter(const ParamGroup&, bool last);
    void set_types(PendingFunction&, Ty codom);
    bool read_body(PendingFunction&);
    Res read_result(PendingFunction&);
    Res read_text(const PendingFunction&);
    std::vector<Lam*> settle_results(std::span<PendingFunction>);
    bool set_bodies(PendingFunction&, const Def* result);
    void name_unused_tokens(const PendingFunction&);
    void report_result(const Error&, const PendingFunction&, Span);
    void carry_result_view(PendingFunction&, const View* result);

    Terms& terms_;
    Patterns& patterns_;
    Types& types_;
    Activations& activations_;
    Expectations& expectations_;
    DebugNames& debug_names_;
};

} // namespace mim
