// SPDX-License-Identifier: MIT
// What may be evaluated though nobody may need it (facts.h): inside of a function, what costs nothing but time; as an argument, what ends,
// does not trap, and does not branch on what may be undefined. An operation whose result is undefined is harmless as long as nobody looks
// at that; where control goes by it, the program is undefined as a whole.
#include <algorithm>

#include "facts.h"

namespace mim::plug::direct {

bool Facts::is_speculatable(const Def* def) { return evaluate(def, false); }
bool Facts::is_safe(const Def* def) { return evaluate(def, true); }

bool Facts::is_cheap(const Def* def) {
    if (is_call(def) || def->isa<Match>()) return false;
    // a partial application is part of the operation that it belongs to
    auto axm = def->isa<App>() ? head_axiom(def) : nullptr;
    if (!axm || (!saturated_axiom(def) && def->type()->isa<Pi>())) return true;
    return axm->axiom().is_speculatable(world_.checked);
}

/// Walks the operands first; what is at its root and what it is made of decides.
bool Facts::evaluate(const Def* root, bool safe) {
    auto& memo = safe ? safe_ : speculatable_;
    auto known = [&](const Def* def) { return def->isa<Lam>() || memo.contains(def); };
    std::vector<const Def*> todo{root}, ops;
    while (!todo.empty()) {
        auto def = todo.back();
        if (known(def)) {
            todo.pop_back();
            continue;
        }
        if (auto in = leaves_in(def); !in.empty()) {
            memo[def] = std::none_of(in.begin(), in.end(),
                                     [&](auto l) { return deciding_ && !safe ? !l->is_fixed : l->is_lazy(); });
            continue;
        }
        if (def->isa<Var>() || (safe && tokens_.is_token(def))) {
            memo[def] = true;
            continue;
        }
        ops.clear();
        run_time_ops(def, ops);
        auto size = todo.size();
        for (auto op : ops)
            if (!known(op)) todo.push_back(op);
        if (todo.size() != size) continue;
        todo.pop_back();
        auto lam    = safe && is_call(def) ? def->as<App>()->callee()->isa<Lam>() : nullptr;
        bool result = lam ? is_total(lam) : is_cheap(def);
        for (auto op : ops) result = result && (op->isa<Lam>() || memo[op]);
        memo[def] = result && (!safe || branches_safely(def));
    }
    return root->isa<Lam>() || memo[root];
}

/// Whether what decides where control goes while def is evaluated is certainly defined.
bool Facts::branches_safely(const Def* def) {
    if (auto match = def->isa<Match>()) return is_settled(match->scrutinee());
    if (is_call(def)) return is_settled(def->as<App>()->arg());
    return !is_control(def) || is_settled(selection(def).index);
}

bool Facts::is_settled(const Def* root) {
    if (auto i = settled_.find(root); i != settled_.end()) return i->second;
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        auto i = settled_.find(def);
        if (i != settled_.end() ? !i->second : !settles(def)) return settled_[root] = false;
        if (i != settled_.end() || def->isa<Lam>() || is_call(def) || !leaves_in(def).empty() || !seen.insert(def).second)
            continue;
        run_time_ops(def, todo);
    }
    for (auto def : seen) settled_[def] = true;
    return settled_[root] = true;
}

/// Whether def is defined if its operands are. What is passed to functions by need may be evaluated though it is not needed; results,
/// and what continuations take, are by value.
bool Facts::settles(const Def* def) {
    if (auto in = leaves_in(def); !in.empty())
        return std::all_of(in.begin(), in.end(), [&](auto l) { return l->is_fixed || (!deciding_ && l->is_needed); });
    if (is_call(def)) return is_effect(def);
    auto axm = saturated_axiom(def);
    if (!axm || def->isa<Axm>()) return !def->isa<Match>();
    auto& axiom = axm->axiom();
    return axiom.has(Axiom::Speculatable) && !axiom.has(Axiom::MayTrap);
}

/// A function of which every operation is speculatable; it calls nothing.
bool Facts::is_total(const Lam* lam) {
    auto [i, fresh] = total_.try_emplace(lam, false);
    if (!fresh || !lam->is_set() || lam->is_cn()) return i->second;
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{lam->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!seen.insert(def).second || def->isa<Lam>()) continue;
        if ((!def->isa<Match>() && !is_cheap(def)) || (def->isa<Pack>() && def->var()) || !branches_safely(def)) return false;
        run_time_ops(def, todo);
        if (auto match = def->isa<Match>())
            for (auto arm : match->arms())
                if (auto l = arm->isa<Lam>()) todo.push_back(l->body());
    }
    return total_[lam] = true;
}

} // namespace mim::plug::direct
