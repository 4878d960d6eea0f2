// SPDX-License-Identifier: MIT
#include "calls.h"

namespace mim::plug::autodiff {

std::optional<DefVec> elements(World& w, const Def* def) {
    static constexpr int64_t max_elements = 64;
    if (def->isa<Tuple>()) return DefVec(def->ops().begin(), def->ops().end());
    auto n = lit_arity(w, def->type());
    if (!def->isa<Pack>() || n < 0 || n > max_elements) return {};
    return def_vec(size_t(n), [&](auto i) { return w.extract(def, i); });
}

bool is_own(World& w, Span place) { return place.file == w.notes.span(w.annex(grad(0))).file; }

bool is_lifted(const Def* def) { return match<lift>(def) || match<lift_with>(def); }

void fail(World& w, Error e, const Def* at) {
    auto place = w.notes.span(at);
    if (place && !is_own(w, place)) e.rewritten = place;
    throw e;
}

/// Costs nothing, whether it is needed or not.
static bool is_simple(const Def* def) { return def->isa<Lit>() || is_variable(def); }

const Lam* Calls::function(const Def* def) {
    if (auto lam = isa_known(def)) return lam;
    auto axm     = head_axiom(def);
    bool is_axm  = axm && def->type()->isa<Pi>();
    auto& result = functions_[def];
    if (is_axm && !result) {
        auto made = world_.mut_lam(def->type());
        world_.set(made, world_.tt(), world_.app(def, made->var()));
        result = world_.seal(made)->isa<Lam>();
    }
    return result;
}

static bool holds_union_of_functions(World& w, const Def* type) {
    if (type->isa<Union>()) return holds_function(w, type);
    if (auto arr = type->isa<Arr>()) return holds_union_of_functions(w, arr->body());
    return type->isa<Sigma>() && std::ranges::any_of(type->ops(), [&](auto op) { return holds_union_of_functions(w, op); });
}

/// λ () = element
const Lam* Calls::delayed(const Def* element) {
    auto made = world_.mut_lam(world_.pi(world_.unit_type(), element->type()));
    world_.set(made, world_.tt(), element);
    return world_.seal(made)->as<Lam>();
}

/// λ v = value (v)
template<class F>
const Lam* Calls::arm(const Def* member, const Def* type, F value) {
    auto made = world_.mut_lam(world_.pi(member, type));
    world_.set(made, world_.tt(), value(made->var()));
    return world_.seal(made)->as<Lam>();
}

std::optional<Call> Calls::choice(const Extract* extract) {
    auto tuple = elements(world_, extract->tuple());
    if (!tuple || isa_lit(extract->index()) || std::ranges::all_of(*tuple, is_simple)) return {};
    if (extract->type()->isa<Pi>() || is_type(extract)) return {};
    Call call{{}, extract->index(), world_.unit()};
    for (auto element : *tuple) call.targets.push_back(delayed(element));
    return call;
}

/// A call of a function that a chosen one has made, such as a pullback, or another value that it has made:
/// `((f, g)#i a)#1 s` is `(λ s. (f a)#1 s, λ s. (g a)#1 s)#i s`. Null for arg: a value.
std::optional<Call> Calls::call_of_made(const Extract* made, const Def* arg) {
    auto call      = find(made->tuple());
    bool is_choice = call && call->is_choice() && isa_lit(made->index());
    if (!is_choice || !holds_function(world_, made->tuple()->type())) return {};
    if (call->is_match()) return made_by_match(*call, made, arg);
    Call result{{}, call->index, arg ? arg : world_.unit()};
    for (auto target : call->targets) {
        if (target->filter() != world_.tt()) return {};
        auto part = world_.extract(world_.app(target, call->arg), made->index());
        auto f    = arg ? isa_known(part) : delayed(part);
        if (!f) return {};
        result.targets.push_back(f);
    }
    return result;
}

/// The same of what the arms of a match have made: `(match u with arms)#1 s` is `match u with λ v. (arm v)#1 s`.
std::optional<Call> Calls::made_by_match(const Call& call, const Extract* made, const Def* arg) {
    auto type = arg ? world_.app(made, arg)->type() : made->type();
    Call result{{}, nullptr, call.arg};
    for (auto target : call.targets) {
        if (target->filter() != world_.tt()) return {};
        auto part = [&](const Def* v) {
            auto element = world_.extract(world_.app(target, v), made->index());
            return arg ? world_.app(element, arg) : element;
        };
        result.targets.push_back(arm(target->dom(), type, part));
    }
    return result;
}

/// A use of the result of a call, as that call: its functions are unfolded.
template<class F>
std::optional<Call> Calls::distributed(const Call& made, const Def* type, F rest) {
    Call result{{}, made.index, made.is_match() ? made.arg : world_.unit()};
    for (auto target : made.targets) {
        if (refers_to(world_, target->body(), target)) return {};
        auto value = [&](const Def* x) { return rest(world_.beta(target, x)); };
        result.targets.push_back(made.is_match() ? arm(target->dom(), type, value) : delayed(value(made.arg)));
    }
    return result;
}

/// A call of what a function returns, which stays a function: its text is known where it is made.
std::optional<Call> Calls::call_of_result(const App* app) {
    auto made = app->callee()->isa<App>() ? find(app->callee()) : nullptr;
    if (!made || made->turns) return {};
    return distributed(*made, app->type(), [&](auto f) { return world_.app(f, app->arg()); });
}

/// A match of what functions make, a union with functions in it, as the choice of one of these and the match of what it makes: such a
/// union has no cotangent. It is known where it is made then, and no value is left of it.
std::optional<Call> Calls::match_of_made(const Match* match, const Def* type, const Def* arg) {
    bool holds = holds_function(world_, match->scrutinee()->type());
    auto made  = holds ? find(match->scrutinee()) : nullptr;
    if (!made || made->turns) return {};
    auto arms = DefVec(match->arms().begin(), match->arms().end());
    return distributed(*made, type, [&](auto scrutinee) {
        auto value = world_.match(scrutinee, arms);
        return arg ? world_.app(value, arg) : value;
    });
}

/// Each arm is a function of its member, which is applied to the argument then, if there is one.
std::optional<Call> Calls::match(const Match* match, const Def* type, const Def* arg) {
    if (is_type(match)) return {};
    if (auto of_made = match_of_made(match, type, arg)) return of_made;
    Call call{{}, nullptr, match->scrutinee()};
    for (auto of_member : match->arms()) {
        auto lam   = arg ? nullptr : function(of_member);
        auto value = [&](const Def* v) {
            auto made = world_.app(of_member, v);
            return arg ? world_.app(made, arg) : made;
        };
        call.targets.push_back(lam ? lam : arm(of_member->type()->as<Pi>()->dom(), type, value));
    }
    return call;
}

std::optional<Call> Calls::call_of(const Def* def) {
    if (auto of_union = def->isa<Match>()) return match(of_union, def->type(), nullptr);
    if (auto extract = def->isa<Extract>()) {
        bool is_value = !extract->type()->isa<Pi>() && !is_type(extract);
        auto made     = is_value ? call_of_made(extract, nullptr) : std::nullopt;
        return made ? made : choice(extract);
    }
    auto app = def->isa<App>();
    if (mim::match<autodiff::loop>(def)) return Call{{function(group(def, 2))}, nullptr, app->arg(), group(def, 1)};
    if (!app || head_axiom(app)) return {};
    if (auto target = function(app->callee())) {
        bool takes_functions = is_reverse_ ? holds_function(world_, target->dom())
                                           : holds_union_of_functions(world_, target->dom());
        bool is_unfolded     = takes_functions && !refers_to(world_, target->body(), target);
        if (is_unfolded) return Call{{delayed(world_.beta(target, app->arg()))}, nullptr, world_.unit()};
        return Call{{target}, nullptr, app->arg()};
    }
    if (auto of_union = app->callee()->isa<Match>()) return match(of_union, app->type(), app->arg());
    if (auto of_made = call_of_result(app)) return of_made;
    auto extract = app->callee()->isa<Extract>();
    if (auto chosen = extract ? call_of_made(extract, app->arg()) : std::nullopt) return chosen;
    auto tuple = extract ? elements(world_, extract->tuple()) : std::nullopt;
    if (!tuple) return {};
    Call call{{}, extract->index(), app->arg()};
    for (auto element : *tuple) {
        auto target = function(element);
        if (!target) return {};
        call.targets.push_back(target);
    }
    return call;
}

const Call* Calls::find(const Def* def) {
    if (!def->isa<App>() && !def->isa<Extract>() && !def->isa<Match>()) return nullptr;
    auto known = calls_.find(def);
    if (known == calls_.end()) known = calls_.emplace(def, call_of(def)).first;
    return known->second ? &*known->second : nullptr;
}

} // namespace mim::plug::autodiff
