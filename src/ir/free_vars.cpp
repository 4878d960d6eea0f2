// SPDX-License-Identifier: MIT
// Free variables, lazily and as shared hash-consed sets. A node's *direct* set holds the variables and the mutables that are
// reachable through immutable nodes; a mutable's free variables are a least fixed point over the mutables it reaches, cached once
// everything involved is sealed. Binders still under construction count as closed: nothing nested in a sealed binder is unsealed.
// Placeholders count as mutables: a recursive type is sealed around one that is still empty, and has the variables of what fills it.
#include <algorithm>

#include "ir/impl.h"

namespace mim {

bool VarSet::contains(const Def* d) const {
    if (!(bloom & bit(d))) return false;
    return std::binary_search(begin(), end(), d, [](auto a, auto b) { return a->id() < b->id(); });
}

const VarSet* FreeVars::make(std::vector<const Def*>& sorted) {
    uint64_t h = sorted.size(), bloom = 0;
    bool has_mut = false;
    for (auto d : sorted) h = mix(h, d->id()), bloom |= VarSet::bit(d), has_mut |= d->is_mut();
    auto hash   = static_cast<uint32_t>(h);
    auto newest = sorted.empty() ? 0 : sorted.back()->id();
    auto is_it  = [&](Slot s) {
        return s.set->hash == hash && s.set->size == sorted.size() && std::equal(s.set->begin(), s.set->end(), sorted.begin());
    };
    if (auto slot = sets_.find(newest, hash, is_it)) return slot->set;
    auto s = new (arena_.alloc(sizeof(VarSet) + sorted.size() * sizeof(const Def*)))
        VarSet{static_cast<uint32_t>(sorted.size()), hash, bloom, has_mut};
    std::copy(sorted.begin(), sorted.end(), const_cast<const Def**>(s->begin()));
    sets_.insert(newest, {s});
    return s;
}

const VarSet* FreeVars::merge(const VarSet* a, const VarSet* b) {
    if (a == b || b->size == 0) return a;
    if (a->size == 0) return b;
    auto less = [](auto x, auto y) { return x->id() < y->id(); };
    if (a->size > b->size) std::swap(a, b);
    if ((a->bloom & ~b->bloom) == 0 && std::includes(b->begin(), b->end(), a->begin(), a->end(), less)) return b;
    std::vector<const Def*> res;
    res.reserve(a->size + b->size);
    std::set_union(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(res), less);
    return make(res);
}

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
    if (!d->is_mut() && d->node() != Node::Var) return empty_;
    if (auto set = known(d)) return set;
    std::vector<const Def*> one{d};
    auto s = make(one);
    if (d->node() == Node::Var) const_cast<Def*>(d)->payload_.deps = s;
    return s;
}

const VarSet* FreeVars::direct(const Def* root) {
    if (!empty_) {
        std::vector<const Def*> none;
        empty_ = make(none);
    }
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
            if (seen.insert(s).second) all.insert(all.end(), s->begin(), s->end());
        }
        std::sort(all.begin(), all.end(), [](auto a, auto b) { return a->id() < b->id(); });
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return make(all);
    };
    constexpr size_t few_children = 64;
    // takes children until all are in the set, or until one is not known yet, which is returned
    auto advance = [&](Frame& f) -> const Def* {
        if (!f.set) f.set = empty_;
        auto n = arity(f.def);
        for (; f.next < n; ++f.next) {
            auto c = child(f.def, f.next);
            auto s = known(c);
            if (!s) return c;
            if (n <= few_children) f.set = merge(f.set, s);
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
/// The variable that is free in a binder no more. One of a singleton type is its value, maybe a variable of a binder around.
const Def* own_var(const Def* binder) {
    auto var = binder->var() ? binder->var()->isa<Var>() : nullptr;
    return var && var->binder() == binder ? var : nullptr;
}

/// A union that becomes a set only once it is complete. Mostly one of the sets is all of it.
class VarUnion {
public:
    void add(const VarSet* set) {
        if (set == all_ || is_part(set)) return;
        if (all_ ? is_subset(all_, set) : vars_.empty()) {
            all_ = set;
            return;
        }
        if (all_) vars_.assign(all_->begin(), all_->end()), bloom_ = all_->bloom, all_ = nullptr;
        std::vector<const Def*> sum;
        sum.reserve(vars_.size() + set->size);
        std::set_union(vars_.begin(), vars_.end(), set->begin(), set->end(), std::back_inserter(sum), is_older);
        vars_.swap(sum);
        bloom_ |= set->bloom;
    }
    /// All but `bound`, which may be null.
    const VarSet* get(FreeVars& vars, const Def* bound) {
        if (all_ && !(bound && all_->contains(bound))) return all_;
        if (all_) vars_.assign(all_->begin(), all_->end());
        std::erase(vars_, bound);
        return vars.make(vars_);
    }

private:
    static bool is_older(const Def* x, const Def* y) { return x->id() < y->id(); }
    static bool is_subset(const VarSet* a, const VarSet* b) {
        return !(a->bloom & ~b->bloom) && std::includes(b->begin(), b->end(), a->begin(), a->end(), is_older);
    }
    bool is_part(const VarSet* set) const {
        if (all_ || set->size == 0) return set->size == 0 || is_subset(set, all_);
        return !(set->bloom & ~bloom_) && std::includes(vars_.begin(), vars_.end(), set->begin(), set->end(), is_older);
    }

    const VarSet* all_ = nullptr; ///< if it is one of those that were added; else vars_
    std::vector<const Def*> vars_;
    uint64_t bloom_ = 0;
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
        if (!sets.emplace(m, Known{empty_}).second) continue;
        stack.push_back({m, true});
        if (!is_complete(m)) sealed = false;
        if (!m->is_set()) continue; // under construction: nothing nested in a set binder is, so this counts as closed
        children(m, [&](const VarSet* s) {
            if (s->has_mut)
                for (auto d : *s)
                    if (d->is_mut() && !known(d)) stack.push_back({d, false});
        });
    }
    // a second round only if a mutable was asked for before its own set was known: a cycle
    bool cyclic = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto m : order) {
            auto& own = sets[m];
            VarUnion all;
            all.add(own.set);
            children(m, [&](const VarSet* s) {
                if (!s->has_mut) return all.add(s);
                for (auto d : *s) {
                    if (!d->is_mut()) all.add(leaf(d));
                    else if (auto it = sets.find(d); it != sets.end()) {
                        all.add(it->second.set);
                        cyclic |= d != m && !it->second.visited;
                    } else if (auto set = known(d)) all.add(set);
                }
            });
            auto set = all.get(*this, own_var(m));
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
    VarUnion all;
    bool all_known = true;
    for (auto x : *set) {
        if (!x->is_mut()) {
            all.add(leaf(x));
            continue;
        }
        if (!x->is_set()) { // counts as closed
            all_known = false;
            continue;
        }
        auto set = known(x);
        if (!set) all_known &= compute(x), set = computed_;
        all.add(set);
    }
    auto res = all.get(*this, nullptr);
    if (all_known && !d->is_mut() && !is_leaf(d)) const_cast<Def*>(d)->payload_.deps = res;
    return res;
}

const VarSet* FreeVars::around(const Def* binder) {
    VarUnion all;
    for (auto op : binder->ops()) all.add(of(op));
    return all.get(*this, own_var(binder));
}

bool is_closed(World& w, const Def* d) {
    return d->has(Def::HasDep) || d->is_mut() || d->node() == Node::Var ? w.impl().free_vars.of(d)->size == 0 : true;
}

bool is_free_in(World& w, const Def* var, const Def* def) {
    if (!def->has(Def::HasDep) && !def->is_mut() && def->node() != Node::Var) return false;
    return w.impl().free_vars.of(def)->contains(var);
}

Defs free_vars(World& w, const Def* def) {
    auto set = w.impl().free_vars.of(def);
    return {set->begin(), set->end()};
}

} // namespace mim
