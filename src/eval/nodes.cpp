// SPDX-License-Identifier: MIT
#include "eval/nodes.h"

#include <algorithm>
#include <utility>

#include "eval/activations.h"
#include "eval/ending.h"
#include "eval/heap.h"

namespace mim::eval {

namespace {
[[noreturn]] void out_of_scope(const Def* def) { throw Failure{"an expression mentions a variable outside of its scope", def}; }
} // namespace

void Nodes::grow(size_t id) { infos_.resize(std::max<size_t>(id + 1, infos_.size() * 2)); }

/// Where a node that is evaluated for the first time has its value.
void Nodes::learn(NodeInfo& i, const Def* def, const Env& env) {
    activations_.note_blocks(def);
    auto vars = free_vars(world_, def);
    if (!vars.empty()) {
        auto is_free = [&](const Def* b) {
            return b && std::any_of(vars.begin(), vars.end(), [&](const Def* v) { return v->as<Var>()->binder() == b; });
        };
        auto f = env.get();
        while (f && !is_free(f->binder)) f = f->parent.get();
        if (!f) out_of_scope(def);
        i.home = f->binder;
    }
    i.slot  = num_slots_[i.home]++;
    i.known = true;
}

Env Nodes::home(const Def* def, const Env& env) {
    auto& i = info(def);
    if (!i.known) learn(i, def, env);
    auto f = env.get();
    while (f->binder != i.home) {
        f = f->parent.get();
        if (!f) out_of_scope(def);
    }
    return f;
}

bool Nodes::find(const Def* def, const Env& env, Env& frame, Value& value) {
    frame     = home(def, env);
    auto slot = info(def).slot;
    if (slot >= frame->memo.size() || !frame->memo[slot]) return false;
    value = frame->memo[slot];
    return true;
}

void Nodes::keep(const Def* def, Frame& home, const Value& value) {
    auto slot = info(def).slot;
    if (slot >= home.memo.size()) {
        home.heap.charge(home, (slot + 1 - home.memo.size()) * sizeof(Value));
        home.memo.resize(slot + 1);
    }
    home.memo[slot] = value;
}

/// Each user of def depends on the variable of its home as well, so all of them are inside of the home.
bool Nodes::is_shared(const Def* def) {
    if (auto home = info(def).home) count_uses(home);
    auto may_be_chosen = [](const Def* user) { return user && (user->isa<Tuple>() || user->isa<Extract>()); };
    while (!info(def).is_shared && may_be_chosen(info(def).user)) def = info(def).user;
    return info(def).is_shared;
}

void Nodes::count_uses(const Def* root) {
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto user = todo.back();
        todo.pop_back();
        if (std::exchange(info(user).counted, true)) continue;
        for (auto op : user->ops()) {
            if (!op) continue;
            auto& i     = info(op);
            i.is_shared = i.is_shared || i.user;
            i.user      = user;
            if (!i.counted) todo.push_back(op);
        }
    }
}

bool Nodes::is_linear(const Def* type) {
    auto known = info(type).linear;
    if (known != 2) return known;
    info(type).linear = 0; // a recursive type has its token elsewhere too, if at all
    bool res          = false;
    if (auto axm = head_axiom(type)) {
        res = axm->axiom().has(Axiom::LinearType);
    } else if (auto sigma = type->isa<Sigma>()) {
        for (auto op : sigma->ops()) res |= op && is_linear(op);
    } else if (auto arr = type->isa<Arr>()) {
        res = is_linear(arr->body());
    }
    info(type).linear = res;
    return res;
}

bool Nodes::may_be_effect(const Def* def) {
    if (is_linear(def->type())) return true;
    auto app = def->isa<App>();
    if (!app) return true; // the arms of a `match`
    return is_linear(app->arg()->type()) || (!head_axiom(app) && !is_closed(world_, app->callee()));
}

} // namespace mim::eval
