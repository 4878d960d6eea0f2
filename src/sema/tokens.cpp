// SPDX-License-Identifier: MIT
// What only the text shows of tokens: their names and places, for the check of whole functions (linear/tokens.h), and those that get lost
// before there is a graph. A value that nobody mentions never reaches the graph, and with a token an effect would be lost.
#include <algorithm>

#include "ir/token_types.h"
#include "linear/tokens.h"
#include "sema/elab.h"

namespace mim {

/// The elements of an argument with more than this are not told apart.
static constexpr int64_t MaxElems = 256;

bool Elaborator::Shared::has_tokens() {
    if (annexes.size() != num_annexes_checked) {
        num_annexes_checked = annexes.size();
        has_linear_types    = world.has_linear_types();
    }
    return has_linear_types;
}

/// A token, or a function that got one and waits for more arguments.
bool Elab::is_token(const Def* value) {
    if (!value || !s_.has_tokens()) return false;
    for (; value->type()->isa<Pi>() && value->isa<App>(); value = value->as<App>()->callee())
        if (is_token(value->as<App>()->arg())) return true;
    return s_.tokens.is_token(value);
}

/// Or what is one where somebody instantiates the type variables in its type.
bool Elab::may_be_token(const Def* value) {
    if (!value || !s_.has_tokens() || is_static(value)) return false;
    auto vars = world_.free_vars(value->type());
    return is_token(value) || std::ranges::any_of(vars, [](auto var) { return holds_types(var->type()); });
}

/// An element of a parameter: the others beside it are not mentioned by it.
static bool is_part_of_parameter(const Def* def) {
    if (!def->isa<Extract>()) return false;
    for (auto ex = def->isa<Extract>(); ex; def = ex->tuple(), ex = def->isa<Extract>())
        if (!isa_lit(ex->index())) return false;
    return def->node() == Node::Var;
}

/// Whether calling this function would consume a token from outside of it.
bool Elab::captures_token(const Def* function) {
    auto outside = world_.free_vars(function);
    std::unordered_set<const Def*> vars(outside.begin(), outside.end()), done;
    std::vector<const Def*> work{function};
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !done.insert(d).second) continue;
        auto free = world_.free_vars(d);
        if (std::ranges::none_of(free, [&](auto v) { return vars.contains(v); })) continue;
        if (s_.tokens.is_token(d) && std::ranges::all_of(free, [&](auto v) { return vars.contains(v); })) return true;
        if (!is_part_of_parameter(d)) work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

bool Elab::loses_token(const Def* value, const ast::Expr* e) {
    if (!s_.has_tokens() || is_token(value)) return s_.has_tokens();
    // a call that returned a function has consumed its tokens; a function that is written here consumes its when it is called
    return e && result_expr(e)->kind == ast::ExprKind::App && value->isa<Lam>() && captures_token(value);
}

void Elab::drop(const Def* value, Span place, std::string token) {
    take_over(value); // said once
    if (function_) drops_.push_back({function_, place, std::move(token)});
    else error(Diag::token_dropped, place, {std::move(token)});
}

void Elab::settle_drops() {
    for (auto& d : drops_)
        if (!ends_for_good(world_, d.function)) error(Diag::token_dropped, d.place, {std::move(d.token)});
    drops_.clear();
    settle_effects();
}

/// Calls f(part, name or null, place) for each part for which `is_such` holds, among the names and elements that the pattern takes from
/// the value.
template<class F, class P>
void Elab::each_token(const ast::Pattern* p, const Def* value, F f, P is_such) {
    if (!is_such(value)) return;
    switch (p->kind) {
        case ast::PatternKind::NamePattern: {
            auto& name = ast::as<ast::NamePattern>(p)->name;
            return f(value, name.name, name.name ? name.span : p->span);
        }
        case ast::PatternKind::AsPattern: {
            auto& name = ast::as<ast::AsPattern>(p)->name;
            return f(value, name.name, name.span);
        }
        case ast::PatternKind::TypePattern: return f(value, Symbol(), p->span);
        case ast::PatternKind::GroupPattern: return;
        case ast::PatternKind::TuplePattern: break;
    }
    auto n    = world_.lit_arity(world_.refresh(value->type()));
    size_t i  = 0;
    auto part = [&] { return n == 1 ? value : world_.extract(value, i); };
    for (auto e : ast::as<ast::TuplePattern>(p)->elems) {
        if (auto group = ast::isa<ast::GroupPattern>(e)) {
            for (auto& name : group->names) {
                auto d = part();
                if (is_such(d)) f(d, name.name, name.name ? name.span : e->span);
                ++i;
            }
        } else {
            each_token(e, part(), f, is_such);
            ++i;
        }
    }
}

/// A parameter that is never mentioned is shown by its name as well, and at its place.
void Elab::name_tokens(const ast::Pattern* p, const Def* var) {
    auto name_it = [&](const Def* token, Symbol name, Span place) {
        if (token->node() != Node::Var && token->node() != Node::Extract) return;
        if (!world_.name(token)) world_.set_name(token, name ? name : world_.sym("_"));
        if (!world_.span(token)) world_.set_span(token, place);
    };
    each_token(p, var, name_it, [&](const Def* part) { return may_be_token(part); });
}

/// How a token without a name is called: by what makes it.
std::string Elab::token_text(Span maker) const {
    static constexpr size_t MaxText = 60;
    auto text                       = source_text(maker);
    return text.size() <= MaxText && text.find('\n') == text.npos ? text : "_";
}

/// `_` in a `let`.
void Elab::check_ignored(const ast::Let* let, const Def* value) {
    auto drop_it = [&](const Def* token, Symbol name, Span place) {
        if (!name) drop(token, place, token_text(let->value->span));
    };
    each_token(let->pattern, value, drop_it, [&](const Def* part) { return is_token(part); });
    auto name = ast::isa<ast::NamePattern>(let->pattern);
    if (name && !name->name.name && value && !is_token(value) && loses_token(value, let->value))
        drop(value, let->pattern->span, token_text(let->value->span));
}

/// A token for a parameter that is there for values of any type, and that the function does not mention: its call is evaluated, so no
/// other check will see it.
void Elab::check_passed(const Lam* lam, const Def* arg, const ast::Expr* place) {
    if (!is_token(arg) || !lam->is_set() || !lam->var()->isa<Var>()) return;
    auto is_mentioned = [&](const Def* leaf) {
        auto [it, fresh] = s_.mentioned.try_emplace(leaf);
        if (fresh) it->second = mentions(lam, leaf);
        return it->second;
    };
    auto check = [&](const Def* value, const Def* leaf, const ast::Expr* e) {
        if (!is_token(value) || s_.tokens.is_token(leaf) || is_mentioned(leaf)) return;
        auto& d = error(Diag::token_dropped, e->span, {token_text(e->span)});
        d.note(Diag::declared_here, world_.span(lam), {show(lam)});
    };
    auto n       = world_.lit_arity(lam->dom());
    bool is_list = n > 1 && n <= MaxElems && n == world_.lit_arity(arg->type());
    if (!is_list) return check(arg, lam->var(), place);
    auto tuple = ast::isa<ast::Tuple>(place);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        auto written = tuple && tuple->elems.size() == static_cast<size_t>(n) ? tuple->elems[i] : place;
        check(world_.extract(arg, i), world_.extract(lam->var(), i), written);
    }
}

/// Whether the body depends on this part of the variable, or on the variable as a whole.
bool Elab::mentions(const Lam* lam, const Def* leaf) {
    auto var = lam->var();
    std::vector<const Def*> work{lam->body()};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !world_.is_free_in(var, d) || !done.insert(d).second) continue;
        if (d == leaf || d == var) return true;
        auto ex = d->isa<Extract>();
        if (ex && ex->tuple() == var && isa_lit(ex->index())) continue; // another part
        work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

} // namespace mim
