// SPDX-License-Identifier: MIT
// Functions that hold a token and are used as a value (E302): λs that capture one, and applications of an axiom or a λ to a token that wait for
// more arguments, as in
//
//     %clos.make (mem, λ (mem, self) = …)
//
// Nothing in the type of such a function shows the token. So it may be called, or be the continuation that a call returns to, but who stores it,
// returns it, or puts it into a tuple or a union could call it twice or never. How to write it instead: it takes the token as its
// first parameter, and gives one back if it returns.
#include "linear/escape.h"

#include <algorithm>
#include <iterator>

#include "linear/check.h"
#include "linear/edges.h"

namespace mim::linear {

namespace {

class Remedy {
public:
    Remedy(TokenTypes& types, World& world, const Def* token)
        : types_(types)
        , world_(world)
        , token_(token) {}

    /// The type of a function of type `pi` that takes the token; null if elements of its domain are typed by others.
    const Def* type(const Pi* pi) {
        if (pi->is_mut()) return nullptr;
        if (!pi->is_cn()) return world_.pi(with_token(pi->dom()), result(pi->codom()));
        auto sigma  = pi->dom()->isa<Sigma>();
        auto ret    = sigma && !sigma->is_mut() && sigma->num_ops() == 2 ? sigma->op(1)->isa<Pi>() : nullptr;
        bool is_fun = ret && !ret->is_mut() && ret->is_cn();
        return is_fun ? world_.fn(with_token(sigma->op(0)), result(ret->dom())) : world_.cn(with_token(pi->dom()));
    }

private:
    const Def* result(const Def* type) { return types_.contains(type) ? type : with_token(type); }

    /// As its first element.
    const Def* with_token(const Def* type) {
        std::vector<const Def*> elems{token_};
        if (type->isa<Sigma>() && !type->is_mut()) elems.insert(elems.end(), type->ops().begin(), type->ops().end());
        else elems.push_back(type);
        return world_.sigma(elems);
    }

    TokenTypes& types_;
    World& world_;
    const Def* token_;
};

} // namespace

/// Of an application that waits for more arguments: a token among these, or within one of them, that `f` accepts; null if there is none.
template<class F>
static const Def* find_argument(World& world, const Def* d, F f) {
    for (; d->isa<App>(); d = d->as<App>()->callee()) {
        auto elems = call_elems(world, d->as<App>());
        auto token = std::ranges::find_if(elems, f);
        if (token != elems.end()) return *token;
    }
    return nullptr;
}

const Def* token_argument(Check& c, const Def* function) {
    bool waits = function->isa<App>() && c.facts.is_token(function);
    if (!waits) return nullptr;
    return find_argument(c.world, function, [&](const Def* d) { return !is_static(d) && c.facts.is_token(d); });
}

Violation token_escape(Check& c, const Lam* around, const Def* function, const Def* token) {
    Violation v{Diag::token_escapes, {function, token}, around, function, {{Diag::token_made_here, token}}};
    auto pi       = function->type()->as<Pi>();
    bool is_known = function->isa<Lam>() && !token->type()->isa<Pi>(); // and no function that waits for more
    auto type     = is_known ? Remedy(c.types, c.world, token->type()).type(pi) : nullptr;
    if (type) v.notes.push_back({Diag::token_as_argument, nullptr, {type, pi}});
    return v;
}

/// A parameter that is called may only return the function, so that counts. Phases put calls in place of functions:
/// then it does not.
bool keeps_function(Check& c, const Def* user, const Edge& edge) {
    auto d = edge.to.def;
    if (c.is_inlined() || user->isa<Lam>() || !d->isa<App>() || !d->type()->isa<Pi>() || !c.facts.is_token(d)) return false;
    if (edge.kind == Edge::Return) return binder_of(user->as<App>()->callee());
    return edge.to.mode == Mode::Value;
}

/// The tokens that functions capture which are values, and may leave through something around them.
static std::vector<const Def*> carried_tokens(Check& c) {
    std::vector<const Def*> res;
    auto add = [&](const Lam* lam) {
        auto fn = c.summaries.fn(lam);
        if (!fn || !c.leaving.may_leave(lam)) return;
        std::ranges::copy_if(fn->captures, std::back_inserter(res), [&](auto d) { return c.facts.is_token(d); });
    };
    for (auto& f : c.summaries.all()) {
        for (auto& use : f.escaping) add(use.lam);
        for (auto& use : f.jumps) add(use.lam);
    }
    for (auto& violation : c.reports.all()) // what a call returns to may be such a value as well
        if (violation.id == Diag::token_escapes)
            if (auto lam = std::get<const Def*>(violation.args[0])->isa<Lam>()) add(lam);
    return res;
}

/// In the program as it was written, such a function left through what its maker returns to, and captured nothing. Since that was
/// inlined, it captures the tokens of the rest, and no path shows who calls it.
void drop_carried(Check& c) {
    auto carried    = carried_tokens(c);
    auto is_carried = [&](const Violation& violation) {
        auto token = std::get<const Def*>(violation.args.back());
        return std::ranges::any_of(carried, [&](auto other) { return token == other || c.effects.have_common(token, other); });
    };
    c.reports.drop(is_carried);
}

void check_escapes(Check& c, const Fn& f) {
    auto report      = [&](const Def* function, const Def* token) { c.reports.add(token_escape(c, f.lam, function, token)); };
    auto report_lams = [&](const std::vector<Fn::Use>& uses, auto is_wrong) {
        for (auto& use : uses) {
            auto& captures = c.summaries.fn(use.lam)->captures;
            auto token     = std::ranges::find_if(captures, is_wrong);
            if (token != captures.end()) report(use.lam, *token);
        }
    };
    auto is_token   = [&](const Def* d) { return !is_static(d) && c.facts.is_token(d); };
    auto is_outside = [&](const Def* d) { return is_token(d) && !is_free_in(c.world, f.lam->var(), d); };
    report_lams(f.escaping, is_token);
    for (auto function : f.kept)
        if (auto token = find_argument(c.world, function, is_token)) report(function, token);
    // A curried function that got a token is a token itself, so the function that it returns is called once.
    report_lams(f.results, is_outside);
    auto result = f.lam->body();
    if (c.is_inlined() || !result->isa<App>() || !result->type()->isa<Pi>() || !c.facts.is_token(result)) return;
    if (auto token = find_argument(c.world, result, is_outside)) report(result, token);
}

} // namespace mim::linear
