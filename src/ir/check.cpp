// SPDX-License-Identifier: MIT
// Assignability, T ← e (spec section 1): tuples are never ascribed; a value fits a Σ or an array when its elements do, and no token would be
// hidden in it (token_types.h). And the one exception to it: the literal 2^64 is no `Nat` (its type is ⊤), but may be an element that later types use as a size.
#include "ir/impl.h"

namespace mim {

namespace {

/// An aggregate around the value that is checked, from the inside out: types in `where` mention its elements by way of `var`.
struct Around {
    const Around* outer;
    const Def* var; ///< null: nothing mentions it
    Defs where;
    uint64_t index; ///< of the element that contains the value
};

/// Whether `leaf` is the argument of `Idx` or an arity somewhere in `root`.
bool is_size_in(World& w, const Def* leaf, const Def* root) {
    auto var = leaf;
    while (auto ex = var->isa<Extract>()) var = ex->tuple();
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !is_free_in(w, var, d) || !done.insert(d).second) continue;
        if (isa_idx(d) == leaf) return true;
        if ((d->node() == Node::Arr || d->node() == Node::Pack) && d->op(0) == leaf) return true;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
        if (type_is_operand(d)) work.push_back(d->type());
    }
    return false;
}

/// Whether the element at this place is used as a size by one of the aggregates around it.
bool is_size(World& w, const Around* around) {
    std::vector<uint64_t> path;
    for (auto a = around; a; a = a->outer) {
        if (a->index != ~uint64_t(0)) path.push_back(a->index);
        if (!a->var || a->var->node() != Node::Var) continue;
        auto leaf = a->var;
        for (auto i = path.size(); i-- > 0;) leaf = w.extract(leaf, path[i]);
        for (auto d : a->where)
            if (d && is_size_in(w, leaf, d)) return true;
    }
    return false;
}

class Assign {
public:
    explicit Assign(World& world)
        : w_(world) {}

    bool check(const Def* type, const Def* value, const Around* around) {
        if (type == value->type()) return true;
        type = w_.refresh(type), value = w_.refresh(value);
        auto found = w_.refresh(value->type());
        if (type == found) return true;
        if (auto sing = type->isa<Sing>()) return unify(w_, sing->value(), value);
        if (value == w_.lit_2_64() && type->isa<Nat>()) return is_size(w_, around);
        bool sigma = type->isa<Sigma>();
        auto arr   = type->isa<Arr>();
        if (!sigma && !arr) return unify(w_, type, found);
        if (arr && arr->arity()->has(Def::HasHole)) return unify(w_, type, found);
        auto n = lit_arity(w_, type);
        if (n >= 0 && lit_arity(w_, found) == n && n != 1) {
            // arrays of one element type compare as a whole
            if (arr && !arr->var() && found->isa<Arr>() && !found->as<Arr>()->var()
                && unify(w_, arr->body(), found->as<Arr>()->body()))
                return true;
            // element by element, what is shared would be compared for each
            if ((is_recursive(w_, type) || is_recursive(w_, found)) && equal(w_, type, found)) return true;
            static constexpr int64_t MaxElems = 1 << 20;
            if (n <= MaxElems) return elems(type, value, static_cast<size_t>(n), around);
        }
        if (auto pack = value->isa<Pack>(); arr && pack && n < 0) {
            if (!unify(w_, arr->arity(), pack->arity())) return false;
            auto index = pack->var() ? pack->var() : w_.mut_pack(pack->arity())->var();
            return check(elem_type(w_, arr, value, index), pack->body(), nullptr);
        }
        return unify(w_, type, found);
    }

private:
    bool elems(const Def* type, const Def* value, size_t n, const Around* around) {
        for (size_t i = 0; i < n; ++i) {
            auto e = w_.extract(value, i);
            auto t = elem_type(w_, type, value, w_.lit_idx(n, i));
            Around here{around, type->isa<Sigma>() ? type->var() : nullptr, type->ops(), i};
            if (!check(t, e, &here)) return false;
        }
        return !w_.token_types().hidden_here(type, value);
    }

    World& w_;
};

/// A function whose results are types.
bool makes_types(const Def* type) { return type->isa<Pi>() && last_codom(type)->node() == Node::Sort; }

} // namespace

bool assignable(World& w, const Def* type, const Def* value) {
    return type == value->type() || Assign(w).check(type, value, nullptr);
}

bool takes(World& w, const Def* callee, const Def* arg, const Pi* pi) {
    if (!pi) pi = w.refresh(callee->type())->as<Pi>();
    if (pi->dom() == arg->type()) return true;
    if (callee->node() == Node::Idx && arg == w.lit_2_64()) return true;
    constexpr auto Whole = ~uint64_t(0);
    auto codom           = pi->codom();
    Around type{nullptr, pi->var(), Defs(&codom, 1), Whole};
    auto lam = callee->isa<Lam>();
    if (!lam || !lam->is_set() || !makes_types(pi)) return Assign(w).check(pi->dom(), arg, &type);
    auto made = lam->body();
    Around body{&type, lam->var(), Defs(&made, 1), Whole};
    return Assign(w).check(pi->dom(), arg, &body);
}

} // namespace mim
