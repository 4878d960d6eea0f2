// SPDX-License-Identifier: MIT
#include "sema/tokens.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace mim {

bool Tokens::exist() {
    if (annexes_.size() != num_annexes_) {
        num_annexes_ = annexes_.size();
        exist_       = world_.annexes.has_linear_types();
    }
    return exist_;
}

bool Tokens::is_token(const Def* value) {
    if (!value || !exist()) return false;
    for (; value->type()->isa<Pi>() && value->isa<App>(); value = value->as<App>()->callee())
        if (is_token(value->as<App>()->arg())) return true;
    return types_.is_token(value);
}

bool Tokens::may_be_token(const Def* value) {
    if (!value || !exist() || is_static(value)) return false;
    auto vars = free_vars(world_, value->type());
    return is_token(value) || std::ranges::any_of(vars, [](auto var) { return holds_types(var->type()); });
}

/// An element of a parameter: the others beside it are not mentioned by it.
static bool is_part_of_parameter(const Def* def) {
    if (!def->isa<Extract>()) return false;
    for (auto ex = def->isa<Extract>(); ex; def = ex->tuple(), ex = def->isa<Extract>())
        if (!isa_lit(ex->index())) return false;
    return def->node() == Node::Var;
}

/// The aggregate that elements with known indices are taken from; any other expression itself.
static const Def* aggregate_of(const Def* def) {
    for (auto ex = def->isa<Extract>(); ex && isa_lit(ex->index()); ex = def->isa<Extract>()) def = ex->tuple();
    return def;
}

/// Whether calling this function would consume a token from outside of it.
bool Tokens::captures_token(const Def* function) {
    auto outside = free_vars(world_, function);
    std::unordered_set<const Def*> vars(outside.begin(), outside.end()), done;
    std::vector<const Def*> work{function};
    auto is_outside = [&](const Def* var) { return vars.contains(var); };
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !done.insert(d).second) continue;
        auto free = free_vars(world_, d);
        if (std::ranges::none_of(free, is_outside)) continue;
        if (types_.is_token(d) && std::ranges::all_of(free, is_outside)) return true;
        auto aggregate = aggregate_of(d);
        bool is_result = aggregate != d && std::ranges::all_of(free_vars(world_, aggregate), is_outside);
        if (is_result) continue; // of an effect outside, which happens there
        if (!is_part_of_parameter(d)) work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

bool Tokens::is_lost_with(const Def* value, const ast::Expr* e) {
    if (!exist() || is_token(value)) return exist();
    // a call that returned a function has consumed its tokens; a function that is written here consumes its when it is
    // called
    return e && result_expr(e)->kind == ast::ExprKind::App && value->isa<Lam>() && captures_token(value);
}

void Tokens::name(const ast::Pattern* p, const Def* var) {
    auto name_it = [&](const Def* token, Symbol name, Span place) {
        if (token->node() != Node::Var && token->node() != Node::Extract) return;
        if (!world_.notes.name(token)) world_.notes.set_name(token, name ? name : world_.sym("_"));
        if (!world_.notes.span(token)) world_.notes.set_span(token, place);
    };
    each(p, var, name_it, [&](const Def* part) { return may_be_token(part); });
}

bool Tokens::mentions(const Lam* lam, const Def* leaf) {
    auto [it, fresh] = mentions_.try_emplace(leaf);
    if (fresh) it->second = search(lam, leaf);
    return it->second;
}

bool Tokens::search(const Lam* lam, const Def* leaf) {
    auto var = lam->var();
    std::vector<const Def*> work{lam->body()};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !is_free_in(world_, var, d) || !done.insert(d).second) continue;
        if (d == leaf || d == var) return true;
        auto ex = d->isa<Extract>();
        if (ex && ex->tuple() == var && isa_lit(ex->index())) continue; // another part
        work.insert(work.end(), d->ops().begin(), d->ops().end());
    }
    return false;
}

} // namespace mim
