// SPDX-License-Identifier: MIT
// Assignability, T ← e (spec section 1): tuples are never ascribed; a value fits a Σ or an array when its elements do.
#include "ir/impl.h"

namespace mim {

static bool assign_elems(World& w, const Def* type, const Def* value, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        auto e = w.extract(value, i);
        auto t = w.elem_type(type, value, w.lit_idx(n, i));
        if (!w.assignable(t, e)) return false;
    }
    return true;
}

bool World::assignable(const Def* type, const Def* value) {
    if (type == value->type()) return true;
    type = refresh(type), value = refresh(value);
    auto found = refresh(value->type());
    if (type == found) return true;
    if (auto sing = type->isa<Sing>()) return unify(sing->value(), value);
    bool sigma = type->isa<Sigma>();
    auto arr   = type->isa<Arr>();
    if (!sigma && !arr) return unify(type, found);
    if (arr && arr->arity()->has(Def::HasHole)) return unify(type, found);
    auto n = lit_arity(type);
    if (n >= 0 && lit_arity(found) == n && n != 1) {
        // arrays of one element type compare as a whole
        if (arr && !arr->var() && found->isa<Arr>() && !found->as<Arr>()->var() && unify(arr->body(), found->as<Arr>()->body()))
            return true;
        static constexpr int64_t MaxElems = 1 << 20;
        if (n <= MaxElems) return assign_elems(*this, type, value, static_cast<size_t>(n));
    }
    if (auto pack = value->isa<Pack>(); arr && pack && n < 0) {
        if (!unify(arr->arity(), pack->arity())) return false;
        auto index = pack->var() ? pack->var() : mut_pack(pack->arity())->var();
        return assignable(elem_type(arr, value, index), pack->body());
    }
    return unify(type, found);
}

} // namespace mim
