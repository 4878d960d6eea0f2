// SPDX-License-Identifier: MIT
// See facts.h.
#include "facts.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "style.h"

namespace mim::plug::direct {

/// A function with more leaves than this takes further tuples as a whole.
static constexpr size_t max_leaves = 64;

// --- kinds of expressions ---

/// Whether def may be a selection; most of a program is told to be none by a look at it, and not remembered.
static bool may_select(const Def* def) {
    if (auto app = def->isa<App>()) return app->callee()->isa<Extract>() || (app->callee()->isa<App>() && !head_axiom(app));
    auto extract = def->isa<Extract>();
    return extract && !extract->index()->isa<Lit>();
}

bool has_elements(const Def* type) { return type->isa<Sigma>() || type->isa<Arr>() || type->isa<Union>(); }

bool holds_package(const Def* type) {
    return has_elements(type) && (type->is_mut() || std::ranges::any_of(type->ops(), holds_package));
}

const Selection& Facts::selection(const Def* def) {
    static const Selection none;
    if (!may_select(def)) return none;
    auto [i, fresh] = selections_.try_emplace(def);
    auto& result    = i->second; // stays where it is while others are added
    if (fresh) result = find_selection(def);
    return result;
}

/// Of a function that the index k chooses: its type may show which index that is.
const Def* Facts::argument_of(const Def* function, const Def* arg, const Def* index, size_t k) {
    auto dom = function->type()->as<Pi>()->dom();
    if (dom == arg->type() || assignable(world_, dom, arg)) return arg;
    auto size     = isa_lit(isa_idx(index->type()));
    auto replaced = size ? replace_index(world_, arg, index, world_.lit_idx(size->value(), k)) : nullptr;
    return replaced ? replaced : arg;
}

Selection Facts::find_selection(const Def* def) {
    if (auto app = def->isa<App>()) {
        // the choice of a continuation that costs nothing is a branch as it is
        if (!is_call(def) && !(app->type()->isa<Bot>() && app->callee()->isa<Extract>() && is_control(app->callee()))) return {};
        auto callee = find_selection(app->callee());
        for (size_t k = 0; k != callee.elems.size(); ++k) {
            auto& f = callee.elems[k];
            f       = world_.app(f, argument_of(f, app->arg(), callee.index, k));
        }
        return callee;
    }
    auto extract = def->isa<Extract>();
    if (!extract || extract->index()->isa<Lit>() || !is_term(def)) return {};
    auto tuple = extract->tuple();
    if (!holds_package(def->type()) && is_table(tuple)) return {};
    if (tuple->isa<Tuple>()) return {extract->index(), {tuple->ops().begin(), tuple->ops().end()}};
    auto n = lit_arity(world_, tuple->type());
    if (n < 0) return {};
    bool is_some = holds_package(def->type()) && n <= int64_t(max_leaves);
    if (!is_some && leaves_in(tuple).size() < 2) return {};
    Selection result{extract->index()};
    for (int64_t k = 0; k < n; ++k) result.elems.push_back(world_.extract(tuple, uint64_t(k)));
    return result;
}

bool Facts::is_table(const Def* def) {
    if (!def->isa<Tuple>() || !constants_.contains(def)) return false;
    auto [i, fresh] = tables_.try_emplace(def, false);
    if (fresh) i->second = std::ranges::all_of(def->ops(), [&](auto e) { return e->template isa<Lit>() || is_speculatable(e); });
    return i->second;
}

bool is_direct_call(const Def* def) {
    auto app = def->isa<App>();
    if (!app || app->type()->isa<Bot>() || app->callee()->isa<Idx>()) return false;
    if (is_operation(app->callee()) && !is_cps2ds(app->callee())) return false;
    auto pi = app->callee()->type()->isa<Pi>();
    return pi && !pi->is_cn() && is_term(app) && !Facts::is_type_abstraction(pi);
}

bool Facts::is_control(const Def* def) {
    if (is_call(def) || is_match(def)) return true;
    auto& choice = selection(def);
    if (!choice) return false;
    if (def->type()->isa<Bot>() || holds_package(def->type())) return true;
    return !std::all_of(choice.elems.begin(), choice.elems.end(), [&](auto e) { return is_speculatable(e) && !is_costly(e); });
}

bool Facts::is_function(const Pi* pi) {
    auto codom = pi->codom();
    return !pi->is_cn() && !codom->isa<Sort>() && codom->type()->isa<Sort>() && !is_type_abstraction(pi);
}

bool Facts::mentions_function(const Def* root) {
    if (auto known = mentions_.find(root); known != mentions_.end()) return known->second;
    std::vector<const Def*> todo{root}, seen;
    while (!todo.empty()) {
        auto def        = todo.back();
        auto [i, fresh] = mentions_.try_emplace(def, false);
        todo.pop_back();
        if (!fresh && !i->second) continue;
        auto pi  = def->isa<Pi>();
        auto lam = def->isa<Lam>();
        if (i->second || (pi && is_function(pi)) || (lam && is_run_time(lam))) {
            for (auto s : seen) mentions_.erase(s);
            return mentions_[def] = mentions_[root] = true;
        }
        seen.push_back(def);
        if (def->isa<Var>()) continue;
        for (auto op : def->ops())
            if (op) todo.push_back(op);
    }
    return false;
}

/// More operations than this are worth a branch: about what a wrong prediction costs.
static constexpr size_t max_operations = 12;

bool Facts::is_costly(const Def* root) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{root};
    size_t operations = 0;
    while (!todo.empty() && seen.size() <= 4 * max_operations) {
        auto def = todo.back();
        todo.pop_back();
        bool makes_array = def->isa<Insert>() || def->isa<Pack>();
        if (makes_array && is_by_address(def->type())) return true;
        if (def->isa<Var>() || def->isa<Lam>() || is_closed(def) || !leaves_in(def).empty() || !seen.insert(def).second) continue;
        if (saturated_axiom(def) && is_term(def) && ++operations > max_operations) return true;
        run_time_ops(def, todo);
    }
    return false;
}

std::vector<const Def*> Facts::updated_elements(const Def* def) {
    auto tuple = def;
    for (; tuple->isa<Insert>(); tuple = tuple->as<Insert>()->tuple())
        if (!isa_lit(tuple->as<Insert>()->index())) return {};
    if (tuple == def || leaves_in(tuple).size() < 2) return {};
    std::vector<const Def*> elems;
    for (int64_t i = 0, n = lit_arity(world_, def->type()); i != n; ++i) elems.push_back(world_.extract(def, uint64_t(i)));
    return elems;
}

void Facts::operands(const Def* def, std::vector<const Def*>& out) {
    auto elems = updated_elements(def);
    out.insert(out.end(), elems.begin(), elems.end());
    if (elems.empty()) run_time_ops(def, out);
    std::vector<const Def*> types;
    auto add = [&](const Def* op) {
        bool is_aggregate = op->isa<Arr>() || op->isa<Sigma>() || op->isa<Union>();
        bool is_hidden    = op->isa<Extract>() && !is_term(op); // in a package that a call makes
        if ((is_aggregate || is_hidden) && !op->is_mut()) types.push_back(op);
    };
    if (def->isa<Lam>()) return;
    for (auto op : def->ops()) add(op);
    std::unordered_set<const Def*> seen;
    while (!types.empty()) {
        auto type = types.back();
        types.pop_back();
        if (!seen.insert(type).second) continue;
        for (auto op : type->ops()) {
            add(op);
            bool is_expression = op->isa<App>() || op->isa<Tuple>() || is_term(op);
            if (is_expression && (has_control(op) || has_local_function(op))) out.push_back(op);
        }
    }
}

bool Facts::has_local_function(const Def* root) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (is_closed(def) || !seen.insert(def).second) continue;
        if (auto lam = def->isa<Lam>(); lam && is_run_time(lam)) return true;
        run_time_ops(def, todo);
    }
    return false;
}

bool Facts::has_changed_function(const Def* root) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (is_closed(def) || !seen.insert(def).second) continue;
        auto lam = def->isa<Lam>();
        if (!lam || !is_run_time(lam)) {
            run_time_ops(def, todo);
            continue;
        }
        if (!lam->is_cn() || has_control(lam->body())) return true;
        todo.push_back(lam->body());
    }
    return false;
}

bool Facts::is_filled(const Def* def) {
    auto pack = def->isa<Pack>();
    if (!pack || !pack->var() || pack->type()->is_mut()) return false;
    auto [i, fresh] = filled_.try_emplace(def, false);
    if (!fresh) return i->second;
    auto result         = has_control(pack->body()) || has_changed_function(pack->body());
    return filled_[def] = result;
}

bool Facts::has_control(const Def* root) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (is_speculatable(def) || !seen.insert(def).second) continue;
        if (is_control(def)) return true;
        run_time_ops(def, todo);
    }
    return false;
}

void Facts::add_match(const Match* match) {
    for (auto arm : match->arms())
        if (auto lam = arm->isa<Lam>(); lam && match_of_arm_.try_emplace(lam, match).first->second != match)
            shared_arms_.insert(lam);
}

// --- leaves ---

/// Whether `def` is the part of `var` at `path`. An element of a singleton type is none: it is the value that the type names.
static bool is_part(const Def* def, const Def* var, const std::vector<size_t>& path) {
    for (size_t i = path.size(); i-- != 0;) {
        auto extract = def->isa<Extract>();
        auto index   = extract ? isa_lit(extract->index()) : nullptr;
        if (!index || index->value() != path[i]) return false;
        def = extract->tuple();
    }
    return def == var && var->isa<Var>();
}

void Facts::add_function(const Lam* lam) {
    if (lam->is_cn() || is_type_abstraction(lam->pi()) || leaves_.contains(lam)) return;
    std::vector<size_t> path;
    std::vector<Leaf> result;
    size_t more = max_leaves - 1;
    add_leaves(lam->var(), path, more, result);
    for (size_t i = 0; i != result.size(); ++i) {
        auto& leaf = result[i];
        leaf.lam   = lam;
        // a lazy value holds no types; what is not the function's own has its value without an argument
        bool is_term_alone = is_term(leaf.def) && !holds_types(leaf.def->type());
        bool is_own        = is_part(leaf.def, lam->var(), leaf.path);
        leaf.is_fixed      = lam->pi()->is_mut() || !is_term_alone || !is_own || tokens_.is_token(leaf.def);
        if (is_own) leaf_of_.emplace(leaf.def, std::pair(lam, i));
    }
    leaves_.emplace(lam, std::move(result));
}

void Facts::add_leaves(const Def* def, std::vector<size_t>& path, size_t& more, std::vector<Leaf>& out) {
    auto type = def->type();
    auto n    = type->isa<Sigma>() || type->isa<Arr>() ? lit_arity(world_, type) : -1;
    if (type->is_mut() || n < 2 || size_t(n - 1) > more) {
        out.push_back({nullptr, def, path});
        return;
    }
    more -= size_t(n - 1);
    for (size_t i = 0; i != size_t(n); ++i) {
        path.push_back(i);
        add_leaves(world_.extract(def, i), path, more, out);
        path.pop_back();
    }
}

std::vector<Leaf>* Facts::callee_leaves(const Def* call) {
    auto lam = is_call(call) ? call->as<App>()->callee()->isa<Lam>() : nullptr;
    return lam ? leaves(lam) : nullptr;
}

bool Facts::has_lazy(const Lam* lam) {
    auto all = leaves(lam);
    return all && std::any_of(all->begin(), all->end(), [](auto& l) { return l.is_lazy(); });
}

Leaf* Facts::isa_leaf(const Def* def) {
    auto i = leaf_of_.find(def);
    return i == leaf_of_.end() ? nullptr : &leaves_[i->second.first][i->second.second];
}

std::vector<Leaf*> Facts::leaves_in(const Def* def) {
    if (auto leaf = isa_leaf(def)) return {leaf};
    std::vector<size_t> path;
    auto d = def;
    for (; d->isa<Extract>(); d = d->as<Extract>()->tuple()) {
        auto index = isa_lit(d->as<Extract>()->index());
        if (!index) return {};
        path.push_back(index->value());
    }
    auto var = d->isa<Var>();
    auto lam = var ? var->binder()->isa<Lam>() : nullptr;
    auto all = lam ? leaves(lam) : nullptr;
    if (!all) return {};
    std::vector<Leaf*> result;
    for (auto& leaf : *all)
        if (leaf.path.size() >= path.size() && std::equal(path.rbegin(), path.rend(), leaf.path.begin())) result.push_back(&leaf);
    return result;
}

const Def* Facts::part(const Def* arg, const Leaf& leaf) {
    for (auto i : leaf.path) arg = world_.extract(arg, i);
    return arg;
}

} // namespace mim::plug::direct
