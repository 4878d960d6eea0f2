// SPDX-License-Identifier: MIT
#include "holders.h"

#include <algorithm>

#include "analysis/axiom_param.h"
#include "base/worklist.h"
#include "bodies.h"
#include "ir/token_types.h"

namespace mim::plug::clos {

namespace {

std::vector<const Lam*> functions_in(const Snapshot& snapshot) {
    std::vector<const Lam*> result;
    for (auto def : snapshot.nodes()) {
        auto lam = def->isa<Lam>();
        if (lam && lam->is_cn() && lam->is_set()) result.push_back(lam);
    }
    return result;
}

} // namespace

bool takes_functions(const CnView& view) {
    return std::ranges::any_of(view.params, [](auto& p) { return holds_function(p.type); });
}

Holders::Holders(World& world, Program& program, const Snapshot& snapshot)
    : world_(world)
    , program_(program)
    , snapshot_(snapshot) {
    auto lams = functions_in(snapshot);
    find_homes(lams);
    for (auto lam : lams) {
        scan(lam);
        if (has_unsuitable_type(lam)) add(lam);
    }
}

/// A function, and no block of one.
bool Holders::is_entry(const Lam* lam) { return has_return(lam) || program_.is_escaping(lam) || snapshot_.is_external(lam); }

void Holders::find_homes(const std::vector<const Lam*>& lams) {
    for (auto lam : lams)
        if (is_entry(lam)) find_home(lam);
}

void Holders::find_home(const Lam* entry) {
    Worklist<const Lam*> todo{entry};
    homes_[entry] = entry;
    while (auto lam = todo.next()) {
        each_in_body(lam, [&](const Def* def) {
            auto block = def->isa<Lam>();
            if (!block || !block->is_cn() || !block->is_set() || is_entry(block)) return;
            auto [home, is_new] = homes_.try_emplace(block, entry);
            if (!is_new && home->second != entry) home->second = nullptr;
            todo.push(block);
        });
    }
}

void Holders::scan(const Lam* lam) {
    each_in_body(lam, [&](const Def* def) {
        if (auto app = def->isa<App>()) return scan_call(lam, app);
        if (def->isa<Lam>() || def->isa<Extract>()) return;
        if (def->isa<Tuple>() && is_only_called(def)) return;
        for (auto op : def->ops()) scan_value(op);
    });
}

/// The tuple is the argument of calls, which look at it, or the arms of branches.
bool Holders::is_only_called(const Def* tuple) {
    auto [known, is_new] = only_called_.try_emplace(tuple); // `()` is in most functions, and has a user in each
    if (!is_new) return known->second;
    return known->second = std::ranges::all_of(snapshot_.users(tuple), [&](auto user) {
               if (user->template isa<Extract>()) return true;
               auto app    = user->template isa<App>();
               auto callee = app ? app->callee()->type()->template isa<Pi>() : nullptr;
               return callee && callee->is_cn();
           });
}

void Holders::scan_call(const Lam* caller, const App* app) {
    auto pi = app->callee()->type()->isa<Pi>();
    if (!pi || !pi->is_cn()) return scan_value(app->arg());
    auto extract = app->callee()->isa<Extract>();
    auto arms    = extract ? extract->tuple()->isa<Tuple>() : nullptr;
    if (!arms || program_.isa_ret(extract)) return scan_callee(caller, app, app->callee());
    for (auto arm : arms->ops()) scan_callee(caller, app, arm);
}

void Holders::scan_callee(const Lam* caller, const App* app, const Def* callee) {
    scan_argument(app, callee);
    if (callee->isa<Lam>() || callee->isa<Axm>() || is_operation(callee)) return;
    auto owner = program_.isa_ret(callee);
    if (!owner) return add(app);
    auto home = homes_.find(caller);
    if (home != homes_.end() && home->second == owner) return;
    add(app);
}

/// A return may be passed on to where the callee returns to.
void Holders::scan_argument(const App* app, const Def* callee) {
    auto arg = app->arg();
    auto n   = lit_arity(world_, arg->type());
    if (n < 0 || n > max_flat_params || program_.isa_ret(arg)) {
        if (!is_return_at(callee, 0)) scan_value(arg);
        return;
    }
    for (size_t i = 0; i != size_t(n); ++i)
        if (!is_return_at(callee, i)) scan_value(world_.extract(arg, i));
}

/// A return that is a value.
void Holders::scan_value(const Def* def) {
    auto var   = def->isa<Var>();
    auto n     = var ? lit_arity(world_, var->type()) : 0;
    auto last  = n > 1 ? world_.extract(def, uint64_t(n - 1)) : def;
    auto owner = program_.isa_ret(def) ? program_.isa_ret(def) : program_.isa_ret(last);
    if (!owner) return;
    leaves_ = true;
    add(owner);
}

/// Element i of its argument is where `callee` returns to.
bool Holders::is_return_at(const Def* callee, size_t i) {
    auto lam = callee->isa<Lam>();
    if (program_.isa_ret(callee) || (lam && program_.is_cont(lam))) return false;
    auto view = view_cn(world_, callee->type()->as<Pi>()->dom(), true);
    return view.has_ret() && size_t(view.ret) == i;
}

/// Function types change, so a function that has any in its own type does as well. One that takes some, and calls none, returns to
/// its callers, if all of these are known. So does one that returns some, if no type depends on them.
bool Holders::has_unsuitable_type(const Lam* lam) {
    if (!has_return(lam)) return program_.is_cont(lam) && view_cn(world_, lam->dom(), true).has_ret() && !is_arm(lam);
    auto view         = program_.view(lam);
    bool is_dependent = lam->dom()->is_mut();
    return (is_dependent && holds_function(view.result)) || (takes_functions(view) && !has_known_callers(lam));
}

/// It takes members of a union, whatever they hold.
bool Holders::is_arm(const Lam* lam) {
    return std::ranges::all_of(snapshot_.users(lam), [](auto user) { return user->template isa<Match>() != nullptr; });
}

/// It is called, or an axiom asks for it and calls it: nobody else gets it.
bool Holders::has_known_callers(const Lam* lam) {
    if (snapshot_.is_external(lam)) return false;
    return std::ranges::all_of(snapshot_.users(lam), [&](auto user) {
        auto app = user->template isa<App>();
        if (!app) return false;
        if (app->callee() == lam) return true;
        auto asked_for = declared_param(world_, app->callee());
        return asked_for && asked_for->template isa<Pi>();
    });
}

void Holders::add(const Def* def) {
    Worklist<const Def*> todo{def};
    while (auto holder = todo.next())
        if (holders_.insert(holder).second) todo.push_all(snapshot_.users(holder));
}

} // namespace mim::plug::clos
