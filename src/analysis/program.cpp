// SPDX-License-Identifier: MIT
// Collects the reachable λs with their call sites and decides which are functions; see program.h.
#include "analysis/program.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "analysis/snapshot.h"
#include "ir/token_types.h"

namespace mim {

bool is_term(const Def* def) {
    if (def->isa<Sort>()) return false;
    auto type = def->type();
    return type && !type->isa<Sort>() && type->type() && type->type()->isa<Sort>();
}

bool is_operation(const Def* callee) {
    auto axm = head_axiom(callee);
    auto pi  = axm ? axm->type()->isa<Pi>() : nullptr;
    for (auto n = num_groups(callee); pi && n != 0; --n) pi = pi->codom()->isa<Pi>();
    return pi;
}

static bool is_application(const Def* def, Axiom::Property property) {
    auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr;
    return axm && axm->axiom().has(property);
}

bool is_effect(const Def* def) { return is_application(def, Axiom::Effect); }

bool is_suspension(const Def* def) { return is_application(def, Axiom::Local) && is_application(def, Axiom::Speculatable); }

/// The argument of `app` is written down, and nobody asks for it as a whole.
static bool is_taken_apart(const App* app) {
    bool is_written = app->arg()->isa<Tuple>() || (app->arg()->isa<Pack>() && !app->arg()->var());
    return is_written && is_application(app, Axiom::TakesApart);
}

void run_time_ops(const Def* def, std::vector<const Def*>& out) {
    auto push = [&](const Def* op) {
        if (op->isa<Tuple>() || op->isa<App>() || is_term(op)) out.push_back(op);
    };
    if (auto app = def->isa<App>()) {
        push(app->callee());
        if (!is_taken_apart(app)) return push(app->arg());
        for (auto op : app->arg()->ops()) push(op);
        return;
    }
    if (auto pack = def->isa<Pack>()) {
        push(pack->arity());
        return push(pack->body());
    }
    if (def->isa<Var>() || def->isa<Lam>() || def->isa<Lit>() || def->isa<Axm>() || !is_term(def)) {
        if (auto tuple = def->isa<Tuple>())
            for (auto op : tuple->ops()) push(op);
        return;
    }
    for (auto op : def->ops()) push(op);
}

Program::Program(World& world)
    : world_(world) {
    collect();
    contify();
}

void Program::found(const Lam* lam) {
    if (!seen_.insert(lam)) return;
    lams_.push_back(lam);
    if (!lam->is_cn()) return;
    auto view = this->view(lam);
    if (!view.has_ret()) return;
    auto ret = view.arity == 1 ? lam->var() : world_.extract(lam->var(), uint64_t(view.ret));
    rets_.emplace(ret, lam);
}

/// Whoever is returned to has no return itself: a last parameter of type Cn is plain data. Found out late, it was read differently.
void Program::found_cont(const Lam* lam) {
    if (conts_.insert(lam).second && seen_.contains(lam) && view_cn(world_, lam->dom(), true).has_ret()) is_stale_ = true;
    found(lam);
}

CnView Program::view(const Lam* lam) {
    if (!lam->is_cn()) return view_pi(world_, lam->pi());
    return view_cn(world_, lam->dom(), !conts_.contains(lam));
}

void Program::collect() {
    do {
        is_stale_ = false;
        lams_.clear(), seen_.clear(), seen_type_.clear(), rets_.clear(), escaping_.clear(), sites_.clear(), callers_.clear();
        for (auto& ext : world_.externals) found(ext.lam);
        for (size_t i = 0; i != lams_.size(); ++i)
            if (lams_[i]->is_set()) scan(lams_[i]);
        find_blocks();
    } while (is_stale_);
}

/// Whether an argument for this domain ends with a continuation of ours: what takes it is called as a function, not returned to.
bool Program::hands_on_control(const Def* dom, const Def* arg) {
    auto view = view_cn(world_, dom, true);
    if (!view.has_ret()) return false;
    return is_control(view.arity == 1 ? arg : world_.extract(arg, uint64_t(view.ret)));
}

/// Certainly a continuation of ours, and no function that is a value.
bool Program::is_control(const Def* cont) {
    auto lam = cont->isa<Lam>();
    return isa_ret(cont) || (lam && !is_closed(world_, lam) && !view_cn(world_, lam->dom(), true).has_ret());
}

/// λs that are called with functions which are values, such as the last element of a stream, and with no continuation of
/// ours. Those that leave through others are blocks. One that refers to parameters of another one is asked again when
/// that is a block: its last parameter, which looked like a continuation, is a value then.
void Program::find_takers() {
    std::unordered_set<const Def*> callers(callers_.begin(), callers_.end());
    std::unordered_map<const Lam*, bool> takers;
    for (auto& site : sites_) {
        bool is_value  = !is_control(site.cont) && !callers.contains(site.cont);
        auto& is_taker = takers.try_emplace(site.callee, !is_closed(world_, site.callee)).first->second;
        is_taker       = is_taker && is_value;
    }
    std::vector<const Lam*> leaving;
    std::unordered_set<const Def*> vars;
    for (auto lam : lams_) {
        auto i          = takers.find(lam);
        bool is_unknown = escaping_.contains(lam) || unknown_.contains(lam);
        if (i == takers.end() || !i->second || is_unknown || !leaves_through_others(lam)) continue;
        leaving.push_back(lam);
        vars.insert(lam->var());
    }
    auto is_outermost = [&](const Lam* lam) {
        return std::ranges::none_of(free_vars(world_, lam), [&](auto var) { return vars.contains(var); });
    };
    std::ranges::copy_if(leaving, std::back_inserter(callers_), is_outermost);
}

/// A λ inside of a function that calls its last parameter, `con next (x: T, f: Fn T → U) = { ret y = f $ x; … }`, is a block that takes a
/// function, no function that returns by f; unless somebody unknown calls it, who tells by the type alone. What it was called with was taken
/// for continuations: all of that is found again.
void Program::find_blocks() {
    bool changed = false;
    find_takers();
    for (auto lam : callers_)
        if (!escaping_.contains(lam) && !unknown_.contains(lam)) changed |= blocks_.insert(lam).second;
    std::erase_if(blocks_, [&](auto lam) {
        if (!escaping_.contains(lam)) return false;
        unknown_.insert(lam);
        return changed = true;
    });
    if (changed) conts_ = blocks_, is_stale_ = true;
}

/// A constant array, or a row of one, which is an address in it.
static bool is_written_data(const Def* def) {
    while (def->isa<Extract>() && is_large_array(def->type())) def = def->as<Extract>()->tuple();
    return is_constant_array(def);
}

/// Parts of a tuple are asked for themselves.
static bool may_allocate(const Def* def) {
    if (!def->type() || is_written_data(def)) return false;
    return !def->isa<Tuple>() || is_by_address(def->type());
}

/// The λ whose last parameter this is, if that is a function.
static const Lam* takes_last(World& world, const Def* def) {
    auto extract = def->isa<Extract>();
    auto var     = (extract ? extract->tuple() : def)->isa<Var>();
    auto lam     = var ? var->binder()->isa<Lam>() : nullptr;
    if (!lam || !lam->is_cn()) return nullptr;
    auto view = view_cn(world, lam->dom(), true);
    if (!view.has_ret()) return nullptr;
    auto last = view.arity == 1 ? lam->var() : world.extract(lam->var(), uint64_t(view.ret));
    return last == def ? lam : nullptr;
}

/// Walks through the body: in tail position it follows control, elsewhere values.
void Program::scan(const Lam* lam) {
    std::vector<const Def*> tails{lam->body()}, values, ops;
    DefSet seen_tail, seen_value;
    while (!tails.empty()) {
        auto def = tails.back();
        tails.pop_back();
        if (!seen_tail.insert(def)) continue;
        if (auto app = def->isa<App>()) {
            scan_call(lam, app->callee(), app->arg(), values);
        } else if (auto extract = def->isa<Extract>(); extract && extract->tuple()->isa<Tuple>()) {
            values.push_back(extract->index());
            for (auto op : extract->tuple()->ops()) tails.push_back(op);
        } else if (auto match = def->isa<Match>()) {
            values.push_back(match->scrutinee());
            for (auto arm : match->arms())
                if (auto l = arm->isa<Lam>()) found_cont(l);
                else values.push_back(arm);
        } else {
            values.push_back(def);
        }
    }
    while (!values.empty()) {
        auto def = values.back();
        values.pop_back();
        if (!seen_value.insert(def)) continue;
        if (auto axm = def->isa<Axm>(); axm && axm->axiom().kind != Axiom::Op) {
            if (seen_c_.insert(axm).second) c_functions_.push_back(axm);
            continue;
        }
        if (auto l = def->isa<Lam>()) {
            if (is_term(l)) escaping_.emplace(l, lam), found(l);
            continue;
        }
        if (auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr) use_application(def->as<App>(), axm->axiom());
        if (!collector_ && may_allocate(def) && needs_collector(def->type())) use_collector();
        ops.clear();
        run_time_ops(def, ops);
        values.insert(values.end(), ops.begin(), ops.end());
        for (auto op : def->ops())
            if (op && op->type() && op->type()->isa<Sort>()) scan_type(lam, op);
    }
}

void Program::use_application(const App* app, const Axiom& axiom) {
    use(axiom);
    if (is_suspension(app)) suspended_.insert(head_axiom(app->type()));
    if (axiom.has(Axiom::Effect)) effect_args_.insert(app->arg()->type());
}

void Program::use(const Axiom& axiom) {
    makes_closures_ |= axiom.has(Axiom::Closures);
    has_local_code_ |= axiom.has(Axiom::Local);
    if (axiom.has(Axiom::Closures)) use_collector();
    if (!axiom.libraries) return;
    for (auto& library : *axiom.libraries) use(library);
}

void Program::use(const RuntimeLibrary& library) {
    if (std::ranges::find(libraries_, &library) == libraries_.end()) libraries_.push_back(&library);
}

/// Of each type that many values have, this is asked once, and so of its parts.
bool Program::needs_collector(const Def* root) {
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!plain_types_.insert(type)) continue;
        if (is_by_address(type)) return true;
        if (type->isa<Arr>()) todo.push_back(mim::innermost(type));
        else if (type->isa<Sigma>() || type->isa<Union>()) todo.insert(todo.end(), type->ops().begin(), type->ops().end());
    }
    return false;
}

void Program::use_collector() {
    collector_ = world_.collector;
    if (collector_) use(collector_->library);
}

/// A function in a type that depends on nothing but functions around the type: a variable of the type itself has no
/// value at run time. One in direct style is the code of closures.
static bool is_value_in_type(World& world, const Lam* lam) {
    if (!lam->is_set() || !is_term(lam)) return false;
    if (!lam->is_cn()) return is_closed(world, lam);
    return std::ranges::all_of(free_vars(world, lam), [](auto var) {
        auto binder = var->template as<Var>()->binder()->template isa<Lam>();
        return binder && binder->is_cn();
    });
}

/// Lengths of arrays are computed where a type is asked for its size, so the functions that they call have code.
void Program::scan_type(const Lam* lam, const Def* type) {
    std::vector<const Def*> todo{type};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || def->isa<Var>() || !seen_type_.insert(def).second) continue;
        if (auto l = def->isa<Lam>()) {
            if (is_value_in_type(world_, l)) escaping_.emplace(l, lam), found(l);
            continue;
        }
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
}

void Program::scan_call(const Lam* lam, const Def* callee, const Def* arg, std::vector<const Def*>& values) {
    if (auto extract = callee->isa<Extract>(); extract && extract->tuple()->isa<Tuple>() && !isa_ret(callee)) {
        values.push_back(extract->index());
        for (auto op : extract->tuple()->ops()) scan_call(lam, op, arg, values);
        return;
    }
    auto target = callee->isa<Lam>();
    if (target) found(target);
    else values.push_back(callee);
    auto pi = callee->type()->isa<Pi>();
    if (!pi || !pi->is_cn()) return values.push_back(arg);

    auto owner = isa_ret(callee);
    auto taker = owner ? owner : takes_last(world_, callee);
    if (taker && !is_closed(world_, taker) && hands_on_control(pi->dom(), arg)) callers_.push_back(taker);
    bool with_ret = !owner && !(target && conts_.contains(target));
    auto view     = view_cn(world_, pi->dom(), with_ret);
    for (auto& p : view.params) values.push_back(param_of(world_, view, p, arg));
    if (!view.has_ret()) return;
    auto cont = view.arity == 1 ? arg : world_.extract(arg, uint64_t(view.ret));
    if (auto l = cont->isa<Lam>()) found_cont(l);
    else if (!isa_ret(cont)) values.push_back(cont);
    if (target) sites_.push_back({lam, target, cont});
}

/// A λ with a return continuation and free variables is a block if one vertex below the root dominates it in the graph whose
/// edges say "returns to": from a continuation to the functions called with it, and from a function to those it calls last.
void Program::contify() {
    std::unordered_map<const Lam*, uint32_t> vertex;
    std::vector<std::vector<uint32_t>> succs(lams_.size() + 1);
    for (uint32_t i = 0; i != lams_.size(); ++i) vertex[lams_[i]] = i + 1;
    for (auto lam : lams_)
        if (conts_.contains(lam) || escaping_.contains(lam) || is_closed(world_, lam)) succs[0].push_back(vertex[lam]);
    for (auto& site : sites_) {
        auto from = site.cont->isa<Lam>();
        if (!from) from = isa_ret(site.cont);
        succs[from ? vertex[from] : 0].push_back(vertex[site.callee]);
    }

    std::vector<uint32_t> number(succs.size(), ~0u), order;
    std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
    number[0] = 0;
    while (!stack.empty()) {
        auto [v, next] = stack.back();
        if (next == succs[v].size()) {
            order.push_back(v);
            stack.pop_back();
        } else {
            ++stack.back().second;
            auto s = succs[v][next];
            if (number[s] == ~0u) number[s] = 0, stack.emplace_back(s, 0);
        }
    }
    for (size_t i = 0; i != order.size(); ++i) number[order[i]] = uint32_t(order.size() - 1 - i);
    std::vector<std::vector<uint32_t>> preds(order.size());
    for (auto v : order)
        for (auto s : succs[v]) preds[number[s]].push_back(number[v]);
    DomTree doms(preds);

    for (auto lam : lams_) {
        auto n             = number[vertex[lam]];
        bool is_root_child = n != ~0u && doms.depth(n) <= 1;
        if (is_closed(world_, lam) || is_code(lam)) {
            function_set_.insert(lam);
        } else if (rets_.size() && !conts_.contains(lam) && lam->is_cn() && view(lam).has_ret() && n != ~0u) {
            if (is_root_child || stays_function(lam)) {
                function_set_.insert(lam);
                continue;
            }
            while (doms.depth(n) > 1) n = doms.idom(n);
            returns_to_[lam] = lams_[order[order.size() - 1 - n] - 1];
        }
    }
}

/// A function that has memory of its own stays one where a block would share it: each of its calls has another one. With
/// --checked there is also a place where it returns, after which nobody may use that memory. One that leaves through others
/// is a block all the same.
bool Program::stays_function(const Lam* lam) {
    return owns_memory(lam) && (world_.keeps_traps || is_recursive(lam)) && !leaves_through_others(lam);
}

/// Whether a call of this λ, an owner of memory, may lead to another one before it has ended.
bool Program::is_recursive(const Lam* lam) {
    auto& known = owners_->is_recursive.at(lam);
    if (!known) known = leads_to_itself(lam);
    return *known;
}

bool Program::leads_to_itself(const Lam* lam) {
    DefSet seen;
    std::vector<const Def*> todo(lam->ops().begin(), lam->ops().end());
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (def == lam) return true;
        bool is_end = is_closed(world_, def) || def->isa<Var>() || !def->is_set(); // what is closed does not lead here
        if (!is_end && seen.insert(def)) todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
    return false;
}

/// Whether control may go from here to a return, or a continuation, of a function around this λ.
bool Program::leaves_through_others(const Lam* lam) {
    DefSet seen;
    auto is_inside = [&](const Lam* inner) {
        return std::ranges::any_of(free_vars(world_, inner),
                                   [&](auto var) { return seen.contains(var->template as<Var>()->binder()); });
    };
    auto leaves = [&](const Def* def) {
        if (auto owner = isa_ret(def)) return !seen.contains(owner);
        auto inner = def->isa<Lam>();
        if (!inner || inner == lam || !inner->is_cn() || is_inside(inner)) return false;
        return conts_.contains(inner) || !view(inner).has_ret();
    };
    auto is_around = [&](const Def* def) {
        auto outer = def->isa<Lam>();
        return outer && is_free_in(world_, outer->var(), lam);
    };
    std::vector<const Def*> todo{lam};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (is_closed(world_, def) || seen.contains(def)) continue;
        if (leaves(def)) return true;
        if (is_around(def)) continue; // a call of it begins another activation, whose returns are not those of this one
        seen.insert(def);
        if (!def->is_set() || def->isa<Var>()) continue; // who mentions a variable does not call the function that binds it
        for (size_t i = def->num_ops(); i-- != 0;) todo.push_back(def->op(i));
    }
    return false;
}

const Snapshot& Program::snapshot() {
    if (snapshot_ && snapshot_->is_current(world_)) return *snapshot_;
    nesting_.reset();
    return snapshot_.emplace(world_);
}

bool Program::owns_memory(const Lam* lam) {
    if (!owners_) find_owners();
    return owners_->is_recursive.contains(lam);
}

bool Program::makes_memory_anew(const Def* op) {
    if (!owners_) find_owners();
    auto owner = owners_->by_op.find(op);
    return owner != owners_->by_op.end() && !is_function(owner->second) && is_recursive(owner->second);
}

/// The functions whose activations own memory: the innermost around the operations that make it.
void Program::find_owners() {
    owners_.emplace();
    for (auto def : snapshot().nodes()) {
        auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr;
        if (!axm || !axm->axiom().has(Axiom::Activation)) continue;
        for (auto lam = innermost(def); lam; lam = innermost(lam)) {
            if (conts_.contains(lam) || !lam->is_cn() || !view(lam).has_ret()) continue;
            owners_->is_recursive.emplace(lam, std::nullopt);
            owners_->by_op.emplace(def, lam);
            break;
        }
    }
}

/// The λ around this: of those whose variables it mentions, the one that no other one is around.
const Lam* Program::innermost(const Def* def) {
    const Lam* result = nullptr;
    for (auto var : free_vars(world_, def)) {
        auto lam = var->as<Var>()->binder()->isa<Lam>();
        if (lam && (!result || is_free_in(world_, result->var(), lam))) result = lam;
    }
    return result;
}

/// What a λ in direct style returns: such λs are left only as makers of closures' code, and what they take from around it is passed.
bool Program::is_code(const Lam* lam) const {
    auto user = escaping_.find(lam);
    return user != escaping_.end() && !user->second->is_cn() && is_closed(world_, user->second);
}

/// The variables that `lam` refers to, and those that arrays among them take their lengths from: code that reads an
/// array asks its type how long it is.
static std::vector<const Def*> outer_variables(World& world, const Lam* lam) {
    auto vars = free_vars(world, lam);
    DefSet seen;
    std::vector<const Def*> result;
    auto add = [&](const Def* var) {
        if (seen.insert(var)) result.push_back(var);
    };
    for (auto var : vars) add(var);
    for (size_t i = 0; i != result.size(); ++i)
        if (auto type = result[i]->type(); holds_open_array(type))
            for (auto var : free_vars(world, type)) add(var);
    return result;
}

/// Of the arrays in a value of the type `type`.
static void add_lengths(const Def* type, std::vector<const Def*>& out) {
    if (!holds_open_array(type)) return;
    if (auto arr = type->isa<Arr>()) {
        out.push_back(arr->arity());
        return add_lengths(arr->body(), out);
    }
    for (auto op : type->ops()) add_lengths(op, out);
}

const std::vector<const Def*>& Program::captures(const Lam* lam) {
    auto [i, fresh] = captures_.try_emplace(lam);
    if (!fresh || (is_closed(world_, lam) && !is_local_code(lam))) return i->second;
    auto result = outer_variables(world_, lam);
    outer_values(lam, result);
    return captures_[lam] = std::move(result);
}

/// Whether a type mentions an application of one of these axioms: as what its values are made of, or anywhere.
static bool mentions_axiom(const Def* root, const DefSet& axioms, bool anywhere) {
    DefSet seen;
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!seen.insert(def)) continue;
        if (auto axm = def->isa<App>() ? head_axiom(def) : nullptr; axm && axioms.contains(axm)) return true;
        bool has_parts = def->isa<Sigma>() || def->isa<Arr>() || def->isa<Union>();
        if (!def->is_set() || !(has_parts || anywhere)) continue;
        for (auto op : def->ops())
            if (op) todo.push_back(op);
    }
    return false;
}

/// Values of a type that nobody knows, too.
static bool may_hold_function(const Def* type) { return holds_function_itself(type) || type->isa<Var>() || type->isa<Extract>(); }

bool Program::may_hold_suspension(const Def* type) {
    if (suspended_.empty()) return false;
    return may_hold_function(type) || mentions_axiom(type, suspended_, false) || stores_suspensions();
}

bool Program::stores_suspensions() {
    auto mentions_one = [&](const Def* type) { return mentions_axiom(type, suspended_, true); };
    if (!stores_suspensions_) stores_suspensions_ = std::ranges::any_of(effect_args_, mentions_one);
    return *stores_suspensions_;
}

bool Program::is_nested(const Def* inner, const Lam* lam) {
    auto& program = snapshot();
    if (!nesting_) nesting_.emplace(world_, program);
    return nesting_->is_nested(inner, lam);
}

/// Whether `lam` is nothing but what operations call, maybe often.
bool Program::is_local_code(const Lam* lam) {
    if (!has_local_code_ || !escaping_.contains(lam) || snapshot().is_external(lam)) return false;
    return std::ranges::all_of(snapshot().users(lam), [&](auto user) {
        return is_application(user, Axiom::Local) && !is_application(user, Axiom::Speculatable);
    });
}

/// Whether a function is a value in suspensions alone, which end before the activation around them does, and is called
/// elsewhere, maybe as one of several.
bool Program::is_value_of_suspensions(const Def* function) {
    if (!has_local_code_) return false;
    return std::ranges::all_of(snapshot().users(function), [&](auto user) {
        auto app       = user->template isa<App>();
        auto choice    = user->template isa<Extract>();
        bool is_call   = app && app->callee() == function && app->arg() != function;
        bool is_choice = user->template isa<Tuple>() || (choice && choice->tuple() == function);
        return is_call || is_suspension(user) || (is_choice && is_value_of_suspensions(user));
    });
}

/// Suspensions in code that is called often, which do not depend on what it is called with.
const DefSet& Program::kept_suspensions() {
    if (kept_) return *kept_;
    kept_.emplace();
    for (auto lam : lams_)
        if (is_local_code(lam))
            for (auto def : captures(lam))
                if (is_suspension(def)) kept_->insert(def);
    return *kept_;
}

/// Its value is passed on in as many parts, which takes longer than to suspend it again.
static bool is_large_suspension(World& world, const Def* def) {
    constexpr int64_t max_parts = 64;
    auto type                   = def->type()->isa<App>();
    return type && type->arg()->type() && lit_arity(world, type->arg()) > max_parts;
}

/// Values in `lam` that depend on nothing bound in it, and that are made outside: effects, which would happen more
/// than once if they were evaluated again for each call, and suspensions, each of which would know nothing of the
/// others. A function that is a value may be called after the activation that these belong to. A function around `lam`
/// that it calls makes its own in a new activation, and takes the rest.
void Program::outer_values(const Lam* lam, std::vector<const Def*>& out) {
    DefSet outer, seen;
    std::vector<const Def*> todo{lam};
    for (auto var : out) {
        outer.insert(var);
        add_lengths(var->type(), todo);
    }
    auto is_outer = [&](const Def* def) {
        for (auto var : free_vars(world_, def))
            if (!outer.contains(var)) return false;
        return true;
    };
    auto happens_inside = [&](const Def* def) {
        return happens_only_in(snapshot(), def, [&](const Def* place) { return place == lam || is_nested(place, lam); });
    };
    auto is_made_outside = [&](const Def* def) {
        bool suspends = is_suspension(def);
        if ((!suspends && !is_effect(def)) || !is_outer(def)) return false;
        if (!suspends) return !is_closed(world_, def) && !happens_inside(def);
        if (is_local_code(lam)) return true;
        bool is_kept = escaping_.contains(lam) && (snapshot().is_external(lam) || !is_value_of_suspensions(lam));
        if (is_kept) return false;
        if (is_application(def, Axiom::Suspends)) return true; // an effect happens once
        if (kept_suspensions().contains(def)) return true;
        return !is_large_suspension(world_, def) && !happens_inside(def);
    };
    FunctionsAround around(world_, lam);
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!is_term(def) && !def->isa<Tuple>() && !def->isa<App>()) continue;
        if (!seen.insert(def) || (is_closed(world_, def) && !has_local_code_)) continue;
        if (is_made_outside(def)) {
            out.push_back(def);
            add_lengths(def->type(), todo);
        } else if (auto l = def->isa<Lam>()) {
            if (!l->is_set() || (l != lam && is_closed(world_, l))) continue;
            if (l == lam || !around.contains(l)) todo.push_back(l->body());
            else todo.insert(todo.end(), captures(l).begin(), captures(l).end());
        } else if (!def->isa<Var>()) {
            for (size_t k = def->num_ops(); k-- != 0;) todo.push_back(def->op(k));
        }
    }
}

} // namespace mim
