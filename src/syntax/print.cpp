// SPDX-License-Identifier: MIT
// The work list of the printer, and where comments go: in front of the first node that begins behind them, or behind the text
// in whose line they stand.
#include "syntax/print.h"

#include <algorithm>

#include "syntax/printer.h"

namespace mim {

using namespace ast;

void Printer::put_number(uint64_t n) { put(keep(std::to_string(n))); }

/// Comments in front of the last `closer` bytes of a bracketed thing.
void Printer::put_inside(Span span, uint32_t closer) {
    if (source_ && span && span.end >= closer) seq_.push_back({Item::Inside, 0, false, span.end - closer, {}, nullptr});
}

void Printer::run() {
    while (true) {
        work_.insert(work_.end(), seq_.rbegin(), seq_.rend());
        seq_.clear();
        if (work_.empty()) return;
        Item item = work_.back();
        work_.pop_back();
        switch (item.kind) {
            case Item::Text: out_.text(item.text); break;
            case Item::Op: out_.op(static_cast<TextLayout::Op>(item.arg)); break;
            case Item::Expr: {
                auto* e    = static_cast<const Expr*>(item.node);
                bool paren = level(e, item.in_filter) < item.arg;
                in_filter_ = item.in_filter && !paren;
                if (e->span) comments_before(e->span.begin, false);
                if (paren) parens(e);
                else expand(e);
                in_filter_ = false;
                break;
            }
            case Item::Pattern: {
                auto* p = static_cast<const Pattern*>(item.node);
                if (p->span) comments_before(p->span.begin, false);
                expand(p, static_cast<Mode>(item.arg));
                break;
            }
            case Item::Decl: {
                auto* d = static_cast<const Decl*>(item.node);
                if (d->span) comments_before(d->span.begin, !item.arg);
                if (d->span) gap_before(d->span.begin);
                expand(d);
                break;
            }
            case Item::Inside: comments_before(item.pos, false); break;
            case Item::Behind: comments_behind(item.pos); break;
            case Item::First: first_ = true; break;
            case Item::Printed: printed_ = std::max(printed_, item.pos); break;
        }
    }
}

/// An empty line, if the source has one or more between what was printed last and this place.
void Printer::gap_before(uint32_t pos) {
    bool first = std::exchange(first_, false);
    if (!source_ || first || !out_.fresh() || pos <= printed_) return;
    auto between = source_->text.substr(printed_, pos - printed_);
    if (std::count(between.begin(), between.end(), '\n') >= 2) out_.op(TextLayout::Blank);
    printed_ = pos;
}

/// Prints the comments in front of pos.
void Printer::comments_before(uint32_t pos, bool decls) {
    if (!source_) return;
    const auto& all = *source_->comments;
    for (; comment_ < all.size() && all[comment_].begin < pos; ++comment_) {
        const Comment& c = all[comment_];
        auto text        = source_->text.substr(c.begin, c.end - c.begin);
        size_t after     = source_->text.find_first_not_of(" \t\r", c.end);
        bool ends_line   = after == std::string_view::npos || source_->text[after] == '\n';
        bool own         = c.own_line && ends_line;
        if (own && decls) {
            out_.op(TextLayout::HardLine);
            gap_before(c.begin);
        }
        if (own) out_.own_comment(text);
        else if (c.kind == Comment::Block) out_.inline_comment(text);
        else out_.trailing_comment(text);
        printed_ = c.end;
    }
}

/// Prints the comments in front of pos that stand in the line of the text before them.
void Printer::comments_behind(uint32_t pos) {
    if (!source_) return;
    const auto& all = *source_->comments;
    uint32_t limit  = pos;
    for (size_t i = comment_; i < all.size() && all[i].begin < pos; ++i) {
        if (!all[i].own_line) continue;
        limit = all[i].begin;
        break;
    }
    comments_before(limit, false);
}

/// Whether the block has no braces. Those around nothing but `ret` are dropped.
bool Printer::is_bare(const Block* b) {
    auto is_ret = [](auto* d) { return d->kind == DeclKind::Ret; };
    return b->is_bare || std::all_of(b->decls.begin(), b->decls.end(), is_ret);
}

/// The binding strength of an operator. In ASCII, `>` would end a pack around it.
Printer::Level Printer::level(const Operation* e) const {
    auto op = e->op.name.view();
    if (!e->left) return Prefix;
    if (op == "||") return Or;
    if (op == "&&") return And;
    if (op == "+" || op == "-") return Sum;
    if (op == "*" || op == "/" || op == "%") return Product;
    return options_.ascii && op == ">" ? Open : Comparison;
}

/// A number with a sign, which must not follow an operand.
static bool is_signed(const FloatLit* lit) { return lit->text.view().front() == '-' || lit->text.view().front() == '+'; }

Printer::Level Printer::level(const Expr* e, bool in_filter) const {
    switch (e->kind) {
        case ExprKind::Lam:
        case ExprKind::Match: return Open;
        case ExprKind::Block: return is_bare(as<Block>(e)) ? Open : Atom;
        case ExprKind::Where: return as<Where>(e)->num_before ? Open : WhereLevel;
        case ExprKind::Pi: return Arrow;
        case ExprKind::Inj: return Inj;
        case ExprKind::Operation: return level(as<Operation>(e));
        case ExprKind::FloatLit: return is_signed(as<FloatLit>(e)) ? Prefix : Atom;
        case ExprKind::App:
        case ExprKind::Sort: return App;
        case ExprKind::Prim: return options_.ascii && as<Prim>(e)->prim == PrimKind::Box ? App : Atom; // `Sort 1`
        case ExprKind::Union: return Join;
        case ExprKind::Extract: return Extract;
        case ExprKind::AscribedLit: return in_filter ? Open : Atom;
        default: return Atom;
    }
}

std::string Printer::finish() {
    run();
    comments_before(~uint32_t(0), true);
    return out_.str(options_.width);
}

std::string Printer::module(const Module& m) {
    if (!source_ && !m.doc.empty()) {
        doc(m.doc);
        put(TextLayout::Blank);
    }
    decls(m.decls, 0, ~uint32_t(0));
    std::string s = finish();
    while (!s.empty() && s.back() == '\n') s.pop_back();
    if (!s.empty()) s += '\n';
    return s;
}

std::string Printer::expr(const Expr* e) {
    put(e, Open);
    return finish();
}

std::string Printer::pattern(const Pattern* p) {
    put(p, Round);
    return finish();
}

std::string Printer::decl(const Decl* d) {
    put(d);
    put(";");
    return finish();
}

std::string print(const Module& m, PrintOptions options) { return Printer(options).module(m); }
std::string print(const Expr* e, PrintOptions options) { return Printer(options).expr(e); }
std::string print(const Pattern* p, PrintOptions options) { return Printer(options).pattern(p); }
std::string print(const Decl* d, PrintOptions options) { return Printer(options).decl(d); }

} // namespace mim
