// SPDX-License-Identifier: MIT
// α-equivalence. Two free variables are equal only if they are the same node, or are paired by the binders under comparison;
// placeholders are filled only by unify. Recursive mutables are compared coinductively: a pair met again is assumed equal.
#include "ir/unifier.h"

#include <algorithm>
#include <unordered_set>

#include "ir/impl.h"

namespace mim {

/*
 * comparison
 */

bool World::equal(const Def* a, const Def* b) {
    if (a == b) return true;
    return Unifier(*this, false).unify(a, b);
}

bool World::unify(const Def* a, const Def* b) {
    if (a == b) return true;
    return Unifier(*this, true).unify(a, b);
}

bool Unifier::mentions_bound(const Def* d) {
    if (!d->has(Def::HasDep) && !d->is_mut() && d->node() != Node::Var) return false;
    auto free = world_.impl_->free(d);
    if (free->size == 0) return false;
    for (auto [x, y] : pairs_)
        if ((x && free->contains(x)) || (y && free->contains(y))) return true;
    return false;
}

bool Unifier::unify_var(const Def* a, const Def* b) const {
    for (size_t i = pairs_.size(); i-- > 0;)
        if (pairs_[i].first == a || pairs_[i].second == b) return pairs_[i].first == a && pairs_[i].second == b;
    return a == b;
}

bool Unifier::unify(const Def* a, const Def* b) {
    if (a == b && (pairs_.empty() || !mentions_bound(a))) return true;
    if (a->is_unstable()) a = world_.refresh(a);
    if (b->is_unstable()) b = world_.refresh(b);
    if (a == b && (pairs_.empty() || !mentions_bound(a))) return true;
    if (fill_) {
        if (auto hole = a->isa<Hole>()) return solve(hole, b);
        if (auto hole = b->isa<Hole>()) return solve(hole, a);
        if (a->has(Def::HasHole) || b->has(Def::HasHole)) {
            if (auto res = unify_structured(a, b)) return *res;
            if (auto res = unify_structured(b, a)) return *res;
        }
    }
    if (a->node() == Node::Sigma && b->node() == Node::Arr) return unify_recursive_array(a, b);
    if (a->node() == Node::Arr && b->node() == Node::Sigma) return unify_recursive_array(a, b);
    if (a->node() != b->node() || a->num_ops() != b->num_ops()) return false;
    if (a->node() == Node::Var) return unify_var(a, b);
    world_.impl_->check_depth();
    if (a->is_mut() || b->is_mut()) return unify_mut(a, b);
    // a memo of pairs found equal; a pair that is unequal ends the whole comparison
    auto key = std::pair(a, b);
    if (seen_.contains(key)) return true;
    bool res = unify_imm(a, b);
    if (res && !a->has(Def::HasHole) && !b->has(Def::HasHole)) seen_.insert(key);
    return res;
}

/// A recursive Σ of equal elements, one of a and b, stays a Σ; anywhere else it is an array.
bool Unifier::unify_recursive_array(const Def* a, const Def* b) {
    auto is_array = [](const Def* d) { return d->node() == Node::Arr; };
    auto array    = (is_array(a) ? a : b)->as<Arr>();
    auto n        = (is_array(a) ? b : a)->num_ops();
    if (array->is_mut() || world_.lit_arity(array) != static_cast<int64_t>(n)) return false;
    for (auto [x, y] : assumed_)
        if (x == a && y == b) return true;
    assumed_.emplace_back(a, b);
    auto assumed = assumed_.size();
    auto elem    = [&](const Def* d, size_t i) { return is_array(d) ? array->body() : d->op(i); };
    bool res     = true;
    for (size_t i = 0; res && i < n; ++i) res = unify(elem(a, i), elem(b, i));
    if (!pairs_.empty() || !res) assumed_.resize(assumed - 1);
    return res;
}

bool Unifier::unify_imm(const Def* a, const Def* b) {
    switch (a->node()) {
        case Node::Lit:
            return a->as<Lit>()->value() == b->as<Lit>()->value() && a->as<Lit>()->is_2_64() == b->as<Lit>()->is_2_64()
                   && unify(a->type(), b->type());
        case Node::Sort:
        case Node::Axm: return false; // hash-consed: equal ones are identical
        case Node::Inj:
            if (!unify(a->type(), b->type())) return false;
            break;
        case Node::Union: return unify_union(a, b);
        default: break;
    }
    for (size_t i = 0; i < a->num_ops(); ++i)
        if (!unify(a->op(i), b->op(i))) return false;
    return true;
}

/// Members are ordered by identity, which α-equal members of two unions need not share.
bool Unifier::unify_union(const Def* a, const Def* b) {
    std::vector<const Def*> rest(b->ops().begin(), b->ops().end());
    for (auto m : a->ops()) {
        auto it = std::find_if(rest.begin(), rest.end(), [&](auto r) { return unify(m, r); });
        if (it == rest.end()) return false;
        rest.erase(it);
    }
    return true;
}

bool Unifier::unify_mut(const Def* a, const Def* b) {
    if (!a->is_set() || !b->is_set()) return false; // unset binders are equal only to themselves
    for (auto [x, y] : assumed_)
        if (x == a && y == b) return true;
    assumed_.emplace_back(a, b);
    auto assumed = assumed_.size();
    if (a->node() == Node::Lam && !unify(a->type(), b->type())) return false;
    size_t first = 0;
    if (a->node() == Node::Pi || a->node() == Node::Arr || a->node() == Node::Pack) {
        if (!unify(a->op(0), b->op(0))) return false; // outside of the binder's scope
        first = 1;
    }
    auto var = [](const Def* d) { return d->var() && d->var()->node() == Node::Var ? d->var() : nullptr; };
    pairs_.emplace_back(var(a), var(b));
    auto old_seen = std::move(seen_); // what was found equal depends on the pairing
    seen_.clear();
    bool res = true;
    for (size_t i = first; res && i < a->num_ops(); ++i) res = unify(a->op(i), b->op(i));
    seen_ = std::move(old_seen);
    pairs_.pop_back();
    // an assumption about open binders must not outlive the pairing under which it was made
    if (!pairs_.empty() || !res) assumed_.resize(assumed - 1);
    return res;
}

/*
 * placeholders
 */

bool Unifier::solve(const Hole* hole, const Def* value) {
    if (hole == value) return true;
    if (value->isa<Hole>() && value->id() > hole->id()) return solve(value->as<Hole>(), hole); // older ones win: wider scope
    if (mentions_bound(value)) return false;
    if (world_.impl_->occurs(hole, value)) return false;
    for (auto v : world_.free_vars(value))
        if (!world_.impl_->in_scope(hole, v->as<Var>())) return false;
    auto is_size = value == world_.lit_2_64()
                   && world_.refresh(hole->type())->isa<Nat>(); // the call it is an argument of decides
    if (hole->type() != value->type() && !is_size && !world_.assignable(hole->type(), value)) return false;
    if (hole->solution()) return unify(hole->solution(), value);
    world_.impl_->fill(hole, value);
    return true;
}

/// Cases in which a placeholder inside decides the shape (spec, "Inference"; paper, Example 6.1).
std::optional<bool> Unifier::unify_structured(const Def* a, const Def* b) {
    if (auto arr = a->isa<Arr>()) {
        // «j: ?n; …» against a Σ or array of arity k gives ?n = k; against a T that is no array ?n = 1
        if (auto n = arr->arity()->isa<Hole>(); n && !n->solution()) {
            if (b->isa<Hole>()) return {};
            if (!solve(n, world_.arity(b))) return false;
            return unify(world_.refresh(a), b);
        }
        if (arr->var() && b->isa<Arr>() && !b->var()) {
            // «j: n; F» against «n; T»: F under j is T for every j
            if (!unify(arr->arity(), b->as<Arr>()->arity())) return false;
            pairs_.emplace_back(arr->var(), nullptr);
            bool res = unify(arr->body(), b->as<Arr>()->body());
            pairs_.pop_back();
            return res;
        }
        if (b->isa<Sigma>() && world_.lit_arity(a) == static_cast<int64_t>(b->num_ops())) return unify_elems(a, b);
    }
    if (auto sigma = a->isa<Sigma>();
        sigma && b->isa<Sigma>() && !(sigma->var() && b->var()) && sigma->num_ops() == b->num_ops() && (sigma->var() || b->var()))
        return unify_elems(a, b);
    // ?Ts#j against T under «j: n; …» gives ?Ts = ‹j: n; T›; ?Ts#i_n expands ?Ts to a tuple of placeholders
    if (auto ex = a->isa<Extract>())
        if (auto hole = ex->tuple()->isa<Hole>(); hole && !hole->solution()) return solve_element(hole, ex->index(), b);
    // (T0, T1, …)#i against another T: it is T for every i only if each element is
    if (auto ex = a->isa<Extract>(); ex && ex->tuple()->isa<Tuple>() && !b->isa<Extract>()) {
        for (auto elem : ex->tuple()->ops())
            if (!unify(elem, b)) return false;
        return true;
    }
    // a tuple of placeholders against a pack or the other way round
    if (a->isa<Tuple>() && (b->isa<Pack>() || !b->isa<Tuple>())
        && world_.lit_arity(b->type()) == static_cast<int64_t>(a->num_ops())) {
        for (size_t i = 0; i < a->num_ops(); ++i)
            if (!unify(a->op(i), world_.extract(b, i))) return false;
        return true;
    }
    return {};
}

bool Unifier::unify_elems(const Def* a, const Def* b) {
    auto elem = [&](const Def* t, size_t i) -> const Def* {
        if (auto sigma = t->isa<Sigma>())
            return sigma->var() && world_.is_free_in(sigma->var(), sigma->op(i)) ? nullptr : sigma->op(i);
        auto arr = t->as<Arr>();
        return arr->var() ? world_.subst(arr->body(), arr->var(),
                                         world_.lit_idx(world_.lit_nat(static_cast<uint64_t>(world_.lit_arity(t))), i))
                          : arr->body();
    };
    auto n = static_cast<size_t>(world_.lit_arity(b));
    for (size_t i = 0; i < n; ++i) {
        auto x = elem(a, i), y = elem(b, i);
        if (!x || !y || !unify(x, y)) return false;
    }
    return true;
}

std::optional<bool> Unifier::solve_element(const Hole* hole, const Def* index, const Def* value) {
    auto type = world_.refresh(hole->type());
    if (auto lit = isa_lit(index)) {
        static constexpr int64_t MaxHoles = 1024;
        auto n                            = world_.lit_arity(type);
        if (n < 2 || n > MaxHoles) return {};
        std::vector<const Def*> ops(static_cast<size_t>(n));
        for (size_t i = 0; i < ops.size(); ++i) {
            auto t = world_.elem_type(type, hole, world_.lit_idx(static_cast<uint64_t>(n), i));
            ops[i] = world_.impl_->make_hole(t, world_.impl_->hole_info(hole).scope);
        }
        world_.impl_->fill(hole, world_.tuple(ops));
        return unify(ops[lit->value()], value);
    }
    if (index->node() != Node::Var || !index->as<Var>()->binder()->isa<Arr>()) return {};
    auto arity = index->as<Var>()->binder()->as<Arr>()->arity();
    // the other side's variable that is paired with j, if any, becomes the pack's
    const Def* partner = nullptr;
    for (auto [x, y] : pairs_) {
        if (x == index) partner = y;
        if (y == index) partner = x;
    }
    auto pack = world_.mut_pack(arity);
    auto body = world_.subst(value, index, pack->var());
    if (partner) body = world_.subst(body, partner, pack->var());
    auto res = world_.seal(pack, body);
    return solve(hole, res);
}

} // namespace mim
