// SPDX-License-Identifier: MIT
// The rule `choice` of α-equivalence (alpha.cpp): an element at an index that nobody knows is compared for each value of the index.
//
// An array of dependent elements becomes a Σ as soon as its length is known: «i: 3; Idx (i + 1)» is [Idx 1, Idx 2, Idx 3]. Its element at
// i then has the type (Idx 1, Idx 2, Idx 3)#i, and must still be one of Idx (i + 1).
#include <algorithm>

#include "ir/rewrite.h"
#include "ir/unifier.h"

namespace mim {

namespace {

/// An expression with the index replaced by one of its values. Binders around the index are not entered: they may be recursive.
class ReplaceIndex : public Rewriter {
public:
    ReplaceIndex(World& world, const Def* index, const Def* value)
        : Rewriter(world)
        , vars_(free_vars(world, index)) {
        map(index, value);
    }

    /// Null if the index is in a binder.
    const Def* in(const Def* def) {
        auto result = rewrite(def);
        return is_in_binder_ ? nullptr : result;
    }

protected:
    bool needs(const Def* def) override {
        return std::ranges::any_of(vars_, [&](auto var) { return is_free_in(world(), var, def); });
    }
    const Def* rewrite_mut(const Def* def) override {
        is_in_binder_ |= needs(def);
        return def;
    }

private:
    Defs vars_;
    bool is_in_binder_ = false;
};

/// The choice that def is, by an index that mentions a variable; else null.
const Extract* isa_choice(World& world, const Def* def) {
    auto extract = def->isa<Extract>();
    bool may_be  = extract && extract->tuple()->isa<Tuple>() && !isa_lit(extract->index());
    return may_be && !free_vars(world, extract->index()).empty() ? extract : nullptr;
}

} // namespace

const Def* replace_index(World& world, const Def* def, const Def* index, const Def* value) {
    return ReplaceIndex(world, index, value).in(def);
}

/// The index of the other side. Null if that is not known: it would have to be found among all expressions there.
const Def* Unifier::partner_of(const Def* index, bool is_left) {
    if (!pairing_.binds(free(index))) return index;
    auto projection = index->isa<Extract>();
    auto var        = projection ? projection->tuple() : index;
    if (var->node() != Node::Var) return nullptr;
    auto other = is_left ? pairing_.right_of(var) : pairing_.left_of(var);
    if (!other) return nullptr;
    return projection ? world_.extract(other, projection->index()) : other;
}

bool Unifier::agree_in_each_case(const Extract* choice, const Def* other, bool is_left) {
    static constexpr size_t max_cases = 1024;
    auto tuple                        = choice->tuple()->as<Tuple>();
    auto partner                      = partner_of(choice->index(), is_left);
    if (!partner) return false;
    for (size_t k = 0, n = tuple->num_ops(); k != n; ++k) {
        if (++num_cases_ > max_cases) return false;
        auto value    = world_.lit_idx(n, k);
        auto elem     = replace_index(world_, tuple->op(k), choice->index(), value);
        auto in_other = replace_index(world_, other, partner, value);
        if (!elem || !in_other) return false;
        if (!(is_left ? unify(elem, in_other) : unify(in_other, elem))) return false;
    }
    return true;
}

bool Unifier::unify_choice(const Def* a, const Def* b) {
    if (a->has(Def::HasHole) || b->has(Def::HasHole)) return false;
    if (auto choice = isa_choice(world_, a); choice && agree_in_each_case(choice, b, true)) return true;
    auto choice = isa_choice(world_, b);
    return choice && agree_in_each_case(choice, a, false);
}

} // namespace mim
