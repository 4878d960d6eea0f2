// SPDX-License-Identifier: MIT
// Shapes of arrays: «?s; T» with ?s: «?r; Nat» against an array of several layers. The layers of «n; «m; U»» may all belong to the shape, or
// some of them to T: the rank says how many are meant, else T does, as far as it is known.
#include "ir/oriented.h"

namespace mim {

/// Whether it stands for several extents, or for a number of them that is not known.
bool Unifier::is_shape(const Hole* hole) {
    auto type = world_.refresh(hole->type());
    return type != world_.nat() && (type->isa<Arr>() || type == world_.unit_type());
}

/// Of an array whose extents do not depend on each other's indices: n and m of «n; «m; T»».
static std::vector<const Def*> extents(World& world, const Def* type) {
    std::vector<const Def*> result;
    for (auto arr = type->isa<Arr>(); arr && !arr->var() && arr->arity()->type() == world.nat(); arr = arr->body()->isa<Arr>())
        result.push_back(arr->arity());
    return result;
}

/// An array whose rank is not known as well: its extents are one value.
static const Arr* isa_any_rank(World& world, const Def* type) {
    auto arr = type->isa<Arr>();
    return arr && !arr->var() && arr->arity()->type() != world.nat() ? arr : nullptr;
}

/// The type of the placeholder becomes that of `rank` extents. False if it cannot.
bool Unifier::solve_rank(const Hole* shape, size_t rank) {
    auto type = world_.refresh(shape->type());
    return unify(type, world_.arr(world_.lit_nat(rank), world_.nat()));
}

/// Takes as many layers as the rank says. If that is not known, all that the elements do not have, and all if the elements are not known.
bool Unifier::solve_shape(const Oriented& sides, const Hole* shape, const Arr* pattern, const Def* value) {
    if (pattern->var()) return false; // the elements would depend on indices of all layers
    if (auto same = isa_any_rank(world_, value)) return sides.unify(shape, same->arity());
    auto all   = extents(world_, value);
    auto elem  = world_.refresh(pattern->body());
    auto rank  = lit_arity(world_, world_.refresh(shape->type()));
    auto own   = open_hole(elem) ? 0 : extents(world_, elem).size();
    auto taken = rank >= 0 ? static_cast<size_t>(rank) : all.size() - std::min(own, all.size());
    if (taken > all.size()) return false;
    all.resize(taken);
    if (rank < 0 && !solve_rank(shape, taken)) return false;
    return solve(shape, world_.tuple(all));
}

} // namespace mim
