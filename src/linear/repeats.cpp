// SPDX-License-Identifier: MIT
#include "linear/repeats.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

namespace {

/// Whether a call may pass a continuation for a parameter of this type, or for an element of it that comes last: one
/// of an array whose length a call knows. The parts of a tuple or a union are values.
bool may_be_continuation(const Def* type) {
    while (auto arr = type->isa<Arr>()) type = arr->body();
    return type->node() != Node::Sigma && type->node() != Node::Union;
}

/// What inside of the function `f` may know its last parameter, `ret`.
class Knowing {
public:
    Knowing(Check& check, Repeats& repeats, const Lam* f)
        : check_(check)
        , repeats_(repeats)
        , world_(check.world)
        , f_(f)
        , ret_(last_param(check.world, f))
        , exit_(check.given_types.takes_data(ret_)) {}

    /// Whether something that may know `ret` is passed to `ret`, or whoever gets it may call it again.
    bool run() {
        if (!f_->is_cn()) return calls_back_directly(f_);
        collect();
        for (auto binder : binders_)
            if (auto lam = binder->isa<Lam>(); lam && calls_back_directly(lam)) return true;
        if (!holds(ret_) || !may_be_continuation(ret_->type())) return false; // it is given no return
        knows(ret_);
        for (bool changed = true; changed && !repeated_;) {
            while (!todo_.empty()) {
                auto source = todo_.back();
                todo_.pop_back();
                propagate(source);
            }
            changed = false;
            for (auto& call : calls_) changed |= visit(call);
        }
        return repeated_;
    }

private:
    struct Call {
        const App* app;
        Elems elems;                     ///< of its argument
        std::vector<const Def*> others;  ///< that it may call, no λs
        std::vector<const Lam*> returns; ///< the λs that are its return
        const Def* ret;                  ///< the last element of the argument, if that is its return
        bool returns_unknown;            ///< it is something else than these λs, which takes functions
    };

    bool calls_back_directly(const Lam*);
    void collect();
    void collect(const Def*);
    void collect(const App*);
    bool in_scope(const Def* d) const;
    void use(const Def* op, const Def* user);
    void flow(const Def* from, const Def* to) { flows_[from].push_back(to); }
    void value(const Def*);
    void knows(const Def* d) {
        if (sources_.insert(d)) todo_.push_back(d);
    }
    void params_know(const Lam*);
    void loads_know();
    /// Data knows nothing, but the function that computes it does.
    bool is_known(const Def* d) const { return known_.contains(d) && holds(d); }
    void propagate(const Def* source);
    bool visit(const Call&);
    bool may_call(const Def* callee);
    bool holds(const Def* d) const {
        return d->node() == Node::Lam || is_never(d) || check_.given_types.may_hold_function(d->type());
    }

    Check& check_;
    Repeats& repeats_;
    World& world_;
    const Lam* f_;
    const Def* ret_;
    bool exit_;
    bool repeated_ = false;
    DefSet binders_, seen_;
    std::unordered_map<const Def*, std::vector<const Def*>> users_;
    std::unordered_map<const Def*, std::vector<const Def*>> flows_; ///< arguments to parameters
    std::vector<Call> calls_;
    std::vector<const Def*> loads_; ///< values with functions that may have been read from memory
    DefSet sources_;                ///< parameters, and these, that may know it
    DefSet known_;                  ///< and all in which these occur free
    std::vector<const Def*> walk_, todo_;
};

/*
 * the nodes and what flows between them
 */

/// It makes a call in direct style that may come back more than once.
bool Knowing::calls_back_directly(const Lam* lam) {
    auto fn  = check_.summaries.fn(lam);
    bool res = false; // all are asked
    if (fn)
        for (auto call : fn->direct_calls) res |= repeats_.ask_direct(call, f_);
    return res;
}

/// It depends on a variable of `f` or of a function inside of it.
bool Knowing::in_scope(const Def* d) const {
    return std::ranges::any_of(free_vars(world_, d), [&](const Def* var) { return binders_.contains(var->as<Var>()->binder()); });
}

void Knowing::collect() {
    binders_.insert(f_);
    walk_.push_back(f_->body());
    while (!walk_.empty()) {
        auto d = walk_.back();
        walk_.pop_back();
        if (is_static(d) || !in_scope(d) || !seen_.insert(d)) continue;
        collect(d);
    }
}

void Knowing::use(const Def* op, const Def* user) {
    if (binder_of(user) && !holds(user)) return; // data
    users_[op].push_back(user);
    bool projects = user->isa<Extract>() && isa_lit(user->op(1)) && user->op(0) == op;
    if (op->node() != Node::Var || projects) return;
    auto n = lit_arity(world_, op->type()); // the variable as a whole knows what its elements know
    for (int64_t i = 0; n > 1 && n <= MaxElems && i < n; ++i)
        users_[world_.extract(op, static_cast<uint64_t>(i))].push_back(user);
}

void Knowing::collect(const Def* d) {
    auto lam = d->isa<Lam>();
    if (lam) binders_.insert(lam);
    if (auto pack = d->isa<Pack>(); pack && pack->is_mut()) binders_.insert(pack);
    for (auto op : value_ops(d)) {
        if (!op || is_static(op)) continue;
        use(op, d);
        walk_.push_back(op);
    }
    if (auto app = d->isa<App>()) return collect(app);
    auto ex = d->isa<Extract>();
    if (d->node() == Node::Tuple || (ex && (ex->tuple()->node() == Node::Tuple || ex->tuple()->node() == Node::Var))) return;
    if (auto match = d->isa<Match>()) {
        for (auto arm : match->arms()) // called with a part of what is matched
            if (auto callee = arm->isa<Lam>()) flow(match->scrutinee(), callee->var());
        return value(match->scrutinee());
    }
    for (auto op : value_ops(d))
        if (op && !(lam && is_never(op))) value(op);
}

void Knowing::collect(const App* app) {
    Call call{app, call_elems(world_, app), {}, {}, nullptr, false};
    std::vector<const Lam*> lams;
    callees(app->callee(), lams, call.others);
    auto& elems = call.elems;
    for (auto elem : elems) walk_.push_back(elem);
    for (auto lam : lams) {
        auto n = lit_arity(world_, lam->dom());
        if (elems.size() == 1 || static_cast<int64_t>(elems.size()) != n) flow(app->arg(), lam->var());
        else
            for (size_t i = 0; i < elems.size(); ++i) flow(elems[i], world_.extract(lam->var(), i));
    }
    // The code of `ret` calls these with values that it knows. It knows itself only in a loop, which its own function judges.
    bool goes_back = app->callee() == ret_;
    for (size_t i = 0; i < elems.size() && !goes_back; ++i) {
        if (is_static(elems[i])) continue;
        if (i + 1 == elems.size() && is_never(app) && is_continuation(elems[i]) && !check_.returns.is_return(app->callee())) {
            std::vector<const Def*> unknown;
            call.ret = elems[i];
            callees(call.ret, call.returns, unknown);
            call.returns_unknown = !unknown.empty() && !check_.given_types.takes_data(call.ret);
        } else {
            value(elems[i]);
        }
    }
    bool effect = std::ranges::any_of(elems, [&](auto elem) { return check_.facts.is_token(elem); });
    if (effect && !is_never(app) && holds(app)) loads_.push_back(app);
    calls_.push_back(std::move(call));
}

/// Anybody may call the λs that `d` may be, with functions that know `ret`, and anybody may get `d`.
void Knowing::value(const Def* d) {
    std::vector<const Def*> todo{d};
    DefSet seen;
    while (!todo.empty()) {
        d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        auto ex = d->isa<Extract>();
        if (d == ret_ && !exit_) repeated_ = true;
        if (d == f_->var() && !exit_) repeated_ = true;
        if (auto lam = d->isa<Lam>()) params_know(lam);
        else if (d->node() == Node::Tuple) todo.insert(todo.end(), d->ops().begin(), d->ops().end());
        else if (ex && ex->tuple()->node() == Node::Tuple) todo.push_back(ex->tuple());
    }
}

/*
 * what knows it
 */

void Knowing::params_know(const Lam* lam) {
    if (!check_.given_types.may_hold_function(lam->dom())) return;
    knows(lam->var());
    auto n = lit_arity(world_, lam->dom());
    for (int64_t i = 0; n > 1 && n <= MaxElems && i < n; ++i)
        if (auto elem = world_.extract(lam->var(), static_cast<uint64_t>(i)); holds(elem)) knows(elem);
}

/// Somebody got what knows `ret` as a value, and may have stored it.
void Knowing::loads_know() {
    for (auto load : loads_) knows(load);
}

/// A function knows what occurs free in it, not what is bound in it.
void Knowing::propagate(const Def* source) {
    std::vector<const Def*> todo{source};
    DefSet seen;
    seen.insert(source);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        known_.insert(d);
        for (auto param : holds(d) ? flows_[d] : std::vector<const Def*>())
            if (check_.given_types.may_hold_function(param->type())) knows(param);
        for (auto user : users_[d]) {
            auto lam = user->isa<Lam>();
            if (!(lam && is_free_in(world_, lam->var(), source)) && seen.insert(user)) todo.push_back(user);
        }
    }
}

/// Returns whether more is known to know `ret` now.
bool Knowing::visit(const Call& call) {
    auto values = std::ranges::any_of(call.elems, [&](auto elem) { return elem != call.ret && is_known(elem); });
    bool passes = values || (call.ret && is_known(call.ret));
    if (passes && std::ranges::any_of(call.others, [&](auto other) { return may_call(other); })) return repeated_ = true;
    bool is_open = exit_ || (call.ret && is_known(call.ret) && !check_.given_types.takes_data(call.ret));
    bool is_kept = values ? repeats_.stores_in(call.app) : is_known(call.app->callee()) && repeats_.keeps(call.app);
    if (is_open && is_kept) return repeated_ = true; // it may be kept in memory
    auto size = sources_.size();
    if (values) loads_know();
    if (!call.ret) return sources_.size() != size;
    bool repeats = repeats_.ask(call.app, f_);
    bool gets    = (values || is_known(call.app->callee())) && !check_.forgetting.returns_only_closed(call.app);
    if (is_known(call.ret) && (repeats || (gets && call.returns_unknown))) return repeated_ = true;
    if (!repeats && !gets) return sources_.size() != size;
    for (auto lam : call.returns) params_know(lam);
    return sources_.size() != size;
}

/// What is called may be `ret`, or may call it with what it gets. The code of a λ in `f` says what that does with its parameters.
bool Knowing::may_call(const Def* callee) {
    if (!is_known(callee)) return false;
    if (!head_axiom(callee)) return true;
    auto is_unclear = [&](const Def* function) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(function, lams, others);
        return std::ranges::any_of(others, [&](auto other) { return is_known(other); });
    };
    return any_function_so_far(callee, is_unclear);
}

} // namespace

/*
 * the whole program
 */

bool Repeats::ask(const Lam* callee, const Lam* asker) {
    if (!callee->is_set()) return false; // elsewhere: C calls its return once
    if (callee->is_cn() && check_.forgetting.keeps_nothing(callee)
        && check_.given_types.takes_data(last_param(check_.world, callee)))
        return false;
    if (asker) askers_[callee].insert(asker);
    look_at(callee);
    return repeats_.contains(callee);
}

/// Functions that anybody may call.
void Repeats::ask_all() {
    if (all_asked_) return;
    all_asked_ = true;
    for (auto lam : lams_) {
        auto f         = check_.summaries.fn(lam);
        bool may_do_so = lam->is_cn() ? takes_continuation(lam->pi()) : f && !f->direct_calls.empty();
        if (lam->is_set() && may_do_so) look_at(lam);
    }
    for (auto d : nodes_)
        if (d->isa<App>() && d->type()->isa<Pi>() && head_axiom(d) && !functions_so_far(d).empty() && check_.direct.is_value(d))
            axiom_values_.push_back(d);
}

bool Repeats::ask_unknown(const Def* callee, const Lam* asker) {
    if (asker) askers_of_unknown_.insert(asker);
    ask_all();
    auto pi = callee->type()->as<Pi>();
    return std::ranges::any_of(types_, [&](auto type) {
        bool is_same_style = type->template as<Pi>()->is_cn() == pi->is_cn(); // see is_instantiated
        return is_same_style && check_.given_types.may_be_same(type, pi);
    });
}

/// Whether a type variable stands for ⊥ in the result of this call: what is called does not know that it gets a return, and its code
/// is in direct style.
static bool is_instantiated(const Def* callee) {
    auto head = callee;
    while (auto app = head->isa<App>()) head = app->callee();
    return head != callee && head->type()->isa<Pi>() && last_codom(head->type())->node() != Node::Bot;
}

/// The same of a callee other than a λ. An axiom may call the functions that it got, and a rule may put others in its place.
bool Repeats::ask_callee(const Def* callee, const Lam* asker) {
    if (auto axm = head_axiom(callee)) {
        bool rules_may_return     = ask_axiom(axm->axiom(), asker);
        bool functions_may_return = ask_functions(functions_so_far(callee), asker);
        return rules_may_return || functions_may_return;
    }
    bool never = callee->type()->as<Pi>()->is_cn();
    return (never && is_instantiated(callee)) || ask_unknown(callee, asker);
}

/// The functions that a call may enter. All are asked, so that the asker hears of each.
bool Repeats::ask_each(const std::vector<const Lam*>& lams, const std::vector<const Def*>& others, const Lam* asker) {
    bool res = false;
    for (auto lam : lams) res |= ask(lam, asker);
    for (auto other : others) res |= ask_callee(other, asker);
    return res;
}

bool Repeats::ask_axiom(const Axiom& axiom, const Lam* asker) {
    bool res = false; // all are asked, so that the asker hears of each
    for (auto lam : check_.rules.functions(axiom)) res |= ask(lam, asker);
    return res;
}

bool Repeats::ask_functions(std::vector<const Def*> todo, const Lam* asker) {
    bool res = false; // all are asked, so that the asker hears of each
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        if (d->node() == Node::Tuple) {
            todo.insert(todo.end(), d->ops().begin(), d->ops().end());
            continue;
        }
        if (!d->type()->isa<Pi>()) continue;
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(d, lams, others);
        res |= ask_each(lams, others, asker);
    }
    return res;
}

bool Repeats::ask(const App* app, const Lam* asker) {
    if (check_.given_types.takes_data(call_elems(check_.world, app).back()) && !storing_.happens_in(app, Storing::Stores))
        return false;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    check_.returns.targets(app->callee(), lams, others);
    return ask_each(lams, others, asker);
}

bool Repeats::ask_direct(const Def* call, const Lam* asker) {
    auto& end = check_.direct.end(call);
    bool res  = ask_each(end.callees, end.others, asker);
    auto app  = call->isa<App>();
    auto axm  = app ? head_axiom(app->callee()) : nullptr;
    if (axm) res |= ask_functions(functions_so_far(app), asker);
    return res;
}

bool Repeats::function(const Lam* lam) {
    ask(lam, nullptr);
    solve();
    return repeats_.contains(lam);
}

bool Repeats::direct_call(const Def* call) {
    ask_direct(call, nullptr);
    solve();
    return ask_direct(call, nullptr);
}

void Repeats::forget() {
    known_ = {}, repeats_ = {}, types_ = {}, askers_of_unknown_ = {};
    askers_.clear(), axiom_values_.clear();
    all_asked_ = false;
}

/// Whether more axioms that got functions are known to call one that repeats.
bool Repeats::find_axiom_values() {
    bool found = false;
    for (auto d : axiom_values_)
        if (!types_.contains(d->type()) && ask_functions(functions_so_far(d), nullptr)) found |= types_.insert(d->type());
    return found;
}

bool Repeats::call(const App* app) {
    ask(app, nullptr);
    solve();
    return ask(app, nullptr);
}

void Repeats::look_at(const Lam* lam) {
    if (known_.insert(lam) && queued_.insert(lam).second) queue_.push_back(lam);
}

void Repeats::solve() {
    auto again = [&](const Lam* lam) {
        if (!repeats_.contains(lam) && queued_.insert(lam).second) queue_.push_back(lam);
    };
    while (!queue_.empty()) {
        auto lam = queue_.back();
        queue_.pop_back();
        queued_.erase(lam);
        if (!Knowing(check_, *this, lam).run()) continue;
        repeats_.insert(lam);
        for (auto asker : askers_[lam]) again(asker);
        bool is_new = check_.direct.is_value(lam) && types_.insert(lam->type());
        if (find_axiom_values() || is_new)
            for (auto asker : askers_of_unknown_) again(asker);
    }
}

} // namespace mim::linear
