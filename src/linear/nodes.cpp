// SPDX-License-Identifier: MIT
#include "linear/nodes.h"

#include <algorithm>

#include "ir/def_set.h"

namespace mim::linear {

/*
 * parts
 */

Defs value_ops(const Def* d) {
    switch (d->node()) {
        case Node::Var:
        case Node::Hole:
        case Node::Pi:
        case Node::Sigma:
        case Node::Arr:
        case Node::Union:
        case Node::Sing: return {};
        case Node::Lam: return d->is_set() ? d->ops().subspan(1) : Defs();
        default: return d->is_set() ? d->ops() : Defs();
    }
}

const Tuple* isa_choice(const Def* d) {
    auto ex = d->isa<Extract>();
    return ex ? ex->tuple()->isa<Tuple>() : nullptr;
}

const Lam* named_function(const Def* callee) {
    while (auto app = callee->isa<App>()) callee = app->callee();
    return callee->isa<Lam>();
}

bool is_unknown_end(const Def* d) {
    bool is_known = d->node() == Node::App || d->node() == Node::Match || isa_choice(d);
    return is_never(d) && !is_known;
}

bool is_continuation(const Def* d) {
    auto pi = d->type() ? d->type()->isa<Pi>() : nullptr;
    return pi && pi->is_cn();
}

bool makes_types(const Def* d) {
    static constexpr int MaxGroups = 64; // a recursive type of functions has no last one
    auto type                      = d->type();
    for (int i = 0; i != MaxGroups; ++i) {
        auto pi = type ? type->isa<Pi>() : nullptr;
        if (!pi) return i != 0 && type && type->node() == Node::Sort;
        type = pi->codom();
    }
    return false;
}

bool takes_continuation(const Pi* pi) { return holds_function(pi->dom()); }

bool is_exit(const Def* d) { return is_continuation(d) && !takes_continuation(d->type()->as<Pi>()); }

const Def* binder_of(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    auto var = d->isa<Var>();
    return var ? var->binder() : nullptr;
}

const Def* last_param(World& world, const Lam* lam) {
    auto n = lit_arity(world, lam->dom());
    return n > 1 ? world.extract(lam->var(), static_cast<uint64_t>(n - 1)) : lam->var();
}

const Def* param(World& world, const Lam* lam, size_t i) {
    return lit_arity(world, lam->dom()) > 1 ? world.extract(lam->var(), uint64_t(i)) : lam->var();
}

const Lam* outermost(World& world, const Lam* lam) {
    for (const Def* d = lam;;) {
        auto vars = free_vars(world, d);
        if (vars.empty()) return lam;
        d = vars.front()->as<Var>()->binder();
        if (auto outer = d->isa<Lam>()) lam = outer;
    }
}

bool is_made_from(const Def* def, const Def* part, std::unordered_map<const Def*, bool>& known) {
    std::vector<const Def*> todo{def};
    while (!todo.empty()) {
        auto d = todo.back();
        if (known.contains(d)) {
            todo.pop_back();
            continue;
        }
        bool res = d == part, waits = false;
        if (!res && !d->isa<Lam>() && !d->isa<Var>())
            for (auto op : value_ops(d)) {
                if (!op || is_static(op)) continue;
                auto it = known.find(op);
                if (it == known.end()) waits = true, todo.push_back(op);
                else res |= it->second;
            }
        if (!res && waits) continue;
        known.emplace(d, res);
    }
    return known.at(def);
}

/*
 * calls
 */

void callees(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) {
    if (auto lam = callee->isa<Lam>()) return lams.push_back(lam);
    if (!isa_choice(callee)) return others.push_back(callee);
    SmallVector<const Def*, 8> todo;
    DefSet seen;
    todo.push_back(callee);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) lams.push_back(lam);
        else if (auto tuple = isa_choice(d)) todo.append(tuple->ops().rbegin(), tuple->ops().rend());
        else others.push_back(d);
    }
}

/// The argument is passed on as a whole, and has elements that are told apart.
static bool passes_whole(World& world, const App* app) {
    auto n = app->arg()->node() == Node::Tuple ? 1 : lit_arity(world, app->arg()->type());
    return n >= 2 && n <= MaxElems;
}

Elems call_elems(World& world, const App* app) {
    Elems res;
    auto elems = arg_elems(app);
    if (!passes_whole(world, app)) return res.append(elems.begin(), elems.end()), res;
    auto n = static_cast<uint64_t>(lit_arity(world, app->arg()->type()));
    for (uint64_t i = 0; i < n; ++i) res.push_back(world.extract(app->arg(), i));
    return res;
}

Elems return_elems(World& world, const App* app) {
    Elems res, whole;
    auto elems = arg_elems(app);
    if (passes_whole(world, app)) {
        whole = call_elems(world, app);
        elems = {whole.data(), whole.size()};
    }
    for (size_t i = 0; i < elems.size(); ++i) {
        if (is_static(elems[i]) || !is_continuation(elems[i])) continue;
        if (i + 1 == elems.size() || is_exit(elems[i])) res.push_back(elems[i]);
    }
    return res;
}

bool has_exit(World& world, const App* app) { return !return_elems(world, app).empty(); }

std::vector<const Def*> functions_so_far(const Def* applied) {
    std::vector<const Def*> res;
    any_function_so_far(applied, [&](auto function) { return res.push_back(function), false; });
    return res;
}

/// Those that an axiom got before.
static std::vector<const Def*> earlier_functions(const App* app) {
    bool is_axiom = !app->callee()->isa<Lam>() && head_axiom(app->callee());
    return is_axiom ? functions_so_far(app->callee()) : std::vector<const Def*>();
}

bool comes_back_elsewhere(World& world, const App* app, const IsSuchType& holds_way) {
    auto leads_elsewhere = [&](const Def* elem) { return elem->type()->isa<Pi>() ? is_exit(elem) : holds_way(elem->type()); };
    if (std::ranges::any_of(earlier_functions(app), leads_elsewhere)) return true;
    auto returns = return_elems(world, app);
    return std::ranges::any_of(call_elems(world, app), [&](const Def* elem) {
        if (is_static(elem) || std::ranges::find(returns, elem) != returns.end()) return false;
        auto pi = elem->type()->isa<Pi>();
        if (!pi) return holds_way(elem->type());
        return !pi->is_cn() && holds_way(pi->codom()); // other functions return to who calls them
    });
}

void passed(World& world, const App* app, std::vector<const Lam*>& lams, std::vector<const Def*>& others) {
    auto returns = is_never(app) ? return_elems(world, app) : Elems();
    auto todo    = earlier_functions(app);
    for (auto elem : call_elems(world, app))
        if (!is_static(elem) && holds_function(elem->type()) && std::ranges::find(returns, elem) == returns.end())
            todo.push_back(elem);
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        if (d->node() == Node::Tuple) todo.insert(todo.end(), d->ops().begin(), d->ops().end());
        else if (holds_function(d->type())) callees(d, lams, others);
        if (d->node() != Node::App || !head_axiom(d) || !holds_function(d->type())) continue;
        auto functions = functions_so_far(d); // it may be one of these, or call them
        todo.insert(todo.end(), functions.begin(), functions.end());
    }
}

} // namespace mim::linear
