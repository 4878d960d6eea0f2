// SPDX-License-Identifier: MIT
// An annex, a rule or a norm exists once in the program, so it cannot depend on a variable of a function around its
// declaration: its value would be open wherever else it is used.
#pragma once
#include "sema/sema_base.h"

namespace mim {

class ClosedAnnexes : SemaBase {
public:
    explicit ClosedAnnexes(const Context& context)
        : SemaBase(context) {}

    /// Whether a value of this name may be declared here; false after a report. `binder`: the variables of a rule,
    /// which it may depend on.
    bool check(Symbol name, Span place, const Def* def, const Lam* binder = nullptr);
    /// Checks annexes that were declared inside of functions, whose bodies are known now.
    void check_inner();

private:
    bool check_vars(const Elaborator::Shared::InnerAnnex&);
    void report_open(const Elaborator::Shared::InnerAnnex&, const Def* var);
    const Def* mentioned_part(const Def* root, const Def* var);
};

} // namespace mim
