// SPDX-License-Identifier: MIT
// Tuples and access to their elements, by index or by field name.
#pragma once
#include <functional>
#include <vector>

#include "sema/expectation.h"
#include "sema/sema_base.h"
#include "sema/terms.h"
#include "sema/unknown_names.h"

namespace mim {

class Tuples : SemaBase {
public:
    Tuples(const Context& context, Terms& terms, UnknownNames& unknown, Expectations& expectations)
        : SemaBase(context)
        , terms_(terms)
        , unknown_(unknown)
        , expectations_(expectations) {}

    Res tuple(const ast::Tuple*);
    Res extract(const ast::Extract*);
    Res insert(const ast::Insert*);
    /// An element that was read, what it is taken from, the index, and its value.
    struct Read {
        const ast::Extract* text;
        const Def *tuple, *index, *value;
    };
    /// Called with each element at one index that has no error.
    std::function<void(const Read&)> on_read;

private:
    /// One `#` of the text, and the index, which is a part of it in `e#(i, j)`.
    struct Step {
        const ast::Extract* text;
        const ast::Expr* index;
    };
    Res extract_step(Res tuple, const Step&);
    Res extract_at(Res tuple, const Def* index, const Step&);
    Res alternatives(Res tuple, Span);
    Res extract_each(Res tuple, const Def* indices, const Step&);
    void report_extract(const Error&, const Def* tuple, const Def* index, const Step&);
    const Def* index(Res& tuple, const ast::Expr*, uint64_t& value);
    bool is_indices(const Def* index);

    Terms& terms_;
    UnknownNames& unknown_;
    Expectations& expectations_;
    std::vector<const Def*> elems_; ///< of tuples under construction
};

} // namespace mim
