// SPDX-License-Identifier: MIT
// Free variables, lazily and as shared hash-consed sets. A node's *direct* set holds the variables and the mutables that are
// reachable through immutable nodes; a mutable's free variables are a least fixed point over the mutables it reaches, cached once
// everything involved is sealed. Binders still under construction count as closed: nothing nested in a sealed binder is unsealed.
#include <algorithm>

#include "ir/impl.h"

namespace mim {

bool VarSet::contains(const Def* d) const {
    if (!(bloom & bit(d))) return false;
    return std::binary_search(begin(), end(), d, [](auto a, auto b) { return a->id() < b->id(); });
}

const VarSet* World::Impl::make_set(std::vector<const Def*>& sorted) {
    uint64_t h = sorted.size(), bloom = 0;
    bool has_mut = false;
    for (auto d : sorted) h = mix(h, d->id()), bloom |= VarSet::bit(d), has_mut |= d->is_mut();
    auto hash = static_cast<uint32_t>(h);
    if ((set_size + 1) * 2 > set_table.size()) {
        std::vector<const VarSet*> bigger(set_table.size() * 2, nullptr);
        for (auto s : set_table) {
            if (!s) continue;
            size_t i = s->hash & (bigger.size() - 1);
            while (bigger[i]) i = (i + 1) & (bigger.size() - 1);
            bigger[i] = s;
        }
        set_table = std::move(bigger);
    }
    auto mask = set_table.size() - 1;
    size_t i  = hash & mask;
    for (; auto s = set_table[i]; i = (i + 1) & mask)
        if (s->hash == hash && s->size == sorted.size() && std::equal(s->begin(), s->end(), sorted.begin())) return s;
    auto s = new (arena.alloc(sizeof(VarSet) + sorted.size() * sizeof(const Def*)))
        VarSet{static_cast<uint32_t>(sorted.size()), hash, bloom, has_mut};
    std::copy(sorted.begin(), sorted.end(), const_cast<const Def**>(s->begin()));
    set_table[i] = s;
    ++set_size;
    return s;
}

const VarSet* World::Impl::merge(const VarSet* a, const VarSet* b) {
    if (a == b || b->size == 0) return a;
    if (a->size == 0) return b;
    auto less = [](auto x, auto y) { return x->id() < y->id(); };
    if (a->size > b->size) std::swap(a, b);
    if ((a->bloom & ~b->bloom) == 0 && std::includes(b->begin(), b->end(), a->begin(), a->end(), less)) return b;
    std::vector<const Def*> res;
    res.reserve(a->size + b->size);
    std::set_union(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(res), less);
    return make_set(res);
}

/// The set of a node through whose operands nobody needs to look: a variable, a mutable, or a closed node.
static bool is_leaf(const Def* d) { return d->node() == Node::Var || d->is_mut() || !d->has(Def::HasDep); }

const VarSet* World::Impl::direct(const Def* root) {
    if (!empty_set) {
        std::vector<const Def*> none;
        empty_set = make_set(none);
    }
    auto leaf = [&](const Def* d) -> const VarSet* {
        if (d->node() == Node::Var) {
            if (d->payload_.deps) return static_cast<const VarSet*>(d->payload_.deps);
        } else if (d->is_mut()) {
            if (d->node() == Node::Hole) return empty_set;
            if (d->payload_.deps) return static_cast<const VarSet*>(d->payload_.deps);
        } else return empty_set;
        std::vector<const Def*> one{d};
        auto s = make_set(one);
        if (d->node() == Node::Var) const_cast<Def*>(d)->payload_.deps = s;
        return s;
    };
    if (is_leaf(root)) return leaf(root);
    if (root->payload_.deps && root->node() != Node::Lit) return static_cast<const VarSet*>(root->payload_.deps);
    std::vector<std::pair<const Def*, size_t>> stack{{root, 0}};
    while (!stack.empty()) {
        auto [d, i] = stack.back();
        auto n      = d->num_ops() + (type_is_operand(d) ? 1 : 0);
        auto child  = [&](size_t j) { return j < d->num_ops() ? d->op(j) : d->type(); };
        for (; i < n; ++i) {
            auto c = child(i);
            if (!is_leaf(c) && !c->payload_.deps && c->node() != Node::Lit) break;
        }
        if (i < n) {
            stack.back().second = i + 1;
            stack.push_back({child(i), 0});
            continue;
        }
        const VarSet* set = empty_set;
        for (size_t j = 0; j < n; ++j) {
            auto c = child(j);
            set    = merge(set, is_leaf(c) ? leaf(c) : c->node() == Node::Lit ? empty_set : static_cast<const VarSet*>(c->payload_.deps));
        }
        if (d->node() != Node::Lit) const_cast<Def*>(d)->payload_.deps = set;
        stack.pop_back();
    }
    return root->node() == Node::Lit ? empty_set : static_cast<const VarSet*>(root->payload_.deps);
}

void World::Impl::compute_free(const Def* root) {
    // the mutables whose sets are unknown, in postorder
    std::vector<const Def*> order;
    std::unordered_map<const Def*, const VarSet*> sets;
    bool sealed = true;
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
        if (!sets.emplace(m, empty_set).second) continue;
        stack.push_back({m, true});
        if (!m->is_sealed()) sealed = false;
        if (!m->is_set()) continue; // under construction: nothing nested in a set binder is, so this counts as closed
        children(m, [&](const VarSet* s) {
            if (s->has_mut)
                for (auto d : *s)
                    if (d->is_mut() && !d->payload_.deps) stack.push_back({d, false});
        });
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto m : order) {
            auto old = sets[m];
            auto set = old;
            children(m, [&](const VarSet* s) {
                if (!s->has_mut) return void(set = merge(set, s));
                std::vector<const Def*> vars;
                for (auto d : *s)
                    if (!d->is_mut()) vars.push_back(d);
                set = merge(set, make_set(vars));
                for (auto d : *s) {
                    if (!d->is_mut()) continue;
                    auto it = sets.find(d);
                    set     = merge(set, it != sets.end() ? it->second
                                         : d->payload_.deps ? static_cast<const VarSet*>(d->payload_.deps)
                                                            : empty_set);
                }
            });
            if (auto var = m->var(); var && set->contains(var)) {
                std::vector<const Def*> rest;
                for (auto d : *set)
                    if (d != var) rest.push_back(d);
                set = make_set(rest);
            }
            if (set != old) sets[m] = set, changed = true;
        }
    }
    if (sealed) {
        for (auto m : order) const_cast<Def*>(m)->payload_.deps = sets[m];
    } else {
        provisional = sets[root]; // may grow once the unsealed are sealed: not cached
    }
}

const VarSet* World::Impl::free(const Def* d) {
    auto set = direct(d);
    if (!set->has_mut) return set;
    auto res = empty_set;
    bool all_known = true;
    for (auto x : *set) {
        if (!x->is_mut()) {
            std::vector<const Def*> one{x};
            res = merge(res, make_set(one));
            continue;
        }
        if (!x->payload_.deps) {
            provisional = nullptr;
            compute_free(x);
        }
        if (x->payload_.deps) res = merge(res, static_cast<const VarSet*>(x->payload_.deps));
        else if (provisional) all_known = false, res = merge(res, provisional);
    }
    if (all_known && !d->is_mut() && d->node() != Node::Lit && !is_leaf(d)) const_cast<Def*>(d)->payload_.deps = res;
    return res;
}

bool World::is_closed(const Def* d) { return d->has(Def::HasDep) || d->is_mut() || d->node() == Node::Var ? impl_->free(d)->size == 0 : true; }

bool World::is_free_in(const Def* var, const Def* def) {
    if (!def->has(Def::HasDep) && !def->is_mut() && def->node() != Node::Var) return false;
    return impl_->free(def)->contains(var);
}

std::vector<const Var*> World::free_vars(const Def* def) {
    std::vector<const Var*> res;
    for (auto d : *impl_->free(def)) res.push_back(d->as<Var>());
    return res;
}

} // namespace mim
