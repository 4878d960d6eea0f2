// SPDX-License-Identifier: MIT
// Tuples and access to their elements, by index or by field name.
#pragma once
#include <vector>

#include "sema/sema_base.h"
#include "sema/terms.h"
#include "sema/unknown_names.h"

namespace mim {

class Tuples : SemaBase {
public:
    Tuples(const Context& context, Terms& terms, UnknownNames& unknown)
        : SemaBase(context)
        , terms_(terms)
        , unknown_(unknown) {}

    Res tuple(const ast::Tuple*);
    Res extract(const ast::Extract*);
    Res insert(const ast::Insert*);

private:
    Res extract_step(Res tuple, const ast::Extract*);
    void report_extract(const Error&, const Def* tuple, const Def* index, const ast::Extract*);
    const Def* index(Res& tuple, const ast::Expr*, uint64_t& value);

    Terms& terms_;
    UnknownNames& unknown_;
    std::vector<const Def*> elems_; ///< of tuples under construction
};

} // namespace mim
