// SPDX-License-Identifier: MIT
// Application spines. Arguments are read first; implicit arguments are inferred then (implicit.h).
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "ir/spine.h"
#include "sema/activation.h"
#include "sema/expectation.h"
#include "sema/open_type.h"
#include "sema/result_names.h"
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

struct Misfit;

class Applications : SemaBase {
public:
    Applications(const Context& context, Terms& terms, Activations& activations, Expectations& expectations,
                 OpenTypes& open_types)
        : SemaBase(context)
        , terms_(terms)
        , activations_(activations)
        , expectations_(expectations)
        , open_types_(open_types) {}

    Res app(const ast::App*);
    /// An application that was read, its function, its last argument, and its value.
    struct Read {
        const ast::App* text;
        const Def *callee, *arg, *value;
    };
    /// Called with each application that has no error.
    std::function<void(const Read&)> on_read;
    /// The head of this expression, the left side of a rule, is not normalized; null: of none.
    void freeze(const ast::Expr* e) { frozen_ = e; }

private:
    /// A call under construction.
    struct Call {
        Spine spine;
        const View* view;                           ///< of the application so far
        const ast::Expr* head;                      ///< the text of the function
        const Def* declared;                        ///< the type of what gets the next group, as it was declared, or null
        std::optional<ResultNames> names = {};      ///< with -g
        const Def* before                = nullptr; ///< the type of what got the last group, as it was declared, or null
        /// The next domain, as it was declared.
        const Def* domain() const { return declared && declared->isa<Pi>() ? declared->as<Pi>()->dom() : nullptr; }
        void apply(const Def* arg, const View* arg_view) {
            spine.apply(arg);
            before   = declared;
            declared = declared && declared->isa<Pi>() ? declared->as<Pi>()->codom() : nullptr;
            view     = codom(view);
            if (names) names->apply(arg, arg_view);
        }
    };
    const OpenType* open_type(const ast::Expr* head);
    bool is_indexing(Res callee, const ast::Expr* arg);
    Res apply(Res callee, const ast::Expr* head, std::span<Arg> args);
    Res apply_all(Res callee, const ast::Expr* head, std::span<Arg> args);
    bool apply_first(Call&, std::span<Arg> args);
    Res group(const Pi*, const ast::Tuple*);
    std::string one_group(const Call&, std::span<Arg> args);
    bool apply_explicit(Call&, std::span<Arg> args, const Pi* implicit);
    bool apply_implicits(Call&, std::span<Arg> args);
    void instantiate(Call&, Arg&);
    const View* pointee_view(const Def* type, const View* arg);
    void report_app(const Error&, Call&, std::span<Arg> args, const Pi* implicit);
    bool report_fn(Call&, const ast::App*, const Misfit&);
    bool report_result(const Misfit&);
    void report_misfit(Call&, std::span<Arg> args, const Pi* implicit);

    Terms& terms_;
    Activations& activations_;
    Expectations& expectations_;
    OpenTypes& open_types_;
    std::vector<Arg> args_; ///< of applications under construction
    const ast::Expr* frozen_ = nullptr;
};

} // namespace mim
