// SPDX-License-Identifier: MIT
#include "sema/enclosing.h"

namespace mim {

static Span binder_span(const ast::Pattern* p, Symbol sym) {
    if (auto n = ast::isa<ast::NamePattern>(p)) return n->name.name == sym ? n->name.span : Span();
    if (auto a = ast::isa<ast::AsPattern>(p)) return a->name.name == sym ? a->name.span : binder_span(a->pattern, sym);
    auto tuple = ast::isa<ast::TuplePattern>(p);
    if (!tuple) return {};
    for (auto e : tuple->elems)
        if (auto span = binder_span(e, sym)) return span;
    return {};
}

Span Enclosing::declared_later(Symbol sym, Diag& note) const {
    for (auto& [decls, num_before] : blocks_)
        for (uint32_t i = 0; i < decls.size(); ++i) {
            if (consumed_ && consumed_->is_done(decls, i)) continue;
            auto d = decls[i];
            note   = num_before && i >= num_before ? Diag::mentions_later : Diag::declared_later;
            if (auto fun = ast::isa<ast::Fun>(d); fun && fun->name.name == sym) return fun->name.span;
            note     = Diag::declared_below;
            auto let = ast::isa<ast::Let>(d);
            if (auto span = let ? binder_span(let->pattern, sym) : Span()) return span;
        }
    return {};
}

} // namespace mim
