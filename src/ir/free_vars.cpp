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
    auto hash   = static_cast<uint32_t>(h);
    auto newest = sorted.empty() ? 0 : sorted.back()->id();
    auto is_it  = [&](SetSlot s) {
        return s.set->hash == hash && s.set->size == sorted.size() && std::equal(s.set->begin(), s.set->end(), sorted.begin());
    };
    if (auto slot = sets.find(newest, hash, is_it)) return slot->set;
    auto s = new (arena.alloc(sizeof(VarSet) + sorted.size() * sizeof(const Def*)))
        VarSet{static_cast<uint32_t>(sorted.size()), hash, bloom, has_mut};
    std::copy(sorted.begin(), sorted.end(), const_cast<const Def**>(s->begin()));
    sets.insert(newest, {s});
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
static bool is_leaf(const Def* d) {
    return d->node() == Node::Var || d->node() == Node::Axm || d->is_mut() || !d->has(Def::HasDep);
}

/// A literal has its value where other nodes cache their set; what it depends on is its type.
static const Def* subject(const Def* d) { return d->node() == Node::Lit ? d->type() : d; }

const VarSet* World::Impl::leaf_set(const Def* d) {
    if (!d->is_mut() && d->node() != Node::Var) return empty_set;
    if (d->node() == Node::Hole) return empty_set;
    if (d->payload_.deps) return static_cast<const VarSet*>(d->payload_.deps);
    std::vector<const Def*> one{d};
    auto s = make_set(one);
    if (d->node() == Node::Var) const_cast<Def*>(d)->payload_.deps = s;
    return s;
}

const VarSet* World::Impl::direct(const Def* root) {
    if (!empty_set) {
        std::vector<const Def*> none;
        empty_set = make_set(none);
    }
    root       = subject(root);
    auto known = [&](const Def* d) { return is_leaf(d) ? leaf_set(d) : static_cast<const VarSet*>(d->payload_.deps); };
    auto arity = [](const Def* d) { return d->num_ops() + (type_is_operand(d) ? 1 : 0); };
    auto child = [](const Def* d, size_t i) { return subject(i < d->num_ops() ? d->op(i) : d->type()); };
    struct Frame {
        const Def* def;
        size_t next       = 0; ///< the first child that is not in the set yet
        const VarSet* set = nullptr;
    };
    // takes children until all are in the set, or until one is not known yet, which is returned
    auto advance = [&](Frame& f) -> const Def* {
        if (!f.set) f.set = empty_set;
        for (auto n = arity(f.def); f.next < n; ++f.next) {
            auto c = child(f.def, f.next);
            auto s = known(c);
            if (!s) return c;
            f.set = merge(f.set, s);
        }
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

void World::Impl::compute_free(const Def* root) {
    // the mutables whose sets are unknown, in postorder
    std::vector<const Def*> order;
    std::unordered_map<const Def*, const VarSet*> sets;
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
                    set     = merge(set, it != sets.end()   ? it->second
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
    d        = subject(d);
    auto set = direct(d);
    if (!set->has_mut) return set;
    auto res       = empty_set;
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
    if (all_known && !d->is_mut() && !is_leaf(d)) const_cast<Def*>(d)->payload_.deps = res;
    return res;
}

bool World::is_closed(const Def* d) {
    return d->has(Def::HasDep) || d->is_mut() || d->node() == Node::Var ? impl_->free(d)->size == 0 : true;
}

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
