// SPDX-License-Identifier: MIT
// Typical mistakes: notes that say what to write instead. They are looked for only after something was reported, and read the
// source as the user wrote it; none of this decides what is accepted.
#include <algorithm>

#include "ir/token_types.h"
#include "sema/elab.h"

namespace mim {

/*
 * names
 */

/// Words of other languages.
static std::string_view instead_of(std::string_view word) {
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"if", "`(no, yes)#c` chooses by the `Bool` c"},
        {"while", "a loop is a function that calls itself"},
        {"for", "a loop is a function that calls itself"},
        {"int", "integers have the types `I8`, `I16`, `I32` and `I64`"},
        {"char", "the type of bytes is `I8`"},
        {"string", "a string is an array of bytes, of type `«n; I8»`"},
        {"true", "the values of `Bool` are `ff` and `tt`"},
        {"false", "the values of `Bool` are `ff` and `tt`"},
        {"void", "the type without information is `[]`"},
    };
    for (auto& [w, text] : kWords)
        if (w == word) return text;
    return {};
}

/// A keyword that differs from the name only by case.
static std::string_view keyword_like(std::string_view name) {
    static constexpr std::string_view kTypes[] = {"Nat", "Idx", "Bool", "I1", "I8", "I16", "I32", "I64", "Sort"};
    auto lower                                 = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (auto t : kTypes)
        if (std::ranges::equal(t, name, {}, lower, lower)) return t;
    return {};
}

/// A note at a name that is not there; false if nothing is known about it.
bool Elab::hint_name(Diagnostic& d, Symbol sym) {
    auto name = sym.view();
    if (sym == return_sym()) return d.note(Diag::only_fun_returns, {}), true;
    if (auto text = instead_of(name); !text.empty()) return d.note(Diag::no_such_word, {}, {sym.str(), std::string(text)}), true;
    if (auto type = keyword_like(name); !type.empty()) return d.note(Diag::did_you_mean, {}, {std::string(type)}), true;
    return false;
}

/// `F64` for `%math.F64`: what only one annex that is loaded is called at its end.
bool Elab::hint_annex(Diagnostic& d, Symbol sym) {
    auto end   = "." + sym.str();
    auto found = s_.annexes.end();
    for (auto it = s_.annexes.begin(); it != s_.annexes.end(); ++it) {
        if (!it->first.view().ends_with(end)) continue;
        if (found != s_.annexes.end()) return false;
        found = it;
    }
    if (found == s_.annexes.end()) return false;
    d.note(Diag::did_you_mean, found->second.span, {found->first.str()});
    return true;
}

static Span binder_span(const ast::Pattern* p, Symbol sym) {
    if (auto n = ast::isa<ast::NamePattern>(p)) return n->name.name == sym ? n->name.span : Span();
    if (auto a = ast::isa<ast::AsPattern>(p)) return a->name.name == sym ? a->name.span : binder_span(a->pattern, sym);
    if (auto t = ast::isa<ast::TuplePattern>(p))
        for (auto e : t->elems)
            if (auto span = binder_span(e, sym)) return span;
    return {};
}

/// Where a block that is being elaborated declares the name that is not there: further down.
Span Elab::declared_later(Symbol sym, Diag& note) const {
    for (auto decls : blocks_)
        for (uint32_t i = 0; i < decls.size(); ++i) {
            if (consumed_ && consumed_->is_done(decls, i)) continue;
            auto d = decls[i];
            note   = Diag::declared_later;
            if (auto fun = ast::isa<ast::Fun>(d); fun && fun->name.name == sym) return fun->name.span;
            note     = Diag::declared_below;
            auto let = ast::isa<ast::Let>(d);
            if (auto span = let ? binder_span(let->pattern, sym) : Span()) return span;
        }
    return {};
}

/// The subtags of an axiom, in the order of their declaration; empty if it has none.
std::string Elab::subtags_of(std::string_view axiom) const {
    static constexpr size_t MaxSubtags = 16;
    std::vector<std::pair<uint32_t, std::string_view>> found;
    for (auto& [name, annex] : s_.annexes)
        if (name.view().size() > axiom.size() + 1 && name.view().starts_with(axiom) && name.view()[axiom.size()] == '.')
            found.emplace_back(annex.span.begin, name.view().substr(axiom.size() + 1));
    std::sort(found.begin(), found.end());
    std::string text;
    for (size_t i = 0; i < found.size(); ++i) {
        if (i == MaxSubtags) return text + ", …";
        text += (i ? ", `" : "`") + std::string(found[i].second) + "`";
    }
    return text;
}

/*
 * values
 */

/// The literal `n` as one of the type, or nothing if it is no type of numbers or does not fit.
static std::string literal_of(World& world, const Def* type, uint64_t n) {
    if (type == world.nat()) return std::to_string(n);
    auto size = isa_idx(type);
    auto lit  = size ? size->isa<Lit>() : nullptr;
    if (!lit || (!lit->is_2_64() && n >= lit->value())) return {};
    if (lit->is_2_64()) return std::to_string(n) + "I64";
    switch (lit->value()) {
        case 2: return n ? "tt" : "ff";
        case 0x100: return std::to_string(n) + "I8";
        case 0x10000: return std::to_string(n) + "I16";
        case 0x100000000: return std::to_string(n) + "I32";
        default: return std::to_string(n) + "_" + std::to_string(lit->value());
    }
}

static std::string bracketed(std::string text) {
    return text.find(' ') == text.npos || text.starts_with('(') ? text : "(" + text + ")";
}

/// The text of a place, if it is short enough to be repeated in a message.
std::string Elab::source_text(Span span) const {
    static constexpr size_t MaxText = 60;
    auto text                       = diags_.sources().text(span);
    return span && text.size() <= MaxText && text.find('\n') == text.npos ? std::string(text) : std::string("…");
}

/// A value that does not have the type that its place asks for.
void Elab::hint_value(Diagnostic& d, const Def* type, const Def* value, Span place) {
    type = world_.refresh(type);
    if (auto u = type->isa<Union>())
        for (auto member : u->ops())
            if (member == value->type()) {
                auto text = bracketed(source_text(place)) + " inj " + bracketed(show(type));
                d.note(Diag::needs_inj, {}, {text});
            }
    auto first = source_text(place).front();
    if (auto n = isa_lit(value); n && first >= '0' && first <= '9')
        if (auto text = literal_like(type, n); !text.empty()) d.note(Diag::literal_of_type, {}, {text});
}

/// The number that `literal` is as one of the type; a plugin's numbers are read by the plugin, and are no integers.
std::string Elab::literal_like(const Def* type, const Lit* literal) {
    auto from = head_axiom(literal->type()), to = head_axiom(type);
    bool is_plugin = from && from->axiom().literal_text;
    if (!to || !to->axiom().literal) return is_plugin ? "" : literal_of(world_, type, literal->value());
    auto number = is_plugin ? from->axiom().literal_text(literal) : std::to_string(literal->value());
    return number + ":" + bracketed(show(type));
}

/*
 * arguments
 */

/// What all these arguments are, each in brackets if it needs them.
std::string Elab::arguments_text(const ast::Tuple* tuple) const {
    std::string text;
    for (auto e : tuple->elems) {
        bool atom = e->kind != ast::ExprKind::App && e->kind != ast::ExprKind::Inj && e->kind != ast::ExprKind::Lam;
        auto one  = source_text(e->span);
        text += " " + (atom ? one : "(" + one + ")");
    }
    return text;
}

/// Whether a `fun` is called like a `lam`: the argument is what it takes besides its continuation.
bool Elab::lacks_return(const Pi* pi, const Def* arg) {
    auto dom = pi->dom()->isa<Sigma>();
    if (!pi->is_cn() || !dom || dom->var() || dom->num_ops() != 2) return false;
    auto ret = dom->op(1)->isa<Pi>();
    try {
        return ret && ret->is_cn() && world_.assignable(dom->op(0), arg);
    } catch (const Error&) {
        return false;
    }
}

/// What a place says, by its name if it is one.
std::string Elab::show(const Def* def, const ast::Expr* place) {
    if (auto name = ast::isa<ast::Name>(place)) return name->sym.str();
    if (auto annex = ast::isa<ast::Annex>(place)) return annex->sym.str();
    return show(def);
}

/// A domain with what was inferred for its variables; as it was declared if that is not known.
const Def* Elab::shown_domain(const Pi* pi, const Pi* implicit) {
    if (!implicit || !pi->dom()->has(Def::HasHole)) return pi->dom();
    const Def* declared = implicit;
    while (auto p = declared->isa<Pi>()) {
        if (!p->is_implicit()) return p->dom();
        declared = p->codom();
    }
    return pi->dom();
}

/// The whole argument `args[0]` is not what the function takes.
void Elab::hint_argument(Diagnostic& d, const Pi* pi, const Pi* implicit, const ast::Expr* head, std::span<Arg> args) {
    auto& arg  = args.front();
    auto value = arg.res.def;
    auto fun   = source_text(head->span);
    auto text  = source_text(arg.ast->arg->span);
    auto tuple = ast::isa<ast::Tuple>(arg.ast->arg);
    auto dom   = world_.refresh(pi->dom());
    auto n     = world_.lit_arity(dom);
    auto k     = tuple ? static_cast<int64_t>(tuple->elems.size()) : 1;
    auto note  = [&](Diag id, DiagArgs more) {
        more.insert(more.begin(), fun);
        d.note(id, {}, std::move(more));
    };
    const Def* first = n > 1 && !dom->var() ? (dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0)) : nullptr;
    if (implicit && (args.size() > 1 || is_static(value)) && world_.assignable(implicit->dom(), value))
        return note(Diag::inferred, {text});
    if (lacks_return(pi, value)) return note(Diag::call_with_ret, {text});
    if (n > 1 && k == 1 && static_cast<size_t>(n) == args.size()) {
        std::string all;
        for (auto& a : args) all += (all.empty() ? "" : ", ") + source_text(a.ast->arg->span);
        return d.note(Diag::takes_a_tuple, {}, {fun, fun + " (" + all + ")"}), void();
    }
    auto next = pi->codom()->isa<Pi>();
    if (tuple && k != n && next && !next->is_implicit() && world_.assignable(dom, world_.extract(value, 0)))
        return note(Diag::takes_one_by_one, {fun + arguments_text(tuple)});
    TokenTypes tokens(world_);
    if (first && k < n && tokens.contains(first) && !(k == 1 && tokens.contains(value->type()))) {
        auto declared = shown_domain(pi, implicit)->isa<Sigma>();
        return d.note(Diag::token_missing, {}, {show(declared ? declared->op(0) : first)}), void();
    }
    if (next && k != n && k == world_.lit_arity(next->dom())) return note(Diag::argument_before, {show(dom)});
    auto given = tuple ? k : std::max<int64_t>(1, world_.lit_arity(value->type()));
    if (n > 1 && given != n) return note(Diag::number_of_arguments, {std::to_string(n), std::to_string(given)});
}

static constexpr const char* kTimes = [] {
#define MIM_OPERATOR(text, call)                                                                                                 \
    if (text[0] == '*') return call;
    MIM_OPERATORS(MIM_OPERATOR)
#undef MIM_OPERATOR
    return "";
}();

/// `a[0]`, `x * y`, or two lines without a `;` between them.
void Elab::hint_callee(Diagnostic& d, const ast::Expr* callee, const ast::Expr* arg) {
    auto prim = ast::isa<ast::Prim>(arg);
    if (prim && prim->prim == ast::PrimKind::Star) d.note(Diag::no_operators, {}, {"*", kTimes});
    else if (arg->kind == ast::ExprKind::Sigma) d.note(Diag::element_syntax, {}, {source_text(callee->span)});
    else if (diags_.sources().text({callee->span.file, callee->span.end, arg->span.begin}).find('\n') != std::string_view::npos)
        d.note(Diag::maybe_unended, {callee->span.file, callee->span.end, callee->span.end});
}

/// An index that is none.
void Elab::hint_index(Diagnostic& d, const Def* tuple, const Def* index) {
    if (index->type()->isa<Pi>()) d.note(Diag::index_in_brackets, {});
    else if (index->type() == world_.nat()) {
        auto arity = world_.arity(tuple->type());
        d.note(Diag::index_type, {}, {show(tuple->type()), bracketed(show(arity))});
    }
}

/// `(x, y: T)`: the names up to the one that has a type.
void Elab::hint_comma(Diagnostic& d, const ast::TuplePattern* p, size_t i) {
    std::string names;
    for (; i < p->elems.size(); ++i) {
        auto name = ast::isa<ast::NamePattern>(p->elems[i]);
        if (!name || !name->name.name) return;
        names += (names.empty() ? "" : " ") + name->name.name.str();
        if (!name->type) continue;
        d.note(Diag::without_comma, {}, {names + ": " + source_text(name->type->span)});
        return;
    }
}

} // namespace mim
