// SPDX-License-Identifier: MIT
#include "linear/knowing.h"

#include <algorithm>
#include <tuple>

#include "linear/repeats.h"

namespace mim::linear {

/// Whether a call may pass a continuation for a parameter of this type, or for an element of it that comes last: one
/// of an array whose length a call knows. The parts of a tuple or a union are values.
static bool may_be_continuation(const Def* type) {
    while (auto arr = type->isa<Arr>()) type = arr->body();
    return type->node() != Node::Sigma && type->node() != Node::Union;
}

Knowing::Knowing(Check& check, Repeats& repeats, const Lam* f)
    : check_(check)
    , repeats_(repeats)
    , world_(check.world)
    , f_(f)
    , ret_(last_param(check.world, f))
    , exit_(check.given_types.takes_data(ret_)) {}

bool Knowing::run() {
    if (!f_->is_cn()) return calls_back_directly(f_);
    collect();
    for (auto binder : binders_)
        if (auto lam = binder->isa<Lam>(); lam && calls_back_directly(lam)) return true;
    bool gets_return = holds(ret_) && may_be_continuation(ret_->type());
    if (!gets_return) return false;
    knows(ret_);
    for (size_t before = ~size_t(0); before != changes_ && !repeated_;) {
        before = changes_;
        for (auto& call : calls_) hand_over(call);
        propagate();
        for (auto& call : calls_) visit(call);
    }
    return repeated_;
}

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
    auto ex           = d->isa<Extract>();
    bool is_choice    = ex && ex->tuple()->node() == Node::Tuple;
    bool is_parameter = ex && ex->tuple()->node() == Node::Var && isa_lit(ex->index());
    if (d->node() == Node::Tuple || is_choice || is_parameter) return;
    if (auto match = d->isa<Match>()) {
        for (auto arm : match->arms()) { // called with a part of what is matched
            auto callee = arm->isa<Lam>();
            if (!callee) continue;
            flow(match->scrutinee(), callee->var());
            open(callee, By::Return);
        }
        return value(match->scrutinee());
    }
    for (auto op : value_ops(d))
        if (op && !(lam && is_never(op))) value(op);
}

void Knowing::collect(const App* app) {
    Call call{.app = app, .elems = call_elems(world_, app)};
    callees(app->callee(), call.lams, call.others);
    for (auto elem : call.elems) walk_.push_back(elem);
    collect_argument(call);
    bool effect = std::ranges::any_of(call.elems, [&](auto elem) { return check_.facts.is_token(elem); });
    if (effect && !is_never(app) && holds(app)) loads_.push_back(app);
    calls_.push_back(std::move(call));
}

/// The code of `ret` calls what it gets with values that it knows. It knows itself only in a loop, which its own function judges.
void Knowing::collect_argument(Call& call) {
    auto app = call.app;
    if (app->callee() == ret_) {
        for (auto elem : call.elems) open(elem, By::Return);
        return;
    }
    auto last       = call.elems.empty() ? nullptr : call.elems.back();
    bool has_return = last && !is_static(last) && is_never(app) && is_continuation(last)
                      && !check_.returns.is_return(app->callee());
    call.num_values = call.elems.size() - has_return;
    if (!has_return) return;
    std::vector<const Def*> unknown;
    call.ret = last;
    callees(call.ret, call.returns, unknown);
    call.returns_unknown = !unknown.empty() && !check_.given_types.takes_data(call.ret);
    open(call.ret, By::Return);
}

/*
 * who gets a function
 */

bool Knowing::is_new(const Def* d, By by) {
    bool first_open  = open_.insert(d);
    bool first_given = by == By::Anybody && given_.insert(d);
    bool res         = first_open || first_given;
    changes_ += res;
    return res;
}

/// The functions that `d` may be are called by others; if anybody gets them, with functions that know `ret`. So are those that were
/// passed to a parameter which stands for others, too.
void Knowing::open(const Def* d, By by) {
    std::vector<std::pair<const Def*, By>> todo{{d, by}};
    while (!todo.empty()) {
        std::tie(d, by) = todo.back();
        todo.pop_back();
        if (is_static(d) || !is_new(d, by)) continue;
        auto lam   = d->isa<Lam>();
        auto ex    = d->isa<Extract>();
        bool gives = by == By::Anybody;
        if (gives && !exit_ && (d == ret_ || d == f_->var())) repeated_ = true;
        if (gives && lam) params_know(lam);
        if (lam) todo.emplace_back(lam->var(), By::Return);
        if (d->node() == Node::Tuple)
            for (auto op : d->ops()) todo.emplace_back(op, by);
        if (ex && ex->tuple()->node() == Node::Tuple) todo.emplace_back(ex->tuple(), by);
        auto n = d->node() == Node::Var ? lit_arity(world_, d->type()) : 0;
        for (int64_t i = 0; n > 1 && n <= MaxElems && i < n; ++i)
            todo.emplace_back(world_.extract(d, static_cast<uint64_t>(i)), by);
        if (auto it = passed_.find(d); it != passed_.end())
            for (auto function : it->second) todo.emplace_back(function, By::Anybody);
    }
}

/// It stands for nothing but what was passed to it: all calls of its function are seen.
bool Knowing::is_traced(const Def* param) const {
    auto owner = binder_of(param);
    auto ex    = param->isa<Extract>();
    auto lam   = owner ? owner->isa<Lam>() : nullptr;
    if (!lam || lam == f_ || !binders_.contains(lam) || open_.contains(lam) || open_.contains(param)) return false;
    return !ex || (ex->tuple()->node() == Node::Var && isa_lit(ex->index()));
}

/// The functions that the parameter stands for; false if it may stand for others.
bool Knowing::find_functions(const Def* param, std::vector<const Lam*>& functions) {
    std::vector<const Def*> todo{param};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) {
            functions.push_back(lam);
            continue;
        }
        if (!is_traced(d)) return false;
        auto& passed = passed_[d];
        todo.insert(todo.end(), passed.begin(), passed.end());
    }
    return true;
}

void Knowing::hand_over(const Call& call) {
    for (auto lam : call.lams) hand_over(call, lam);
    for (auto other : call.others) {
        std::vector<const Lam*> functions;
        if (find_functions(other, functions))
            for (auto lam : functions) hand_over(call, lam);
        else
            for (size_t i = 0; i < call.num_values; ++i) value(call.elems[i]);
    }
}

void Knowing::hand_over(const Call& call, const Lam* callee) {
    if (!handed_over_.emplace(call.app, callee).second) return;
    auto n       = lit_arity(world_, callee->dom());
    auto size    = static_cast<int64_t>(call.elems.size());
    bool by_elem = size == n || (n < 1 && size == 1);
    if (!by_elem) {
        flow(call.app->arg(), callee->var());
        open(callee, By::Return);
        for (size_t i = 0; i < call.num_values; ++i) value(call.elems[i]);
        return;
    }
    for (size_t i = 0; i < call.elems.size(); ++i) {
        auto param = linear::param(world_, callee, i);
        flow(call.elems[i], param);
        if (i < call.num_values) pass(call.elems[i], param);
        else open(param, By::Return);
    }
}

void Knowing::pass(const Def* elem, const Def* param) {
    if (is_static(elem)) return;
    bool is_function = elem->isa<Lam>() || is_traced(elem);
    if (check_.is_inlined() && is_function && is_traced(param)) {
        changes_ += passed_[param].insert(elem);
        return;
    }
    open(param, By::Return);
    value(elem);
}

void Knowing::flow(const Def* from, const Def* to) {
    flows_[from].push_back(to);
    if (is_known(from) && check_.given_types.may_hold_function(to->type())) knows(to);
}

/*
 * what knows it
 */

void Knowing::knows(const Def* d) {
    if (!sources_.insert(d)) return;
    ++changes_;
    todo_.push_back(d);
}

/// Data knows nothing, but the function that computes it does.
bool Knowing::is_known(const Def* d) const { return known_.contains(d) && holds(d); }

bool Knowing::holds(const Def* d) const {
    return d->node() == Node::Lam || is_never(d) || check_.given_types.may_hold_function(d->type());
}

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

void Knowing::propagate() {
    while (!todo_.empty()) {
        auto source = todo_.back();
        todo_.pop_back();
        propagate(source);
    }
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

void Knowing::visit(const Call& call) {
    auto values      = std::ranges::any_of(call.elems, [&](auto elem) { return elem != call.ret && is_known(elem); });
    bool passes      = values || (call.ret && is_known(call.ret));
    bool calls       = passes && std::ranges::any_of(call.others, [&](auto other) { return may_call(other); });
    bool is_open     = exit_ || (call.ret && is_known(call.ret) && !check_.given_types.takes_data(call.ret));
    bool is_kept     = values ? repeats_.stores_in(call.app) : is_known(call.app->callee()) && repeats_.keeps(call.app);
    bool may_be_read = is_open && is_kept; // from memory
    repeated_ |= calls || may_be_read;
    if (repeated_) return;
    if (values) loads_know();
    if (!call.ret) return;
    bool repeats = repeats_.ask(call.app, f_);
    bool gets    = (values || is_known(call.app->callee())) && !check_.forgetting.returns_only_closed(call.app);
    repeated_ |= is_known(call.ret) && (repeats || (gets && call.returns_unknown));
    if (!repeats && !gets) return;
    for (auto lam : call.returns) params_know(lam);
}

/// The callee may be `ret`, or may call it with its argument. The code of a λ in `f` says what that does with its parameters.
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

} // namespace mim::linear
