// SPDX-License-Identifier: MIT
#include "ir/token_repeats.h"

#include <algorithm>

#include "ir/token_check.h"

namespace mim::tokens {

namespace {

/// What inside of the function `f` may know its last parameter, `ret`.
class Knowing {
public:
    Knowing(Check& check, Repeats& repeats, const Lam* f)
        : check_(check)
        , repeats_(repeats)
        , world_(check.world)
        , f_(f)
        , ret_(check.last_param(f))
        , exit_(is_exit(ret_)) {}

    /// Whether something that may know `ret` is passed to `ret`, or whoever gets it may call it again.
    bool run() {
        collect();
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
    };

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
    bool is_known(const Def* d) const { return known_.contains(d); }
    void propagate(const Def* source);
    bool visit(const Call&);
    bool holds(const Def* d) const { return d->node() == Node::Lam || is_never(d) || holds_function(d->type()); }

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
    DefSet sources_; ///< parameters, and what is read from memory, that may know it
    DefSet known_;   ///< and all in which these occur free
    std::vector<const Def*> walk_, todo_;
};

/*
 * the nodes and what flows between them
 */

/// It depends on a variable of `f` or of a function inside of it.
bool Knowing::in_scope(const Def* d) const {
    return std::ranges::any_of(world_.free_vars(d), [&](const Def* var) { return binders_.contains(var->as<Var>()->binder()); });
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
    if (!holds(user)) return;
    users_[op].push_back(user);
    bool projects = user->isa<Extract>() && isa_lit(user->op(1)) && user->op(0) == op;
    if (op->node() != Node::Var || projects) return;
    auto n = world_.lit_arity(op->type()); // the variable as a whole knows what its elements know
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
    Call call{app, call_elems(world_, app), {}, {}, nullptr};
    std::vector<const Lam*> lams;
    callees(app->callee(), lams, call.others);
    auto& elems = call.elems;
    for (auto elem : elems) walk_.push_back(elem);
    for (auto lam : lams) {
        auto n = world_.lit_arity(lam->dom());
        if (elems.size() == 1 || static_cast<int64_t>(elems.size()) != n) flow(app->arg(), lam->var());
        else
            for (size_t i = 0; i < elems.size(); ++i) flow(elems[i], world_.extract(lam->var(), i));
    }
    for (size_t i = 0; i < elems.size(); ++i) {
        if (is_static(elems[i])) continue;
        if (i + 1 == elems.size() && is_never(app) && is_continuation(elems[i]) && !check_.is_return(app->callee())) {
            std::vector<const Def*> unknown;
            call.ret = elems[i];
            callees(call.ret, call.returns, unknown);
        } else {
            value(elems[i]);
        }
    }
    bool effect = std::ranges::any_of(elems, [&](auto elem) { return check_.is_token(elem); });
    if (effect && !is_never(app) && holds(app) && repeats_.stores_functions()) knows(app); // it may have been read from memory
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
    if (!holds_function(lam->dom())) return;
    knows(lam->var());
    auto n = world_.lit_arity(lam->dom());
    for (int64_t i = 0; n > 1 && n <= MaxElems && i < n; ++i)
        if (auto elem = world_.extract(lam->var(), static_cast<uint64_t>(i)); holds(elem)) knows(elem);
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
        for (auto param : flows_[d])
            if (holds_function(param->type())) knows(param);
        for (auto user : users_[d]) {
            auto lam = user->isa<Lam>();
            if (!(lam && world_.is_free_in(lam->var(), source)) && seen.insert(user)) todo.push_back(user);
        }
    }
}

/// Returns whether a return now gets what knows `ret`.
bool Knowing::visit(const Call& call) {
    auto values = std::ranges::any_of(call.elems, [&](auto elem) { return elem != call.ret && is_known(elem); });
    // what is called may be `ret`, or may call it with what it gets
    auto calls_it = [&](auto other) { return is_known(other) && !head_axiom(other); };
    if (std::ranges::any_of(call.others, calls_it) && (values || (call.ret && is_known(call.ret)))) return repeated_ = true;
    if (exit_ && values) return repeated_ = true; // it may be kept in memory
    if (!call.ret) return false;
    bool repeats = repeats_.ask(call.app, f_);
    if (is_known(call.ret) && (repeats || (values && !is_exit(call.ret)))) return repeated_ = true;
    if (!repeats && !values && !is_known(call.app->callee())) return false;
    auto size = sources_.size();
    for (auto lam : call.returns) params_know(lam);
    return sources_.size() != size;
}

} // namespace

/*
 * the whole program
 */

/// Whether the value is made of closed functions alone. A choice gives an element; its index holds no function.
static bool knows_no_function(World& world, const Def* value) {
    while (auto choice = value->isa<Extract>()) value = choice->tuple();
    return world.is_closed(value);
}

/// Any axiom may put what it gets with a token into memory. A pointer stores no function: what lies behind it was stored before.
bool Repeats::stores(const App* app) {
    auto lam     = app->callee()->isa<Lam>();
    bool is_c    = lam && !lam->is_set();
    bool effects = head_axiom(app->callee()) && !is_never(app) && check_.is_token(app->arg());
    return (is_c || effects) && gets_function(arg_elems(app));
}

/// Values that this axiom makes may hold a function although their types do not show it: it works on data of any type, as a `bitcast` does, or
/// the program itself declares it. Any other axiom passes functions on as values of the types that it is instantiated with, or calls them. What
/// is evaluated by need keeps nothing.
static bool may_hide(const Axiom& axiom) { return axiom.own || (axiom.has(Axiom::TokenFree) && !axiom.has(Axiom::ByNeed)); }

/// C may keep a function that it gets beside its return; see `may_hide` for axioms. Phases hide only what is called once.
bool Repeats::hides(const App* app) {
    if (check_.is_inlined()) return false;
    auto elems = arg_elems(app);
    auto axm   = head_axiom(app->callee());
    auto lam   = app->callee()->isa<Lam>();
    bool is_c  = axm ? axm->axiom().kind != Axiom::Op : lam && !lam->is_set();
    if (is_c) {
        bool returns = !elems.empty() && is_continuation(elems.back());
        return gets_function(returns ? elems.first(elems.size() - 1) : elems);
    }
    if (!axm || !may_hide(axm->axiom()) || is_never(app)) return false;
    if (holds_function(app->type()) || check_.is_token(app->arg())) return false;
    bool gets = gets_function(elems);
    for (auto callee = app->callee(); axm->axiom().own && callee->isa<App>(); callee = callee->as<App>()->callee())
        gets |= gets_function(arg_elems(callee->as<App>()));
    return gets;
}

bool Repeats::gets_function(Defs elems) {
    return std::ranges::any_of(elems, [&](auto elem) {
        return !is_static(elem) && holds_function_itself(elem->type()) && !knows_no_function(check_.world, elem);
    });
}

void Repeats::find_keepers() {
    if (knows_keepers_) return;
    knows_keepers_ = true;
    for (auto d : nodes_) {
        auto app = d->isa<App>();
        if (!app || is_static(app->arg())) continue;
        hides_ |= hides(app);
        stores_ |= hides_ || stores(app);
        if (hides_) return;
    }
}

bool Repeats::stores_functions() { return find_keepers(), stores_; }
bool Repeats::hides_functions() { return find_keepers(), hides_; }

bool Repeats::ask(const Lam* callee, const Lam* asker) {
    if (!callee->is_set()) return false; // elsewhere: C calls its return once
    if (check_.keeps_nothing(callee) && is_exit(check_.last_param(callee))) return false;
    if (asker) askers_[callee].insert(asker);
    look_at(callee);
    return repeats_.contains(callee);
}

bool Repeats::ask_unknown(const Def* callee, const Lam* asker) {
    if (head_axiom(callee)) return false;
    if (asker) askers_of_unknown_.insert(asker);
    if (!all_asked_) {
        all_asked_ = true;
        for (auto lam : lams_)
            if (lam->is_cn() && lam->is_set() && takes_continuation(lam->pi())) look_at(lam);
    }
    return std::ranges::any_of(types_, [&](auto type) { return may_be_same(check_.world, type, callee->type()); });
}

bool Repeats::ask(const App* app, const Lam* asker) {
    if (is_exit(call_elems(check_.world, app).back()) && !stores_functions()) return false;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    check_.targets(app->callee(), lams, others);
    bool res = false; // all are asked, so that the asker hears of each
    for (auto lam : lams) res |= ask(lam, asker);
    for (auto other : others) res |= ask_unknown(other, asker);
    return res;
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
        if (types_.insert(lam->type()))
            for (auto asker : askers_of_unknown_) again(asker);
    }
}

} // namespace mim::tokens
