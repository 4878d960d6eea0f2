// SPDX-License-Identifier: MIT
#include "linear/storing.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

/// Whether the value is made of closed functions alone. A choice gives an element; its index holds no function.
static bool knows_no_function(World& world, const Def* value) {
    while (auto choice = value->isa<Extract>()) value = choice->tuple();
    return is_closed(world, value);
}

/*
 * single calls
 */

/// Any axiom may put what it gets with a token into memory. A pointer stores no function: what lies behind it was stored before.
bool Storing::stores(const App* app) {
    auto lam     = app->callee()->isa<Lam>();
    bool is_c    = lam && !lam->is_set();
    bool effects = head_axiom(app->callee()) && !is_never(app) && check_.facts.is_token(app->arg());
    return (is_c || effects) && gets_function(arg_elems(app));
}

/// Values that this axiom makes may hold a function although their types do not show it: it works on data of any type, as a `bitcast` does, or
/// the program itself declares it. Any other axiom passes functions on as values of the types that it is instantiated with, or calls them. What
/// is evaluated by need keeps nothing.
static bool may_hide(const Axiom& axiom) { return axiom.own || (axiom.has(Axiom::TokenFree) && !axiom.has(Axiom::ByNeed)); }

static bool is_c(const Def* callee) {
    auto axm = head_axiom(callee);
    auto lam = callee->isa<Lam>();
    return axm ? axm->axiom().kind != Axiom::Op : lam && !lam->is_set();
}

/// C may keep a function that it gets beside its return; see `may_hide` for axioms. Phases hide only what is called once.
bool Storing::hides(const App* app) {
    if (check_.is_inlined()) return false;
    auto elems = arg_elems(app);
    auto axm   = head_axiom(app->callee());
    if (is_c(app->callee())) {
        bool returns = !elems.empty() && is_continuation(elems.back());
        return gets_function(returns ? elems.first(elems.size() - 1) : elems);
    }
    if (!axm || !may_hide(axm->axiom()) || is_never(app)) return false;
    if (holds_function(app->type()) || check_.facts.is_token(app->arg())) return false;
    bool gets = gets_function(elems);
    for (auto callee = app->callee(); axm->axiom().own && callee->isa<App>(); callee = callee->as<App>()->callee())
        gets |= gets_function(arg_elems(callee->as<App>()));
    return gets;
}

bool Storing::gets_function(Defs elems) {
    return std::ranges::any_of(elems, [&](auto elem) {
        bool holds = !is_static(elem) && holds_function_itself(elem->type())
                     && check_.given_types.may_hold_function(elem->type());
        return holds && !knows_no_function(check_.world, elem);
    });
}

/// C makes a token of no other one. With it, the code around may store what it likes.
bool Storing::makes_token(const App* app) {
    if (!is_c(app->callee()) || check_.facts.is_token(app->arg())) return false;
    auto pi  = app->callee()->type()->as<Pi>();
    auto ret = last_continuation(pi);
    return check_.types.contains(ret ? ret->dom() : pi->codom());
}

uint8_t Storing::kinds_of(const App* app) {
    if (makes_token(app)) return Hides;
    if (is_static(app->arg())) return None;
    if (hides(app)) return Stores | Hides;
    return stores(app) ? Stores : None;
}

/*
 * the code of the program
 */

/// A function that nobody knows may be an axiom that somebody got as a value, or C.
void Storing::note_value(const Def* value) {
    auto pi = is_static(value) ? nullptr : value->type()->isa<Pi>();
    if (!pi || !holds_function_itself(pi->dom())) return;
    auto lam = value->isa<Lam>();
    if (lam ? !lam->is_set() : head_axiom(value) != nullptr) add_type(pi, Stores | Hides);
}

/// What mentions code reaches it. An axiom reaches what rules put in its place.
void Storing::link(const Def* user) {
    auto to      = place(user);
    auto mention = [&](const Def* code) {
        if (auto from = place(code); from != to) users_[from].push_back(to);
    };
    for (auto op : value_ops(user))
        if (op && !is_static(op)) mention(op);
    if (auto axm = user->isa<Axm>())
        for (auto lam : check_.rules.functions(axm->axiom())) mention(lam);
}

/// The call of a function which gets functions, one of which may know what is asked about.
void Storing::link_call(const App* app) {
    auto kinds = kinds_of(app);
    if (kinds == None && !gets_function(arg_elems(app))) return;
    auto at = static_cast<uint32_t>(users_.size());
    users_.push_back({place(app)});
    kinds_.push_back(None);
    calls_.emplace(app, at);
    add(at, kinds);
    link_callee(app->callee(), at);
}

/// A parameter of a λ that is only called by itself stands for what its calls pass.
void Storing::link_callee(const Def* callee, uint32_t at) {
    std::vector<const Def*> todo{callee};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        if (d == callee && head_axiom(d)) {
            if (check_.is_inlined()) continue;
            auto functions = functions_so_far(d);
            todo.insert(todo.end(), functions.begin(), functions.end());
            continue;
        }
        if (d->isa<Lam>()) users_[place(d)].push_back(at);
        else if (auto choice = isa_choice(d)) todo.insert(todo.end(), choice->ops().begin(), choice->ops().end());
        else if (!check_.returns.arguments(d, todo)) unknown_.push_back({d->type(), at});
    }
}

/// An arm that is no λ gets a part of what is matched.
void Storing::link_arms(const Match* match) {
    if (!holds_function_itself(match->scrutinee()->type())) return;
    for (auto arm : match->arms())
        if (!arm->isa<Lam>() && !head_axiom(arm)) unknown_.push_back({arm->type(), place(match)});
}

void Storing::add(uint32_t place, uint8_t kinds) {
    if ((kinds_[place] | kinds) == kinds_[place]) return;
    kinds_[place] |= kinds;
    todo_.push_back(place);
}

void Storing::add_type(const Def* type, uint8_t kinds) {
    auto& known = types_[type];
    if ((known | kinds) == known) return;
    known |= kinds;
    for (auto& call : unknown_)
        if (may_be_same(check_.world, type, call.type, check_.is_inlined())) add(call.place, known);
}

/// An axiom that takes a token, and that somebody gets as a value: who calls it does not know which one it is.
bool Storing::is_effect_as_value(const Def* user, const Def* op) const {
    auto app    = user->isa<App>();
    auto pi     = op->type()->isa<Pi>();
    bool called = app && app->callee() == op;
    return pi && !called && head_axiom(op) && check_.types.contains(pi->dom());
}

/// Nothing is linked in a program without such a call.
void Storing::find() {
    if (found_) return;
    found_ = true;
    for (auto d : nodes_) {
        if (auto app = d->isa<App>()) anywhere_ |= kinds_of(app);
        for (auto op : value_ops(d))
            if (op && is_effect_as_value(d, op)) anywhere_ |= Stores | Hides;
    }
    if (anywhere_ == None) return;
    users_.resize(check_.facts.num_components() + 1); // 0 is none
    kinds_.resize(users_.size());
    lams_at_.resize(users_.size());
    for (auto lam : lams_)
        if (lam->is_set()) lams_at_[place(lam)].push_back(lam);
    for (auto d : nodes_) {
        link(d);
        if (auto app = d->isa<App>()) link_call(app);
        if (auto match = d->isa<Match>()) link_arms(match);
    }
    for (auto d : nodes_) {
        auto app = d->isa<App>();
        for (auto op : value_ops(d))
            if (op && !(app && app->callee() == op)) note_value(op);
    }
    follow();
}

/// What is found in one place holds in all that reach it, and for calls of unknown functions of the types of those that are there.
void Storing::follow() {
    while (!todo_.empty()) {
        auto at = todo_.back();
        todo_.pop_back();
        auto kinds = kinds_[at];
        for (auto user : users_[at]) add(user, kinds);
        if (at >= lams_at_.size()) continue; // a call
        for (auto lam : lams_at_[at]) add_type(lam->type(), kinds);
    }
}

/*
 * answers
 */

uint32_t Storing::place(const Def* d) { return check_.facts.component(d); }

bool Storing::anywhere(Kind kind) { return find(), anywhere_ & kind; }

bool Storing::reaches(const Def* code, Kind kind) {
    if (!anywhere(kind) || is_static(code)) return false;
    auto at = place(code);
    return at == 0 || (kinds_[at] & kind); // 0: made after the walk
}

bool Storing::happens_in(const App* app, Kind kind) {
    if (!anywhere(kind)) return false;
    auto call = calls_.find(app);
    if (call != calls_.end() && (kinds_[call->second] & kind)) return true;
    if (reaches(app->callee(), kind)) return true;
    auto elems = arg_elems(app);
    if (!elems.empty() && is_continuation(elems.back())) elems = elems.first(elems.size() - 1);
    auto is_way_back = [&](const Def* elem) { return check_.is_inlined() && is_exit(elem); }; // it runs once the call is over
    return std::ranges::any_of(elems, [&](auto elem) { return !is_way_back(elem) && reaches(elem, kind); });
}

} // namespace mim::linear
