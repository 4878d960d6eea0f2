// SPDX-License-Identifier: MIT
// Unions, injections into them, and `match`.
#pragma once
#include <string>
#include <vector>

#include "sema/debug_names.h"
#include "sema/function.h"
#include "sema/pattern.h"
#include "sema/sema_base.h"

namespace mim {

class Unions : SemaBase {
public:
    Unions(const Context& context, Terms& terms, Patterns& patterns, Functions& functions, DebugNames& debug_names)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns)
        , functions_(functions)
        , debug_names_(debug_names) {}

    Res type(const ast::Union*);
    Res inj(const ast::Inj*);
    Res match(const ast::Match*);

private:
    const Def* arm(const ast::Arm&, const View*& view);
    void report_match(const Error&, const ast::Match*, const std::vector<const Def*>& arms);
    std::string labelled(const Def* union_type);

    Terms& terms_;
    Patterns& patterns_;
    Functions& functions_;
    DebugNames& debug_names_;
    std::vector<const Def*> members_; ///< of unions under construction
};

} // namespace mim
