// SPDX-License-Identifier: MIT
// Notes at values that do not fit where they stand: what to write instead. They are looked for only after something was reported, and read
// the source as the user wrote it; none of this decides what is accepted.
#include <algorithm>

#include "ir/token_types.h"
#include "sema/elab.h"

namespace mim {

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

/// What a pointer type points to; else null.
static const Def* pointee_of(const Def* type) {
    auto axm = type->isa<App>() ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer)) return nullptr;
    auto arg = type->as<App>()->arg();
    return arg->isa<Tuple>() ? arg->op(0) : arg;
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
    if (auto pointee = pointee_of(value->type()); pointee && world_.refresh(pointee) == type)
        d.note(Diag::no_such_word, {}, {"*" + source_text(place), "load what the pointer points to"});
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
    auto& tokens = s_.tokens;
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
#include "diag/operators.def"
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
