// SPDX-License-Identifier: MIT
// Where control goes at the end of a function: which calls only come back through the continuations that they are given, and which
// continuations may be called more than once.
#include <algorithm>

#include "ir/token_check.h"

namespace mim {

namespace tokens {

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

bool is_never(const Def* d) { return d->type() && d->type()->node() == Node::Bot; }

bool is_continuation(const Def* d) {
    auto pi = d->type() ? d->type()->isa<Pi>() : nullptr;
    return pi && pi->is_cn();
}

bool takes_continuation(const Pi* pi) { return holds_function(pi->dom()); }

bool is_exit(const Def* d) { return is_continuation(d) && !takes_continuation(d->type()->as<Pi>()); }

std::vector<const Def*> return_elems(const App* app) {
    std::vector<const Def*> res;
    auto elems = arg_elems(app);
    for (size_t i = 0; i < elems.size(); ++i)
        if (!is_static(elems[i]) && is_continuation(elems[i]) && (i + 1 == elems.size() || is_exit(elems[i])))
            res.push_back(elems[i]);
    return res;
}

bool has_exit(const App* app) { return !return_elems(app).empty(); }

/// An axiom, applied or not, that knows no function but those that it gets next.
static bool is_plain_axiom(const Def* d) {
    for (; auto app = d->isa<App>(); d = app->callee())
        if (!is_static(app->arg()) && holds_function(app->arg()->type())) return false;
    return d->isa<Axm>();
}

bool comes_back_elsewhere(const App* app) {
    if (!app->callee()->isa<Lam>() && head_axiom(app->callee()) && !is_plain_axiom(app->callee())) return true;
    auto returns = return_elems(app);
    return std::ranges::any_of(arg_elems(app), [&](const Def* elem) {
        if (is_static(elem) || std::ranges::find(returns, elem) != returns.end()) return false;
        auto pi = elem->type()->isa<Pi>();
        if (!pi) return holds_function(elem->type());
        return !pi->is_cn() && holds_function(pi->codom()); // other functions return to who calls them
    });
}

Defs arg_elems(const App* app) { return app->arg()->node() == Node::Tuple ? app->arg()->ops() : app->ops().subspan(1); }

void callees(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) {
    std::vector<const Def*> todo{callee};
    std::unordered_set<const Def*> seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d).second) continue;
        auto ex    = d->isa<Extract>();
        auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
        if (auto lam = d->isa<Lam>()) lams.push_back(lam);
        else if (tuple) todo.insert(todo.end(), tuple->ops().rbegin(), tuple->ops().rend());
        else others.push_back(d);
    }
}

/// What is called by the call that `lam` ends in, or through which that comes back, are λs that must end for good as well: these are added.
static bool ends_in(World& world, const Lam* lam, std::vector<const Lam*>& next) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others, unknown;
    auto app   = lam->is_set() ? lam->body()->isa<App>() : nullptr;
    auto match = lam->is_set() ? lam->body()->isa<Match>() : nullptr;
    if (app && is_never(app)) callees(app->callee(), lams, others);
    else if (match && is_never(match))
        for (auto arm : match->arms()) callees(arm, lams, others);
    else return false;
    if (app) std::erase_if(lams, [&](auto callee) { return world.is_closed(callee); }); // comes back through what it gets
    if (!std::ranges::all_of(others, is_plain_axiom)) return false;
    if (app && comes_back_elsewhere(app)) return false;
    if (app)
        for (auto elem : return_elems(app)) callees(elem, lams, unknown);
    next.insert(next.end(), lams.begin(), lams.end());
    return unknown.empty();
}

/*
 * what comes back where
 */

/// The binder of the variable that `d` is a part of; null if it is something else.
static const Def* binder_of(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    auto var = d->isa<Var>();
    return var ? var->binder() : nullptr;
}

/// Where control goes when `app` is the last thing that happens.
void Check::end(Fn& f, const App* app) {
    Fn::End end;
    std::vector<const Def*> others;
    callees(app->callee(), end.callees, others);
    for (auto other : others)
        if (!is_plain_axiom(other) && (!has_exit(app) || leads_back(other))) end.unknown.push_back(binder_of(other));
    bool returns = leads_back(app->callee()); // what it gets are values: control goes to who gets them
    others.clear();
    for (auto elem : return_elems(app)) callees(elem, end.returns, others);
    if (!returns)
        for (auto other : others) end.unknown.push_back(binder_of(other));
    if (!returns && comes_back_elsewhere(app)) end.unknown.push_back(nullptr);
    f.ends.push_back(std::move(end));
}

void Check::end(Fn& f, const Match* match) {
    Fn::End end;
    std::vector<const Def*> others;
    for (auto arm : match->arms()) callees(arm, end.callees, others);
    for (auto other : others) end.unknown.push_back(binder_of(other));
    f.ends.push_back(std::move(end));
}

/// Backwards over the calls in tail position, from those of unknown continuations.
void Check::find_returns() {
    std::unordered_map<const Fn*, std::vector<Fn*>> before;
    std::vector<std::pair<Fn*, const Def*>> todo;
    auto found = [&](Fn* f, const Def* binder) {
        // a closed function only returns where its caller says
        if (binder == f->lam || world.is_closed(f->lam) || !f->leaves.insert(binder).second) return;
        todo.emplace_back(f, binder);
    };
    for (auto& f : fn_store_) {
        for (auto& end : f.ends) {
            for (auto binder : end.unknown) found(&f, binder);
            for (auto list : {&end.callees, &end.returns})
                for (auto lam : *list)
                    if (auto callee = fn(lam)) before[callee].push_back(&f);
        }
        if (!is_never(f.lam->body())) found(&f, nullptr);
    }
    while (!todo.empty()) {
        auto [f, binder] = todo.back();
        todo.pop_back();
        for (auto caller : before[f]) found(caller, binder);
    }
}

/*
 * continuations that are called more than once
 */

/// Whether `d` uses the continuation `ret` in a way that may call it twice: as anything but the callee or the return of a call, or with a
/// function that knows it.
bool Check::hands_out(const Def* ret, const Def* d) {
    auto app = d->isa<App>();
    if (!app) return std::ranges::any_of(value_ops(d), [&](auto op) { return op == ret; });
    auto elems    = arg_elems(app);
    auto returned = !elems.empty() && elems.back() == ret && is_never(d);
    if (std::ranges::count(elems, ret) > (returned ? 1 : 0)) return true;
    if (returned) return may_repeat(app);
    auto knows = [&](const Def* elem) { return !is_static(elem) && mentions(elem, ret); };
    return app->callee() == ret && std::ranges::any_of(elems, knows);
}

bool Check::mentions(const Def* root, const Def* leaf) {
    auto var = leaf;
    while (auto ex = var->isa<Extract>()) var = ex->tuple();
    std::vector<const Def*> todo{root};
    std::unordered_set<const Def*> seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (d == leaf) return true;
        if (!world.is_free_in(var, d) || !seen.insert(d).second) continue;
        for (auto op : value_ops(d))
            if (op && !is_static(op)) todo.push_back(op);
    }
    return false;
}

/// A call may call the continuation that it gets last more than once. Only if that takes functions: through these, control comes back.
bool Check::may_repeat(const App* app) {
    auto ret = arg_elems(app).back();
    if (is_exit(ret)) return false;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(app->callee(), lams, others);
    return !others.empty() || std::ranges::any_of(lams, [&](auto lam) { return may_repeat(lam); });
}

bool Check::may_repeat(const Lam* lam) {
    auto [it, fresh] = repeats_.try_emplace(lam, false); // on the way around a loop nothing is added
    if (!fresh) return it->second;
    auto n   = world.lit_arity(lam->dom());
    auto ret = n == 1 ? lam->var() : world.extract(lam->var(), static_cast<uint64_t>(n - 1));
    std::vector<const Def*> todo{lam->body()};
    std::unordered_set<const Def*> seen;
    bool res = false;
    while (!todo.empty() && !res) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !world.is_free_in(lam->var(), d) || !seen.insert(d).second) continue;
        res      = hands_out(ret, d) || (n != 1 && d->node() != Node::Extract && hands_out(lam->var(), d));
        auto app = d->isa<App>(); // what it hands out was seen: its argument is no tuple of its own
        for (auto op : app ? arg_elems(app) : value_ops(d))
            if (op) todo.push_back(op);
        if (app) todo.push_back(app->callee());
    }
    return repeats_[lam] = res;
}

} // namespace tokens

bool ends_for_good(World& world, const Lam* lam) {
    std::vector<const Lam*> todo{lam};
    std::unordered_set<const Lam*> seen;
    while (!todo.empty()) {
        lam = todo.back();
        todo.pop_back();
        if (seen.insert(lam).second && !tokens::ends_in(world, lam, todo)) return false;
    }
    return true; // on the way around a loop as well
}

} // namespace mim
