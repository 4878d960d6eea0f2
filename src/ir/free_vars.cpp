// SPDX-License-Identifier: MIT
// Free variables, lazily and as shared hash-consed sets. A node's *direct* set holds the variables and the mutables that are
// reachable through immutable nodes; a mutable's free variables are a least fixed point over the mutables it reaches, cached once
// everything involved is sealed. Binders still under construction count as closed: nothing nested in a sealed binder is unsealed.
// Placeholders count as mutables: a recursive type is sealed around one that is still empty, and has the variables of what fills it.
#include <algorithm>

#include "ir/impl.h"

namespace mim {

/// The set of a node through whose operands nobody needs to look: a variable, a mutable, or a closed node.
static bool is_leaf(const Def* d) {
    return d->node() == Node::Var || d->node() == Node::Axm || d->is_mut() || !d->has(Def::HasDep);
}

static const Def* solution(const Def* d) { return d->node() == Node::Hole ? d->as<Hole>()->solution() : nullptr; }

/// A literal has its value where other nodes cache their set; what it depends on is its type. A placeholder that is filled is its solution.
static const Def* subject(const Def* d) {
    while (auto value = solution(d)) d = value;
    return d->node() == Node::Lit ? d->type() : d;
}

static bool is_complete(const Def* mut) { return mut->is_sealed() || solution(mut); }

/// The set of a mutable, if it is cached; a placeholder has its number there.
const VarSet* FreeVars::known(const Def* mut) {
    return mut->node() == Node::Hole ? nullptr : static_cast<const VarSet*>(mut->payload_.deps);
}

const VarSet* FreeVars::leaf(const Def* d) {
    if (!d->is_mut() && d->node() != Node::Var) return sets_.empty();
    if (auto set = known(d)) return set;
    auto s = sets_.make({&d, 1});
    if (d->node() == Node::Var) const_cast<Def*>(d)->payload_.deps = s;
    return s;
}

const VarSet* FreeVars::direct(const Def* root) {
    root       = subject(root);
    auto known = [&](const Def* d) { return is_leaf(d) ? leaf(d) : static_cast<const VarSet*>(d->payload_.deps); };
    auto arity = [](const Def* d) { return d->num_ops() + (type_is_operand(d) ? 1 : 0); };
    auto child = [](const Def* d, size_t i) { return subject(i < d->num_ops() ? d->op(i) : d->type()); };
    struct Frame {
        const Def* def;
        size_t next       = 0; ///< the first child that is not in the set yet
        const VarSet* set = nullptr;
    };
    // that of a node with many children at once: sets that grow with each of them would take quadratic space
    auto merge_all = [&](const Def* d) {
        std::unordered_set<const VarSet*> seen;
        std::vector<const Def*> all;
        for (size_t i = 0, n = arity(d); i != n; ++i) {
            auto s = known(child(d, i));
            if (seen.insert(s).second) s->each([&](const Def* x) { all.push_back(x); });
        }
        std::sort(all.begin(), all.end(), [](auto a, auto b) { return a->id() < b->id(); });
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return sets_.make(all);
    };
    constexpr size_t few_children = 64;
    // takes children until all are in the set, or until one is not known yet, which is returned
    auto advance = [&](Frame& f) -> const Def* {
        if (!f.set) f.set = sets_.empty();
        auto n = arity(f.def);
        for (; f.next < n; ++f.next) {
            auto c = child(f.def, f.next);
            auto s = known(c);
            if (!s) return c;
            if (n <= few_children) f.set = sets_.merge(f.set, s);
        }
        if (n > few_children) f.set = merge_all(f.def);
        const_cast<Def*>(f.def)->payload_.deps = f.set;
        return nullptr;
    };
    if (auto set = known(root)) return set;
    Frame frame{root};
    auto todo = advance(frame);
    if (!todo) return frame.set;
    std::vector<Frame> stack{frame, {todo}};
    while (!stack.empty()) {
        if (auto next = advance(stack.back())) stack.push_back({next});
        else stack.pop_back();
    }
    return static_cast<const VarSet*>(root->payload_.deps);
}

namespace {
/// The set in parts: sets or variables, and mutables.
template<class Vars, class Mut>
void each_part(const VarSet* set, Vars vars, Mut mut) {
    if (!set->has_mut) return vars(set);
    if (set->is_split()) {
        each_part(set->halves().low, vars, mut);
        each_part(set->halves().high, vars, mut);
        return;
    }
    for (auto d : set->array())
        if (d->is_mut()) mut(d);
        else vars(d);
}

template<class F>
void each_mut(const VarSet* set, F f) {
    each_part(set, [](auto) {}, f);
}

/// The variable that is free in a binder no more. One of a singleton type is its value, maybe a variable of a binder around.
const Def* own_var(const Def* binder) {
    auto var = binder->var() ? binder->var()->isa<Var>() : nullptr;
    return var && var->binder() == binder ? var : nullptr;
}

/// A union. Mostly one of the sets is all of it; a few elements more become part of it once it is complete.
class VarUnion {
public:
    explicit VarUnion(VarSets& sets)
        : sets_(sets) {}

    void add(const VarSet* set) {
        if (set == all_ || set->size == 0) return;
        bool is_larger = !all_ || all_->size < set->size;
        if (is_larger) std::swap(set, all_);
        if (!set) return;
        if (set->is_split()) all_ = sets_.merge(all_, set);
        else
            for (auto d : set->array()) add(d);
    }
    void add(const Def* d) {
        if (all_ && all_->contains(d)) return;
        auto at = std::ranges::lower_bound(few_, d->id(), {}, &Def::id);
        if (at != few_.end() && *at == d) return;
        few_.insert(at, d);
        bool are_many = few_.size() > VarSet::MaxArray;
        if (are_many) all_ = together(), few_.clear();
    }
    /// All but `bound`, which may be null.
    const VarSet* get(const Def* bound) {
        if (few_.empty()) return all_ ? sets_.without(all_, bound) : sets_.empty();
        std::erase(few_, bound);
        return sets_.without(together(), bound);
    }

private:
    const VarSet* together() {
        auto few = sets_.make(few_);
        return all_ ? sets_.merge(all_, few) : few;
    }

    VarSets& sets_;
    const VarSet* all_ = nullptr;
    std::vector<const Def*> few_; ///< others, sorted by id
};
} // namespace

/// Whether the set is final, and cached.
bool FreeVars::compute(const Def* root) {
    // the mutables whose sets are unknown, in postorder
    struct Known {
        const VarSet* set;
        bool visited = false; ///< in the first round
    };
    std::vector<const Def*> order;
    std::unordered_map<const Def*, Known> sets;
    bool sealed   = true;
    auto children = [&](const Def* m, auto f) {
        for (auto op : m->ops())
            if (op) f(direct(op));
        if (type_is_operand(m)) f(direct(m->type()));
    };
    std::vector<std::pair<const Def*, bool>> stack{{root, false}};
    while (!stack.empty()) {
        auto [m, done] = stack.back();
        stack.pop_back();
        if (done) {
            order.push_back(m);
            continue;
        }
        if (!sets.emplace(m, Known{sets_.empty()}).second) continue;
        stack.push_back({m, true});
        if (!is_complete(m)) sealed = false;
        if (!m->is_set()) continue; // under construction: nothing nested in a set binder is, so this counts as closed
        children(m, [&](const VarSet* s) {
            each_mut(s, [&](const Def* d) {
                if (!known(d)) stack.push_back({d, false});
            });
        });
    }
    // a second round only if a mutable was asked for before its own set was known: a cycle
    bool cyclic = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto m : order) {
            auto& own = sets[m];
            VarUnion all(sets_);
            all.add(own.set);
            auto add_mut = [&](const Def* d) {
                if (auto it = sets.find(d); it != sets.end()) {
                    all.add(it->second.set);
                    cyclic |= d != m && !it->second.visited;
                } else if (auto set = known(d)) {
                    all.add(set);
                }
            };
            children(m, [&](const VarSet* s) { each_part(s, [&](auto vars) { all.add(vars); }, add_mut); });
            auto set = all.get(own_var(m));
            changed |= set != own.set;
            own = {set, true};
        }
        changed &= cyclic;
    }
    computed_ = sets[root].set;
    if (!sealed) return false; // may grow once the unsealed are sealed: not cached
    for (auto m : order)
        if (m->node() != Node::Hole) const_cast<Def*>(m)->payload_.deps = sets[m].set;
    return true;
}

const VarSet* FreeVars::of(const Def* d) {
    d        = subject(d);
    auto set = direct(d);
    if (!set->has_mut) return set;
    VarUnion all(sets_);
    bool all_known = true;
    auto add_mut   = [&](const Def* x) {
        if (!x->is_set()) { // counts as closed
            all_known = false;
            return;
        }
        auto set = known(x);
        if (!set) all_known &= compute(x), set = computed_;
        all.add(set);
    };
    each_part(set, [&](auto vars) { all.add(vars); }, add_mut);
    auto res = all.get(nullptr);
    if (all_known && !d->is_mut() && !is_leaf(d)) const_cast<Def*>(d)->payload_.deps = res;
    return res;
}

const VarSet* FreeVars::around(const Def* binder) {
    VarUnion all(sets_);
    for (auto op : binder->ops()) all.add(of(op));
    return all.get(own_var(binder));
}

bool is_closed(World& w, const Def* d) {
    return d->has(Def::HasDep) || d->is_mut() || d->node() == Node::Var ? w.impl().free_vars.of(d)->size == 0 : true;
}

bool is_free_in(World& w, const Def* var, const Def* def) {
    if (!def->has(Def::HasDep) && !def->is_mut() && def->node() != Node::Var) return false;
    return w.impl().free_vars.of(def)->contains(var);
}

Defs free_vars(World& w, const Def* def) {
    auto& free_vars = w.impl().free_vars;
    return free_vars.elements(free_vars.of(def));
}

} // namespace mim
