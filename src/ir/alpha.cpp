// SPDX-License-Identifier: MIT
// α-equivalence: the equality of the calculus, coinductive on recursive binders (doc/adr/0013-coinductive-equality.md).
//
// The judgement is ρ ⊢ a ~ b. ρ pairs variables of the left side with variables of the right side (ir/pairing.h). It is the greatest
// relation (that is, infinite derivations count) with these rules:
//
//      ρ pairs x with y, or neither is paired and x = y
//      ─────────────────────────────────────────────────  variable
//      ρ ⊢ x ~ y
//
//      for all i: ρ ⊢ a_i ~ b_i                            ρ ⊢ types alike      for all i: ρ, (x, y) ⊢ a_i ~ b_i
//      ────────────────────────────────────  node          ─────────────────────────────────────────────────────  binder
//      ρ ⊢ N(a_1, …, a_n) ~ N(b_1, …, b_n)                 ρ ⊢ N x. (a_1, …, a_n) ~ N y. (b_1, …, b_n)
//
//      for all i: ρ ⊢ a_i ~ b                              σ a permutation, for all i: ρ ⊢ a_i ~ b_σ(i)
//      ──────────────────────────────────  repeated        ─────────────────────────────────────────────  union
//      ρ ⊢ [a_1, …, a_n] ~ «n; b»                          ρ ⊢ a_1 ∪ … ∪ a_n ~ b_1 ∪ … ∪ b_n
//
//      i: Idx n      for all k < n: ρ ⊢ a_k[k/i] ~ b[k/i]
//      ──────────────────────────────────────────────────  choice
//      ρ ⊢ (a_0, …, a_(n-1))#i ~ b
//
// (Of Π, arrays and packs the first operand lies outside of the binder. A binder whose body is not set is equal to itself only.)
//
// *Assumptions.* The derivation is built from its conclusion. A question that comes back is assumed to hold: that closes a circle in an
// infinite derivation, on which at least one rule was used. Only variables that are free in a or b can be asked for above ρ ⊢ a ~ b, so
// its answer depends on ρ restricted to these. A question is therefore a triple (a, b, ρ restricted to the free variables of a and b),
// and an assumption is used for the same triple only: not where a variable of an open binder is paired otherwise.
//
// Questions without pairs ask for an equivalence, so what follows from assumptions by symmetry and transitivity is assumed as well
// (ir/equal_classes.h): each assumption makes one class of two, and there are fewer of them than nodes.
//
// *Failure.* Each rule but `union` has premises that must all hold, so one that fails refutes all questions below it down to the next
// choice, and with them whatever was derived from their being assumed. attempt() is that choice: it forgets what was assumed since. The
// refutations stay: they were found although more was assumed than holds.
//
// *Termination.* Only the rule `choice` makes nodes, and it is used a limited number of times (choices.cpp). So there are finitely many
// triples, and each is entered once. Their number can still be
// exponential, as a group of functions may permute the variables that they have in common. So two binders are entered under at most
// max_pairings restrictions: beyond that they count as different, which is sound.
//
// *Cost.* Linear in the number of triples, times the free variables of a node.
#include <algorithm>
#include <unordered_set>

#include "ir/order.h"
#include "ir/unifier.h"

namespace mim {

/*
 * comparison
 */

bool equal(World& world, const Def* a, const Def* b) {
    if (a == b) return true;
    return Unifier(world, false).unify(a, b);
}

bool unify(World& world, const Def* a, const Def* b) {
    if (a == b) return true;
    return Unifier(world, true).unify(a, b);
}

/// Binders under construction count as closed here. They cannot be open in a variable that is paired: nothing that is nested in a binder
/// whose body is set is under construction.
const VarSet& Unifier::free(const Def* d) { return *world_.impl().free_vars.of(d); }

bool Unifier::is_same(const Def* a, const Def* b) {
    if (a != b) return false;
    if (pairing_.empty()) return true;
    return pairing_.is_identity(free(a)) && are_holes_outside(a);
}

bool Unifier::unify(const Def* a, const Def* b) {
    if (is_same(a, b)) return true;
    if (a->is_unstable()) a = world_.refresh(a);
    if (b->is_unstable()) b = world_.refresh(b);
    if (is_same(a, b)) return true;
    if (fill_) {
        if (auto hole = a->isa<Hole>()) return solve(hole, b);
        if (auto hole = b->isa<Hole>()) return solve(hole, a);
        if (a->has(Def::HasHole) || b->has(Def::HasHole))
            if (auto res = unify_structured(a, b)) return *res;
    }
    if (a->node() == Node::Var && b->node() == Node::Var) return pairing_.alike(a, b);
    if (!a->is_set() || !b->is_set()) return false;
    return unify_nodes(a, b);
}

bool is_repeated(const Def* several, const Def* one) {
    auto is_pair = (several->node() == Node::Sigma && one->node() == Node::Arr)
                   || (several->node() == Node::Tuple && one->node() == Node::Pack);
    if (!is_pair || one->is_mut()) return false;
    auto arity = isa_lit(one->op(0));
    return arity && arity->value() == several->num_ops();
}

bool Unifier::unify_nodes(const Def* a, const Def* b) {
    auto is_mixed = is_repeated(a, b) || is_repeated(b, a);
    if (!is_mixed && (a->node() != b->node() || a->num_ops() != b->num_ops())) return unify_choice(a, b);
    Question question{a, b, pairing_.around(free(a), free(b))};
    if (auto answer = recall(question)) return *answer;
    world_.impl().check_depth();
    if (!is_mixed && !a->is_mut() && !b->is_mut()) {
        // only binders are on circles, so nothing is assumed of these before it is known
        if (!unify_imm(a, b) && !unify_choice(a, b)) {
            if (!fill_) known_[question] = false;
            return false;
        }
        // of what has placeholders the next question may be about another node
        if (!a->has(Def::HasHole) && !b->has(Def::HasHole)) assume(question);
        return true;
    }
    if (is_entered_too_often(question)) return false;
    auto num_merged = classes_.num_merged();
    assume(question);
    if (is_mixed ? unify_repeated(a, b) : unify_mut(a, b)) return true;
    classes_.undo(num_merged);
    if (fill_) known_.erase(question); // a placeholder may still make them equal
    else known_[question] = false;
    return false;
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

/// The variable that a binder binds; null for what binds none, or whose variable has only one value, which stands for it.
static const Def* bound_var(const Def* d) {
    auto var = d->var();
    return var && var->node() == Node::Var ? var : nullptr;
}

/// One of them may be no binder: a recursive Σ against a Σ that it is equal to once it is unrolled.
bool Unifier::unify_mut(const Def* a, const Def* b) {
    if (a->node() == Node::Lam && !unify(a->type(), b->type())) return false;
    size_t first = 0;
    if (a->node() == Node::Pi || a->node() == Node::Arr || a->node() == Node::Pack) {
        if (!unify(a->op(0), b->op(0))) return false; // outside of the binder's scope
        first = 1;
    }
    pairing_.push(bound_var(a), bound_var(b));
    bool res = true;
    for (size_t i = first; res && i < a->num_ops(); ++i) res = unify(a->op(i), b->op(i));
    pairing_.pop();
    return res;
}

bool Unifier::unify_repeated(const Def* a, const Def* b) {
    bool is_one_left = a->node() == Node::Arr || a->node() == Node::Pack;
    pairing_.push(bound_var(a), bound_var(b));
    bool res = true;
    for (size_t i = 0, n = (is_one_left ? b : a)->num_ops(); res && i < n; ++i)
        res = is_one_left ? unify(a->op(1), b->op(i)) : unify(a->op(i), b->op(1));
    pairing_.pop();
    return res;
}

/*
 * unions
 */

/// Members are ordered by identity, which equal members of two unions need not share. Members of one union differ, so each has at most
/// one partner, and the first that is found is the right one.
bool Unifier::unify_union(const Def* a, const Def* b) {
    std::unordered_set<const Def*> rest(b->ops().begin(), b->ops().end());
    std::vector<const Def*> left, right;
    for (auto member : a->ops()) {
        if (is_same(member, member) && rest.erase(member)) continue;
        left.push_back(member);
    }
    for (auto member : b->ops())
        if (rest.contains(member)) right.push_back(member);
    // a recursive type around a placeholder that was filled looks otherwise than what it is equal to
    bool may_change = a->is_unstable() || b->is_unstable() || (a->num_ops() <= 64 && world_.holes.has_around());
    auto key        = [&](const Def* member) { return may_change ? 0 : looks(member); };
    std::unordered_map<uint32_t, std::vector<const Def*>> alike;
    for (auto member : right) alike[key(member)].push_back(member);
    rest.clear(); // those that have found a partner
    auto has_partner = [&](const Def* member) {
        auto& others = alike[key(member)];
        auto it      = std::ranges::find_if(others, [&](auto other) { return attempt(member, other); });
        if (it == others.end()) return false;
        rest.insert(*it);
        others.erase(it);
        return true;
    };
    std::erase_if(left, has_partner);
    std::erase_if(right, [&](const Def* member) { return rest.contains(member); });
    if (left.empty()) return right.empty();
    if (!fill_ || (!world_.holes.holds_open(a) && !world_.holes.holds_open(b))) return false;
    return fill_union(std::move(left), std::move(right));
}

/// One of several ways to go on: fills no placeholder, and leaves no assumption behind if it fails.
bool Unifier::attempt(const Def* a, const Def* b) {
    auto fill = std::exchange(fill_, false);
    auto size = trail_.size(), num_merged = classes_.num_merged();
    auto res = unify(a, b);
    fill_    = fill;
    if (res) return true;
    classes_.undo(num_merged);
    for (; trail_.size() > size; trail_.pop_back()) {
        auto it = known_.find(trail_.back());
        if (it != known_.end() && it->second) known_.erase(it);
    }
    return false;
}

/*
 * questions
 */

/// A refutation counts only while no placeholder is filled.
std::optional<bool> Unifier::recall(const Question& question) const {
    if (question.pairing == 0 && classes_.same(question.left, question.right)) return true;
    auto it = known_.find(question);
    if (it == known_.end() || (fill_ && !it->second)) return {};
    return it->second;
}

void Unifier::assume(const Question& question) {
    if (question.pairing == 0) return classes_.merge(question.left, question.right);
    known_[question] = true;
    trail_.push_back(question);
}

bool Unifier::is_entered_too_often(const Question& question) {
    static constexpr unsigned max_pairings = 64;
    if (question.pairing == 0) return false;
    return ++entered_[{question.left, question.right, 0}] > max_pairings;
}

} // namespace mim
