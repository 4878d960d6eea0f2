// SPDX-License-Identifier: MIT
// Patterns, parameter groups and domains to text.
#include "syntax/printer.h"

namespace mim {

using namespace ast;

void Printer::expand(const Pattern* p, Mode mode) {
    switch (p->kind) {
        case PatternKind::NamePattern: {
            auto* n = as<NamePattern>(p);
            put_name(n->name);
            if (n->type) {
                put(": ");
                put(n->type, WhereLevel);
            } else if (mode == Square) {
                put(": _");
            }
            return;
        }
        case PatternKind::GroupPattern: {
            auto* g = as<GroupPattern>(p);
            for (size_t i = 0; i < g->names.size(); ++i) {
                if (i) put(" ");
                put_name(g->names[i]);
            }
            put(": ");
            return put(g->type, WhereLevel);
        }
        case PatternKind::TuplePattern: {
            auto* t = as<TuplePattern>(p);
            brackets(t->square ? "[" : "(", t->square ? "]" : ")", t, t->square ? Square : Round);
            if (!t->type) return;
            put(": ");
            return put(t->type, WhereLevel);
        }
        case PatternKind::AsPattern: {
            auto* a = as<AsPattern>(p);
            put(a->pattern, mode);
            put(" as ");
            return put_name(a->name);
        }
        case PatternKind::TypePattern: {
            auto* t = as<TypePattern>(p);
            if (mode == Round) put("_: ");
            // A lone `[…]` would be a pattern of its own.
            return put(t->type, mode == Square && t->type->kind == ExprKind::Sigma ? static_cast<Level>(Atom + 1) : WhereLevel);
        }
        case PatternKind::LabelPattern: {
            auto* l = as<LabelPattern>(p);
            put_name(l->label);
            if (!l->payload) return;
            put(" ");
            return group({l->payload, false}, false);
        }
    }
}

void Printer::brackets(std::string_view open, std::string_view close, const TuplePattern* t, Mode mode) {
    in_filter_ = false;
    put(TextLayout::Begin);
    put(open);
    put(TextLayout::Indent);
    if (!t->elems.empty()) put(TextLayout::SoftLine);
    for (size_t i = 0; i < t->elems.size(); ++i) {
        if (i) put(TextLayout::Line);
        put(t->elems[i], mode);
        if (i + 1 == t->elems.size()) break;
        put(",");
        if (source_ && t->elems[i + 1]->span) seq_.push_back({Item::Behind, 0, false, t->elems[i + 1]->span.begin, {}, nullptr});
    }
    if (!t->type) put_inside(t->span);
    put(TextLayout::Dedent);
    if (!t->elems.empty()) put(TextLayout::SoftLine);
    put(close);
    put(TextLayout::End);
}

/// A domain of a function type.
void Printer::domain(const Group& g, Level level) {
    auto* t = isa<TuplePattern>(g.pattern);
    if (t && !t->type) return brackets(g.implicit ? "{" : "[", g.implicit ? "}" : "]", t, Square);
    if (auto* type = isa<TypePattern>(g.pattern); type && !g.implicit)
        return put(type->type, type->type->kind == ExprKind::Sigma ? static_cast<Level>(Atom + 1) : level);
    put(g.implicit ? "{" : "[");
    put(g.pattern, Square);
    put(g.implicit ? "}" : "]");
}

/// A parameter group of a function. A bare name in front of a colon would take the type that follows.
void Printer::group(const Group& g, bool colon_follows) {
    auto* t = isa<TuplePattern>(g.pattern);
    if (g.implicit) {
        if (t && !t->type) return brackets("{", "}", t, Round);
        put("{");
        put(g.pattern, Round);
        return put("}");
    }
    auto* n   = isa<NamePattern>(g.pattern);
    bool bare = (t && !t->type) || (n && !n->type && !colon_follows);
    if (!bare) put("(");
    put(g.pattern, Round);
    if (!bare) put(")");
}

} // namespace mim
