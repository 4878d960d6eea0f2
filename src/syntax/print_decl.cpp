// SPDX-License-Identifier: MIT
// Declarations to text.
#include "syntax/printer.h"

namespace mim {

using namespace ast;

/// Declarations from `first` on, each in lines of its own, up to the position `end` of the source.
void Printer::decls(const List<const Decl*>& ds, size_t first, uint32_t end) {
    seq_.push_back({Item::First, 0, false, 0, {}, nullptr});
    for (size_t i = first; i < ds.size(); ++i) {
        put(ds[i]);
        put(";");
        uint32_t limit = i + 1 < ds.size() ? ds[i + 1]->span.begin : end;
        if (source_) seq_.push_back({Item::Behind, 0, false, limit, {}, nullptr});
        put(TextLayout::HardLine);
    }
}

void Printer::doc(std::string_view text) {
    if (text.empty() || source_) return; // the formatter has them among the comments
    while (true) {
        size_t end = text.find('\n');
        auto line  = text.substr(0, end);
        put("///");
        if (!line.empty()) put(" ");
        put(line);
        put(TextLayout::HardLine);
        if (end == text.npos) return;
        text.remove_prefix(end + 1);
    }
}

void Printer::expand(const Decl* d) {
    in_filter_ = false;
    doc(d->doc);
    if (d->is_and) put("and ");
    switch (d->kind) {
        case DeclKind::Let: let(as<Let>(d)); break;
        case DeclKind::Rec: {
            auto* r = as<Rec>(d);
            if (!d->is_and) put("rec ");
            put_name(r->name);
            for (size_t i = 0; i < r->groups.size(); ++i) {
                put(" ");
                group(r->groups[i], r->type && i + 1 == r->groups.size());
            }
            if (r->type) {
                put(": ");
                put(r->type, WhereLevel);
            }
            put(" =");
            body(r->value);
            break;
        }
        case DeclKind::Fun: {
            auto* f = as<Fun>(d);
            put(f->fun.form == LamForm::Lam ? "lam " : f->fun.form == LamForm::Con ? "con " : "fun ");
            if (f->is_extern) put("extern ");
            put_name(f->name);
            function(f->fun);
            break;
        }
        case DeclKind::Axm: axm(as<Axm>(d)); break;
        case DeclKind::CDecl: c_decl(as<CDecl>(d)); break;
        case DeclKind::Rule: rule(as<Rule>(d)); break;
        case DeclKind::Op:
            put("op ");
            put_name(as<Op>(d)->op);
            function(as<Op>(d)->fun->fun);
            break;
        case DeclKind::Import: {
            auto* i = as<Import>(d);
            put("import ");
            put(i->quoted ? quoted(i->path.name.view(), '"') : i->path.name.view());
            break;
        }
        case DeclKind::Plugin:
            put("plugin ");
            put_name(as<Plugin>(d)->name);
            break;
        case DeclKind::Ret: ret(as<Ret>(d)); break;
    }
    if (source_ && d->span) seq_.push_back({Item::Printed, 0, false, d->span.end, {}, nullptr});
}

/// `$` begins another line if the arguments of the callee stand in lines of their own, or the callee fills its line.
void Printer::ret(const Ret* r) {
    auto* app    = isa<ast::App>(r->callee);
    bool may_end = app && !hugs(app);
    put("ret ");
    put(r->pattern, Round);
    put(" = ");
    if (may_end) put(TextLayout::Begin);
    put(r->callee, WhereLevel);
    if (may_end) {
        put(TextLayout::Indent);
        put(TextLayout::Line);
        put("$ ");
        put(TextLayout::Dedent);
        put(TextLayout::End);
    } else {
        put(" $ ");
    }
    put(r->arg, Open);
}

void Printer::let(const Let* l) {
    put("let ");
    put(l->pattern, Round);
    put(" =");
    body(l->value);
}

void Printer::axm(const Axm* a) {
    put("axm ");
    put_name(a->name);
    if (!a->subs.empty()) {
        put(TextLayout::Begin);
        put("(");
        put(TextLayout::Indent);
        put(TextLayout::SoftLine);
        for (size_t i = 0; i < a->subs.size(); ++i) {
            for (size_t j = 0; j < a->subs[i].names.size(); ++j) {
                if (j) put(" = ");
                put_name(a->subs[i].names[j]);
            }
            if (i + 1 == a->subs.size()) break;
            put(",");
            put(TextLayout::FillLine);
        }
        put(TextLayout::Dedent);
        put(TextLayout::SoftLine);
        put(")");
        put(TextLayout::End);
    }
    put(":");
    put(TextLayout::Begin);
    put(TextLayout::Indent);
    put(TextLayout::Line);
    unindented(a->type, WhereLevel);
    if (a->normalizer.name) {
        put(", ");
        put_name(a->normalizer);
    }
    if (a->has_curry) {
        put(", ");
        put_number(a->curry);
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

void Printer::c_decl(const CDecl* c) {
    put(c->is_con ? "ccon " : "cfun ");
    put_name(c->name);
    if (c->domain) {
        put(" ");
        auto* as_pattern = isa<AsPattern>(c->domain);
        if (as_pattern) put(as_pattern, Square);
        else domain({c->domain, false}, Extract);
    }
    if (!c->type) return;
    put(": ");
    put(c->type, WhereLevel);
}

void Printer::rule(const Rule* r) {
    put(r->is_norm ? "norm " : "rule ");
    put_name(r->name);
    for (size_t i = 0; i < r->groups.size(); ++i) {
        put(" ");
        group(r->groups[i], i + 1 == r->groups.size());
    }
    put(":");
    put(TextLayout::Begin);
    put(TextLayout::Indent);
    put(TextLayout::Line);
    put(r->lhs, WhereLevel);
    if (r->cond) {
        put(TextLayout::Line);
        put("when ");
        put(r->cond, WhereLevel);
    }
    put(TextLayout::Line);
    put("=>");
    put(" ");
    put(r->rhs, Open);
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

} // namespace mim
