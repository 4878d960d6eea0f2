// SPDX-License-Identifier: MIT
// Expressions to text. The level given with a child is the weakest binding that needs no parentheses there.
#include <algorithm>

#include "diag/utf8.h"
#include "front/chars.h"
#include "syntax/printer.h"

namespace mim {

using namespace ast;

namespace {

std::string_view prim_text(PrimKind kind, bool ascii) {
    static constexpr std::string_view kTexts[][2] = {
#define MIM_PRIM(name, unicode, ascii) {unicode, ascii},
        MIM_AST_PRIMS(MIM_PRIM)
#undef MIM_PRIM
    };
    return kTexts[static_cast<size_t>(kind)][ascii];
}

/// Whether an arm behind this expression would become one of its own.
bool ends_in_match(const Expr* e) {
    while (true) {
        if (e->kind == ExprKind::Match) return true;
        if (auto* lam = isa<Lam>(e)) e = lam->fun.body;
        else if (auto* block = isa<Block>(e); block && block->is_bare) e = block->body;
        else return false;
    }
}

/// Whether the text begins with declarations without braces: `d… e where … end`, maybe with further ones.
bool begins_with_decls(const Expr* e) {
    while (true) {
        auto* w = isa<Where>(e);
        if (!w || w->num_before) return w;
        e = w->body;
    }
}

/// Whether the expression brings its own brackets, inside of which lines may end.
bool is_bracketed(const Expr* e) {
    switch (e->kind) {
        case ExprKind::Tuple:
        case ExprKind::Sigma:
        case ExprKind::Array:
        case ExprKind::Pack:
        case ExprKind::Insert: return true;
        default: return false;
    }
}

/// `*`, which multiplies if an operand is behind it.
bool is_star(const Expr* e) {
    auto* prim = isa<Prim>(e);
    return prim && prim->prim == PrimKind::Star;
}

/// Whether the text of an argument begins with a pack. In ASCII its `<` would compare.
bool begins_with_pack(const Expr* e) {
    while (true) {
        if (auto* extract = isa<Extract>(e)) e = extract->tuple;
        else if (auto* all = isa<Union>(e)) e = all->members[0];
        else return e->kind == ExprKind::Pack;
    }
}

/// Whether the expression has no parts.
bool is_leaf(const Expr* e) {
    switch (e->kind) {
        case ExprKind::Name:
        case ExprKind::Annex:
        case ExprKind::Prim:
        case ExprKind::NatLit:
        case ExprKind::IdxLit: return true;
        default: return false;
    }
}

} // namespace

void Printer::expand(const Expr* e) {
    switch (e->kind) {
        case ExprKind::Name: return put(as<Name>(e)->sym.view());
        case ExprKind::Annex: return put(as<Annex>(e)->sym.view());
        case ExprKind::Prim: return put(prim_text(as<Prim>(e)->prim, options_.ascii));
        case ExprKind::NatLit: return put_number(as<NatLit>(e)->value);
        case ExprKind::IdxLit: return literal(as<IdxLit>(e));
        case ExprKind::AscribedLit:
            put_number(as<AscribedLit>(e)->value);
            put(":");
            return put(as<AscribedLit>(e)->type, Atom);
        case ExprKind::FloatLit:
            put(as<FloatLit>(e)->text.view());
            if (!as<FloatLit>(e)->type) return;
            put(":");
            return put(as<FloatLit>(e)->type, Atom);
        case ExprKind::StrLit: return put(quoted(as<StrLit>(e)->bytes, '"'));
        case ExprKind::Sort: put("Sort "); return put(as<Sort>(e)->level, Atom);
        case ExprKind::Sigma: return brackets("[", "]", as<Sigma>(e)->elems, Square);
        case ExprKind::Tuple: return tuple(as<Tuple>(e));
        case ExprKind::Array: {
            auto* a = as<Array>(e);
            return sequence(spell("«", "<<"), spell("»", ">>"), a->dims, a->body, a->span);
        }
        case ExprKind::Pack: {
            auto* p = as<Pack>(e);
            return sequence(spell("‹", "<"), spell("›", ">"), p->dims, p->body, p->span);
        }
        case ExprKind::App: return app(as<ast::App>(e));
        case ExprKind::Operation: return as<Operation>(e)->left ? operation(as<Operation>(e)) : prefix(as<Operation>(e));
        case ExprKind::Extract:
            put(as<ast::Extract>(e)->tuple, Extract);
            put("#");
            return put(as<ast::Extract>(e)->index, Atom);
        case ExprKind::Insert: {
            auto* ins        = as<Insert>(e);
            const Expr* es[] = {ins->tuple, ins->index, ins->value};
            auto* t          = ast::make<Tuple>(arena_, ins->span, arena_.list(es, 3));
            put("ins");
            return tuple(t);
        }
        case ExprKind::Pi: return pi(as<Pi>(e));
        case ExprKind::Lam: {
            auto& fun = as<Lam>(e)->fun;
            put(fun.form == LamForm::Lam ? spell("λ", "lm") : fun.form == LamForm::Con ? "cn" : "fn");
            return function(fun);
        }
        case ExprKind::Block: return block(as<Block>(e));
        case ExprKind::Where: return where(as<Where>(e));
        case ExprKind::Union: return join(as<Union>(e));
        case ExprKind::Labels: return labels(as<Labels>(e));
        case ExprKind::Inj:
            put(as<ast::Inj>(e)->value, Inj);
            put(" inj ");
            if (auto member = as<ast::Inj>(e)->member) put("@"), put(member, Join), put(" ");
            return put(as<ast::Inj>(e)->type, Or);
        case ExprKind::Match: return match(as<Match>(e));
        case ExprKind::Singleton:
            put(spell("⦃", "{| "));
            put(as<Singleton>(e)->value, Open);
            put_inside(e->span, 2);
            return put(spell("⦄", " |}"));
        case ExprKind::Hole:
        case ExprKind::Error: return put("_");
    }
}

void Printer::literal(const IdxLit* lit) {
    if (lit->form == IdxForm::Char) {
        char c = static_cast<char>(lit->value);
        return put(quoted({&c, 1}, '\''));
    }
    put_number(lit->value);
    switch (lit->form == IdxForm::Width || lit->size == 0 ? lit->size : 1) {
        case 0: return put("I64");
        case 2: return put("I1");
        case 0x100: return put("I8");
        case 0x10000: return put("I16");
        case 0x100000000: return put("I32");
        default: put("_"); return put_number(lit->size);
    }
}

/// A literal with escapes; bytes that are no text are written in hexadecimal.
std::string_view Printer::quoted(std::string_view bytes, char quote) {
    constexpr std::string_view from{"\0\n\t\r\a\b\f\v\\", 9}, to = "0ntrabfv\\";
    std::string s(1, quote);
    for (size_t i = 0; i < bytes.size();) {
        char c     = bytes[i];
        auto known = from.find(c);
        uint32_t n = utf8::size(bytes.substr(i, 4));
        if (known != from.npos) (s += '\\') += to[known];
        else if (c == quote) (s += '\\') += c;
        else if ((n == 1 && (c < ' ' || c == 0x7f)) || n == 0 || (n > 1 && quote == '\'')) {
            constexpr auto hex = "0123456789abcdef";
            auto u             = static_cast<unsigned char>(c);
            s += "\\x";
            (s += hex[u >> 4]) += hex[u & 15];
        } else {
            s += bytes.substr(i, n);
            i += n - 1;
        }
        ++i;
    }
    s += quote;
    return keep(std::move(s));
}

/// `(e, …)`; many short elements fill their lines.
void Printer::tuple(const Tuple* t) {
    bool fill  = t->elems.size() > 8 && std::all_of(t->elems.begin(), t->elems.end(), [](auto* e) { return is_leaf(e); });
    in_filter_ = false;
    put(TextLayout::Begin);
    put("(");
    put(TextLayout::Indent);
    if (!t->elems.empty()) put(TextLayout::SoftLine);
    for (size_t i = 0; i < t->elems.size(); ++i) {
        put(t->elems[i], Open);
        if (i + 1 == t->elems.size()) break;
        put(",");
        if (source_ && t->elems[i + 1]->span) seq_.push_back({Item::Behind, 0, false, t->elems[i + 1]->span.begin, {}, nullptr});
        put(fill ? TextLayout::FillLine : TextLayout::Line);
    }
    put_inside(t->span);
    put(TextLayout::Dedent);
    if (!t->elems.empty()) put(TextLayout::SoftLine);
    put(")");
    put(TextLayout::End);
}

void Printer::sequence(std::string_view open, std::string_view close, const List<Dim>& dims, const Expr* body, Span span) {
    in_filter_  = false;
    auto inside = options_.ascii ? WhereLevel : Open; // what may end with a comparison is in brackets
    put(TextLayout::Begin);
    put(open);
    put(TextLayout::Indent);
    for (size_t i = 0; i < dims.size(); ++i) {
        if (i) put(", ");
        if (dims[i].name.name) {
            put_name(dims[i].name);
            put(": ");
        }
        put(dims[i].arity, inside);
    }
    put(";");
    put(TextLayout::Line);
    put(body, inside);
    put_inside(span, static_cast<uint32_t>(close.size()));
    put(TextLayout::Dedent);
    put(close);
    put(TextLayout::End);
}

/// Whether the arguments stay in the line of the function: the last one can be broken inside, or they are short and
/// stand behind something in brackets, as in `(no, yes)#c ()`.
bool Printer::hugs(const ast::App* a) {
    if (is_bracketed(a->arg) || a->arg->kind == ExprKind::Block) return true;
    const Expr* callee = a;
    for (; callee->kind == ExprKind::App; callee = as<ast::App>(callee)->callee)
        if (!is_leaf(as<ast::App>(callee)->arg)) return false;
    auto* extract = isa<ast::Extract>(callee);
    return extract && is_bracketed(extract->tuple);
}

void Printer::app(const ast::App* a) {
    std::vector<const ast::App*> spine;
    const Expr* callee = a;
    while (auto* app = isa<ast::App>(callee)) {
        spine.push_back(app);
        callee = app->callee;
    }
    bool hug = hugs(a);
    if (!hug) put(TextLayout::Begin);
    put(callee, callee->kind == ExprKind::Sigma ? static_cast<Level>(Atom + 1) : App);
    if (!hug) put(TextLayout::Indent);
    for (size_t i = spine.size(); i-- > 0;) {
        if (hug) put(" ");
        else put(TextLayout::Line);
        if (spine[i]->explicit_implicit) put("@");
        bool is_operator = (i > 0 && is_star(spine[i]->arg)) || (options_.ascii && begins_with_pack(spine[i]->arg));
        put(spine[i]->arg, is_operator ? static_cast<Level>(Atom + 1) : Join);
    }
    if (!hug) put(TextLayout::Dedent);
    if (!hug) put(TextLayout::End);
}

/// `a + b - c`: operators of one strength in one group; a line begins with an operator.
void Printer::operation(const Operation* e) {
    auto strength = level(e);
    std::vector<const Operation*> chain{e};
    bool chains = strength != Comparison && strength != Open;
    while (chains) {
        auto* left = isa<Operation>(chain.back()->left);
        if (!left || !left->left || level(left) != strength) break;
        chain.push_back(left);
    }
    auto above = static_cast<Level>((chains ? strength : Comparison) + 1); // `>` in ASCII is a comparison, too
    put(TextLayout::Begin);
    put(chain.back()->left, above);
    put(TextLayout::Indent);
    for (size_t i = chain.size(); i-- > 0;) {
        auto place = chain[i]->op.span;
        if (source_ && place) seq_.push_back({Item::Inside, 0, false, place.begin, {}, nullptr});
        put(TextLayout::Line);
        put(chain[i]->op.name.view());
        put(" ");
        put(chain[i]->right, above);
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

/// `T ∪ U ∪ V`: a line begins with a `∪`.
void Printer::join(const Union* e) {
    put(TextLayout::Begin);
    put(e->members[0], Extract);
    put(TextLayout::Indent);
    for (size_t i = 1; i < e->members.size(); ++i) {
        put(TextLayout::Line);
        put(spell("∪ ", "\\/ "));
        put(e->members[i], Extract);
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

/// Whether the text begins with a number.
static bool begins_with_number(const Expr* e) {
    while (true) {
        if (auto* app = isa<App>(e)) e = app->callee;
        else if (auto* extract = isa<Extract>(e)) e = extract->tuple;
        else if (auto* all = isa<Union>(e)) e = all->members[0];
        else break;
    }
    bool is_integer = e->kind == ExprKind::NatLit || e->kind == ExprKind::AscribedLit || e->kind == ExprKind::FloatLit;
    auto* index     = isa<IdxLit>(e);
    return is_integer || (index && index->form != IdxForm::Char);
}

/// `-a`. A sign right in front of a number would belong to it.
void Printer::prefix(const Operation* e) {
    put(e->op.name.view());
    if (begins_with_number(e->right)) put(" ");
    put(e->right, Prefix);
}

void Printer::pi(const Pi* p) {
    put(TextLayout::Begin);
    domains(p, true);
    put(TextLayout::End);
}

/// A function type in the group around it; what follows the first domain is indented if that is asked for.
void Printer::domains(const Pi* p, bool indent) {
    if (p->form != PiForm::Pi) put(p->form == PiForm::Cn ? "Cn " : "Fn ");
    for (size_t i = 0; i < p->domains.size(); ++i) {
        bool last    = i + 1 == p->domains.size();
        bool bracket = p->domains[i].implicit || p->domains[i].pattern->kind != PatternKind::TypePattern;
        bool next    = !last && (p->domains[i + 1].implicit || p->domains[i + 1].pattern->kind != PatternKind::TypePattern);
        domain(p->domains[i], Inj);
        if (i == 0 && indent) put(TextLayout::Indent);
        if (last ? p->codomain != nullptr : !(bracket && next)) put(spell(" →", " ->"));
        if (!last || p->codomain) put(TextLayout::Line);
    }
    if (p->codomain) {
        auto* inner = isa<Pi>(p->codomain); // would become one with this one
        bool is_one = inner && inner->form == PiForm::Pi && p->form == PiForm::Pi;
        bool opens  = p->codomain->kind == ExprKind::Block; // declarations may stand behind an arrow
        put(p->codomain, is_one ? Inj : opens ? Open : Arrow);
    }
    if (indent) put(TextLayout::Dedent);
}

/// An expression in parentheses, which the tree does not have.
void Printer::parens(const Expr* e) {
    auto* b          = isa<Block>(e);
    auto* w          = isa<Where>(e);
    bool is_indented = (b && is_bare(b)) || (w && w->num_before);
    if (is_indented) put(TextLayout::Begin);
    put("(");
    if (is_indented) put(TextLayout::Indent), put(TextLayout::SoftLine);
    expand(e);
    if (is_indented) put(TextLayout::Dedent), put(TextLayout::SoftLine);
    put(")");
    if (is_indented) put(TextLayout::End);
}

void Printer::block(const Block* b) {
    if (is_bare(b)) {
        put(TextLayout::Begin);
        bare_block(b);
        return put(TextLayout::End);
    }
    in_filter_ = false;
    put("{");
    put(TextLayout::Indent);
    put(TextLayout::HardLine);
    decls(b->decls, 0, b->body->span.begin);
    put(b->body, Open);
    put_inside(b->span);
    put(TextLayout::Dedent);
    put(TextLayout::HardLine);
    put("}");
}

/// `d… e` or `d… e where d… end` in the group around it
void Printer::bare_block(const Expr* e) {
    if (auto* b = isa<Block>(e)) {
        before(b->decls, b->decls.size(), b->body);
        bool reaches_far = b->body->kind == ExprKind::Lam || b->body->kind == ExprKind::Match;
        put(b->body, reaches_far ? Open : Arrow); // `where` would belong to the declarations
        return;
    }
    auto* w = as<Where>(e);
    before(w->decls, w->num_before, w->body);
    put(w->body, Arrow);
    where_decls(w);
}

/// The first declarations, which stand before the body and have no braces.
void Printer::before(const List<const Decl*>& ds, size_t num, const Expr* body) {
    bool is_short = num == 1 && ds[0]->kind == DeclKind::Let;
    bool is_ret   = std::all_of(ds.begin(), ds.begin() + num, [](auto* d) { return d->kind == DeclKind::Ret; });
    seq_.push_back({Item::First, 0, false, 0, {}, nullptr});
    for (size_t i = 0; i < num; ++i) {
        seq_.push_back({Item::Decl, i == 0 || is_short || is_ret, false, 0, {}, ds[i]});
        put(";");
        auto next = i + 1 < num ? ds[i + 1]->span : body->span;
        if (source_) seq_.push_back({Item::Behind, 0, false, next.begin, {}, nullptr});
        put(is_short || is_ret ? TextLayout::Line : TextLayout::HardLine);
    }
}

/// From `where` to `end`
void Printer::where_decls(const Where* w) {
    put(" where");
    put(TextLayout::Indent);
    put(TextLayout::HardLine);
    decls(w->decls, w->num_before, w->span ? w->span.end - 3 : 0);
    put_inside(w->span, 3);
    put(TextLayout::Dedent);
    put(TextLayout::HardLine);
    put("end");
}

void Printer::where(const Where* w) {
    in_filter_ = false;
    if (w->num_before) {
        put(TextLayout::Begin);
        bare_block(w);
        return put(TextLayout::End);
    }
    auto* inner = isa<Where>(w->body);
    put(w->body, inner && inner->num_before ? Open : WhereLevel);
    where_decls(w);
}

void Printer::match(const Match* m) {
    in_filter_ = false;
    put(TextLayout::Begin);
    put("match ");
    put(m->value, WhereLevel);
    put(" with");
    put(TextLayout::Indent);
    for (size_t i = 0; i < m->arms.size(); ++i) {
        put(TextLayout::Line);
        put("| ");
        put(m->arms[i].pattern, Round);
        put(" =>");
        if (i + 1 < m->arms.size() && ends_in_match(m->arms[i].body)) {
            put(" ");
            put(m->arms[i].body, WhereLevel);
        } else {
            body(m->arms[i].body);
        }
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

/// In one line, or each label in its own.
void Printer::labels(const Labels* e) {
    in_filter_ = false;
    put(TextLayout::Begin);
    put(TextLayout::Indent);
    for (size_t i = 0; i < e->labels.size(); ++i) {
        auto& label = e->labels[i];
        auto begin  = label.name.span.begin;
        if (i && source_ && label.name.span) seq_.push_back({Item::Behind, 0, false, begin, {}, nullptr});
        if (source_ && label.name.span) seq_.push_back({Item::Inside, 0, false, begin, {}, nullptr});
        put(TextLayout::Line);
        put("| ");
        put_name(label.name);
        if (!label.payload) continue;
        put(" ");
        put(label.payload, Arrow);
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

/// From the first parameter group to the body.
void Printer::function(const Function& f) {
    bool colon = f.codomain && f.form != LamForm::Con;
    put(TextLayout::Begin);
    put(TextLayout::Indent);
    for (size_t i = 0; i < f.groups.size(); ++i) {
        if (i) put(TextLayout::Line);
        else put(" ");
        group(f.groups[i], i + 1 == f.groups.size() && colon && !f.filter);
    }
    if (f.filter) {
        put(" @");
        in_filter_ = true;
        put(f.filter, Arrow);
    }
    in_filter_ = false;
    if (colon) {
        put(": ");
        put(f.codomain, WhereLevel);
    }
    put(TextLayout::Dedent);
    put(TextLayout::End);
    put(" =");
    body(f.body);
}

/// A body behind `=` or `=>`: in the same line if it opens something, else in the next one if it does not fit.
void Printer::body(const Expr* e) {
    if (e->kind == ExprKind::Labels) return put(e, Open);
    in_filter_    = false;
    bool is_bare  = (e->kind == ExprKind::Block || e->kind == ExprKind::Where) && level(e, false) == Open;
    bool is_block = e->kind == ExprKind::Where ? !begins_with_decls(e) : e->kind == ExprKind::Block && !is_bare;
    bool hug      = is_block || e->kind == ExprKind::Match || e->kind == ExprKind::Lam || is_bracketed(e);
    if (hug) {
        put(" ");
        return put(e, Open);
    }
    put(TextLayout::Begin);
    put(TextLayout::Indent);
    put(TextLayout::Line);
    if (is_bare) bare_block(e); // broken together with the line before it
    else unindented(e, Open);
    put(TextLayout::Dedent);
    put(TextLayout::End);
}

/// An expression that begins an indented line: the domains of a function type stand below each other.
void Printer::unindented(const Expr* e, Level level) {
    auto* p = isa<Pi>(e);
    if (!p) return put(e, level);
    put(TextLayout::Begin);
    domains(p, false);
    put(TextLayout::End);
}

} // namespace mim
