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

/// λ () = element
const Lam* Calls::delayed(const Def* element) {
    auto made = world_.mut_lam(world_.pi(world_.unit_type(), element->type()));
    world_.set(made, world_.tt(), element);
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
    auto call = find(made->tuple());
    if (!call || !call->index || !isa_lit(made->index()) || !holds_function(world_, made->tuple()->type())) return {};
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

std::optional<Call> Calls::call_of(const Def* def) {
    if (auto extract = def->isa<Extract>()) {
        bool is_value = !extract->type()->isa<Pi>() && !is_type(extract);
        auto made     = is_value ? call_of_made(extract, nullptr) : std::nullopt;
        return made ? made : choice(extract);
    }
    auto app = def->isa<App>();
    if (!app || head_axiom(app)) return {};
    if (auto target = function(app->callee())) return Call{{target}, nullptr, app->arg()};
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
    if (!def->isa<App>() && !def->isa<Extract>()) return nullptr;
    auto known = calls_.find(def);
    if (known == calls_.end()) known = calls_.emplace(def, call_of(def)).first;
    return known->second ? &*known->second : nullptr;
}

} // namespace mim::plug::autodiff
