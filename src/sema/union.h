// SPDX-License-Identifier: MIT
// Unions, and injections into them.
#pragma once
#include <vector>

#include "sema/expectation.h"
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

class Unions : SemaBase {
public:
    Unions(const Context& context, Terms& terms, Expectations& expectations)
        : SemaBase(context)
        , terms_(terms)
        , expectations_(expectations) {}

    Res type(const ast::Union*);
    Res inj(const ast::Inj*);

private:
    Terms& terms_;
    Expectations& expectations_;
    std::vector<const Def*> members_; ///< of unions under construction
};

} // namespace mim
