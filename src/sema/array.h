// SPDX-License-Identifier: MIT
// Arrays and packs: `«n; T»`, `‹i: n; e›`, with one dimension or several.
#pragma once
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

class Arrays : SemaBase {
public:
    Arrays(const Context& context, Terms& terms)
        : SemaBase(context)
        , terms_(terms) {}

    Res array(const ast::Array* e) { return array(e, 0); }
    Res pack(const ast::Pack* e) { return pack(e, 0); }

private:
    Res array(const ast::Array*, size_t dim);
    Res pack(const ast::Pack*, size_t dim);
    void bind_index(const ast::Binder&, const Def* mut);
    Res nest(const Def* arity, Res body, Span, bool is_type);

    Terms& terms_;
};

} // namespace mim
