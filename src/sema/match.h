// SPDX-License-Identifier: MIT
// `match`: which member of a union each arm is for (arms.h), and the functions that the arms are.
#pragma once
#include <string>
#include <vector>

#include "sema/arms.h"
#include "sema/debug_names.h"
#include "sema/function.h"

namespace mim {

class Matches : SemaBase {
public:
    Matches(const Context& context, Terms& terms, Patterns& patterns, Functions& functions, Constructors& constructors,
            Expectations& expectations, DebugNames& debug_names)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns)
        , functions_(functions)
        , constructors_(constructors)
        , expectations_(expectations)
        , debug_names_(debug_names) {}

    Res match(const ast::Match*);

private:
    const Def* arm(const ast::Arm&, const ArmType&, const Def* expected, const View*& view);
    Res result(const ast::Arm&, const Def* expected);
    bool bind_value(const ast::Arm&, const ArmType&, Lam*);
    bool bind_payload(const ast::Pattern*, const ArmType&, Lam*);
    void warn_unused(const ast::Binder& name, const ArmType&);
    const Def* scrutinee_type(Res value);
    void read_poison(const ast::Match*);
    void report_match(const Error&, const ast::Match*, const std::vector<const Def*>& arms);
    std::string labelled(const Def* union_type);

    Terms& terms_;
    Patterns& patterns_;
    Functions& functions_;
    Constructors& constructors_;
    Expectations& expectations_;
    DebugNames& debug_names_;
};

} // namespace mim
