// SPDX-License-Identifier: MIT
// Unification: comparison that fills placeholders (spec, "Inference"; paper, Example 6.1). What is filled stays filled, also if the
// comparison fails later; so where there are several ways to go on, only one of them fills anything.
#include <algorithm>
#include <unordered_set>

#include "ir/oriented.h"
#include "ir/size_equations.h"

namespace mim {

/*
 * placeholders
 */

/// Its solution cannot mention a variable that is paired: it means the same on both sides.
bool Unifier::is_outside(const Hole* hole) const {
    return pairing_.none([&](const Def* var) { return world_.holes.is_around(var->as<Var>()->binder(), hole); });
}

bool Unifier::are_holes_outside(const Def* root) const {
    return !world_.holes.find_open(root, [&](const Hole* hole) { return !is_outside(hole); });
}

bool Unifier::solve(const Hole* hole, const Def* value) {
    if (hole == value) return is_outside(hole);
    if (value->isa<Hole>() && value->id() > hole->id()) return solve(value->as<Hole>(), hole); // older ones win: wider scope
    if (pairing_.binds(free(value))) return false;
    if (world_.holes.occurs(hole, value)) return false;
    for (auto v : free_vars(world_, value))
        if (!world_.holes.in_scope(hole, v->as<Var>())) return false;
    auto is_size = value == world_.lit_2_64()
                   && world_.refresh(hole->type())->isa<Nat>(); // the call it is an argument of decides
    if (hole->type() != value->type() && !is_size && !assignable(world_, hole->type(), value)) return false;
    if (hole->solution()) return unify(hole->solution(), value);
    world_.holes.fill(hole, value);
    // what differed may be equal now, also where the same nodes are asked for again
    if (world_.holes.has_around()) std::erase_if(known_, [](auto& answer) { return !answer.second; });
    return true;
}

/// Cases in which a placeholder inside decides the shape.
std::optional<bool> Unifier::unify_structured(const Def* a, const Def* b) {
    if (auto res = unify_sizes(a, b)) return res;
    if (auto res = unify_structured(Oriented(*this, false), a, b)) return res;
    return unify_structured(Oriented(*this, true), b, a);
}

std::optional<bool> Unifier::unify_structured(const Oriented& sides, const Def* a, const Def* b) {
    if (auto arr = a->isa<Arr>()) {
        if (b->isa<Hole>()) return {};
        if (auto n = open_hole(arr->arity())) {
            bool is_solved = is_shape(n) ? solve_shape(sides, n, arr, b) : solve(n, arity(world_, b));
            return is_solved && sides.unify(world_.refresh(a), b);
        }
        // «?rs#j; T» under «j: n; …» against what is no array, and so has the arity 1 for all j: that extent vanishes
        auto extent     = arr->arity()->isa<Extract>();
        bool may_vanish = extent && !arr->var() && !b->isa<Arr>() && !b->isa<Sigma>();
        if (auto group = may_vanish ? open_hole(extent->tuple()) : nullptr)
            if (auto is_solved = solve_element(sides, group, extent->index(), arity(world_, b)))
                return *is_solved && sides.unify(world_.refresh(a), b);
        if (arr->var() && b->isa<Arr>() && !b->var()) {
            // «j: n; F» against «n; T»: F under j is T for every j
            if (!sides.unify(arr->arity(), b->as<Arr>()->arity())) return false;
            sides.push(arr->var());
            bool res = sides.unify(arr->body(), b->as<Arr>()->body());
            pairing_.pop();
            return res;
        }
        if (b->isa<Sigma>() && lit_arity(world_, a) == static_cast<int64_t>(b->num_ops())) return unify_elems(sides, a, b);
    }
    if (auto sigma = a->isa<Sigma>();
        sigma && b->isa<Sigma>() && !(sigma->var() && b->var()) && sigma->num_ops() == b->num_ops() && (sigma->var() || b->var()))
        return unify_elems(sides, a, b);
    // ?Ts#j against T under «j: n; …» gives ?Ts = ‹j: n; T›; ?Ts#i_n expands ?Ts to a tuple of placeholders
    if (auto ex = a->isa<Extract>())
        if (auto hole = open_hole(ex->tuple())) return solve_element(sides, hole, ex->index(), b);
    // (T0, T1, …)#i against another T: it is T for every i only if each element is
    if (auto ex = a->isa<Extract>(); ex && ex->tuple()->isa<Tuple>() && !b->isa<Extract>()) {
        for (auto elem : ex->tuple()->ops())
            if (!sides.unify(elem, b)) return false;
        return true;
    }
    // a tuple of placeholders against a pack or the other way round
    if (a->isa<Tuple>() && (b->isa<Pack>() || !b->isa<Tuple>())
        && lit_arity(world_, b->type()) == static_cast<int64_t>(a->num_ops())) {
        for (size_t i = 0; i < a->num_ops(); ++i)
            if (!sides.unify(a->op(i), world_.extract(b, i))) return false;
        return true;
    }
    return {};
}

/// ?m · k against 64 · n, where k is 32, gives ?m = 2 · n. What an equation alone does not tell is compared as it is written.
std::optional<bool> Unifier::unify_sizes(const Def* a, const Def* b) {
    bool is_equation = pairing_.empty() && (SizeEquations::is_size(a) || SizeEquations::is_size(b));
    if (!is_equation) return {};
    SizePolynomials sizes(world_);
    auto zero = sizes.read(a) - sizes.read(b);
    std::map<Polynomial::Var, const Hole*> holes;
    std::vector<Polynomial::Var> unknowns;
    for (auto& [x, atom] : sizes.atoms()) {
        auto hole = zero.occurs(x) ? open_hole(atom) : nullptr;
        if (!hole) continue;
        holes.emplace(x, hole);
        unknowns.push_back(x);
    }
    auto solutions = solve_linear({zero}, unknowns);
    for (auto& [x, value] : solutions) {
        auto def = sizes.build(value);
        if (!def || !solve(holes.at(x), def)) return {};
    }
    if (solutions.empty()) return {};
    return unify(world_.refresh(a), world_.refresh(b));
}

bool Unifier::unify_elems(const Oriented& sides, const Def* a, const Def* b) {
    auto elem = [&](const Def* t, size_t i) -> const Def* {
        if (auto sigma = t->isa<Sigma>())
            return sigma->var() && is_free_in(world_, sigma->var(), sigma->op(i)) ? nullptr : sigma->op(i);
        auto arr = t->as<Arr>();
        return arr->var() ? world_.subst(arr->body(), arr->var(),
                                         world_.lit_idx(world_.lit_nat(static_cast<uint64_t>(lit_arity(world_, t))), i))
                          : arr->body();
    };
    auto n = static_cast<size_t>(lit_arity(world_, b));
    for (size_t i = 0; i < n; ++i) {
        auto x = elem(a, i), y = elem(b, i);
        if (!x || !y || !sides.unify(x, y)) return false;
    }
    return true;
}

/// Fills an open placeholder with a tuple of placeholders, one for each of its elements. False if it cannot have several, or too many.
bool Unifier::split(const Hole* hole) {
    static constexpr int64_t MaxHoles = 1024;
    auto type                         = world_.refresh(hole->type());
    auto n                            = lit_arity(world_, type);
    if (hole->solution() || n < 2 || n > MaxHoles) return false;
    std::vector<const Def*> ops(static_cast<size_t>(n));
    for (size_t i = 0; i < ops.size(); ++i) {
        auto elem = elem_type(world_, type, hole, world_.lit_idx(static_cast<uint64_t>(n), i));
        ops[i]    = world_.holes.make(elem, world_.holes.scope(hole));
    }
    world_.holes.fill(hole, world_.tuple(ops));
    return true;
}

/// The placeholder that `d` is, or that stands for it after the group of which it is an element is split. Null if there is none.
const Hole* Unifier::open_hole(const Def* d) {
    if (auto hole = d->isa<Hole>()) {
        auto solution = hole->solution();
        return solution ? open_hole(solution) : hole;
    }
    auto ex    = d->isa<Extract>();
    auto index = ex ? isa_lit(ex->index()) : nullptr;
    auto group = index ? open_hole(ex->tuple()) : nullptr;
    if (!group || !split(group)) return nullptr;
    return world_.extract(group->solution(), index)->isa<Hole>();
}

std::optional<bool> Unifier::solve_element(const Oriented& sides, const Hole* hole, const Def* index, const Def* value) {
    if (auto lit = isa_lit(index)) {
        if (!split(hole)) return {};
        return sides.unify(world_.extract(hole->solution(), lit), value);
    }
    if (index->node() != Node::Var || !index->as<Var>()->binder()->isa<Arr>()) return {};
    auto pack = world_.mut_pack(index->as<Var>()->binder()->as<Arr>()->arity());
    // j, or the other side's variable that is paired with it, becomes the pack's. If there is none, the value is the same for all j.
    auto other = sides.binds(index) ? sides.partner(index) : index;
    auto body  = other ? world_.subst(value, other, pack->var()) : value;
    return solve(hole, world_.seal(pack, body));
}

/*
 * unions
 */

/// Whether filling placeholders could make them equal, as far as their nodes say. Members are few and small.
bool Unifier::may_become_equal(const Def* a, const Def* b) {
    if (a == b) return true;
    if (!world_.holes.holds_open(a) && !world_.holes.holds_open(b)) return attempt(a, b);
    a = world_.refresh(a), b = world_.refresh(b);
    auto may_become_any = [](const Def* d) {
        if (!d->has(Def::HasHole)) return false;
        auto axm = d->isa<App>() ? head_axiom(d) : nullptr;
        if (d->isa<App>()) return d->as<App>()->callee()->node() != Node::Idx && (!axm || axm->axiom().normalizer);
        return d->isa<Hole>() || d->isa<Extract>() || d->isa<Insert>() || d->isa<Match>() || d->isa<Arr>() || d->isa<Pack>();
    };
    if (may_become_any(a) || may_become_any(b)) return true;
    if (is_repeated(a, b) || is_repeated(b, a)) return true;
    if (a->node() != b->node() || a->num_ops() != b->num_ops()) return false;
    if (a->is_mut() || b->is_mut() || a->isa<Union>()) return true;
    for (size_t i = 0; i < a->num_ops(); ++i)
        if (!may_become_equal(a->op(i), b->op(i))) return false;
    return true;
}

/// Of members that are not equal yet, those go first that have one possible partner.
bool Unifier::fill_union(std::vector<const Def*> left, std::vector<const Def*> right) {
    if (left.size() != right.size()) return false; // members merge only when the union is built again
    while (!left.empty()) {
        size_t best = 0, best_count = 0, partner = 0;
        for (size_t i = 0; i < left.size() && best_count != 1; ++i) {
            size_t count = 0, first = 0;
            for (size_t j = right.size(); j-- > 0;)
                if (may_become_equal(left[i], right[j])) ++count, first = j;
            if (count == 0) return false;
            if (best_count == 0 || count < best_count) best = i, best_count = count, partner = first;
        }
        if (!unify(left[best], right[partner])) return false;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
        right.erase(right.begin() + static_cast<std::ptrdiff_t>(partner));
    }
    return true;
}

} // namespace mim
