// SPDX-License-Identifier: MIT
#include "sema/labels.h"

#include <algorithm>

namespace mim {

Defs members_of(const Def* const& type) { return type->isa<Union>() ? type->ops() : Defs(&type, 1); }

const Lit* label_of(const Def* member) {
    auto first = member;
    if (member->isa<Sigma>() && member->num_ops()) first = member->op(0);
    else if (auto arr = member->isa<Arr>()) first = arr->body();
    auto sing = first ? first->isa<Sing>() : nullptr;
    auto lit  = sing ? isa_lit(sing->value()) : nullptr;
    return lit && isa_idx(lit->type()) ? lit : nullptr;
}

size_t num_payload(const Def* member) {
    if (member->isa<Sigma>()) return member->num_ops() - 1;
    auto arr   = member->isa<Arr>();
    auto arity = arr ? isa_lit(arr->arity()) : nullptr;
    return arity ? arity->value() - 1 : 0;
}

/// Whether an element mentions another one, which makes the elements behind the label depend on a variable.
static bool is_dependent(World& world, const Def* sigma) {
    auto mentions = [&](auto op) { return is_free_in(world, sigma->var(), op); };
    return sigma->is_mut() && sigma->var() && std::ranges::any_of(sigma->ops(), mentions);
}

/// The same types, each over the elements in front of it in the new tuple.
static const Def* dependent_payload(World& world, const Def* member, size_t n) {
    auto sigma = world.mut_sigma(n);
    world.holes.enter(sigma);
    std::vector<const Def*> elems(n + 1, world.unit()); // no type mentions those behind it
    elems[0] = label_of(member);
    for (size_t i = 0; i < n; ++i) {
        auto type = member->op(i + 1);
        if (i > 0) type = world.subst(type, member->var(), world.tuple(elems));
        world.set(sigma, i, type);
        elems[i + 1] = world.extract(sigma->var(), i);
    }
    return world.seal(sigma);
}

const Def* payload_type(World& world, const Def* member) {
    auto n = num_payload(member);
    if (auto arr = member->isa<Arr>()) return world.arr(world.lit_nat(n), arr->body());
    if (n == 1) return member->op(1);
    if (is_dependent(world, member)) return dependent_payload(world, member, n);
    return world.sigma(member->ops().subspan(1));
}

const Def* payload_of(World& world, const Def* member, const Def* value) {
    auto n = num_payload(member);
    if (n == 1) return world.extract(value, 1);
    std::vector<const Def*> elems;
    for (size_t i = 1; i <= n; ++i) elems.push_back(world.extract(value, i));
    return world.coerce(payload_type(world, member), world.tuple(elems));
}

const Def* labelled_value(World& world, const Def* member, const Def* payload) {
    auto n = num_payload(member);
    if (n == 0) return label_of(member);
    std::vector<const Def*> elems{label_of(member)};
    for (size_t i = 0; i < n; ++i) elems.push_back(n == 1 ? payload : world.extract(payload, i));
    return world.tuple(elems);
}

/// The arguments are placeholders that the comparison fills.
static bool may_make(World& world, const LabelledType& labelled, const Def* type, std::vector<const Def*>& args) {
    auto made = labelled.def;
    for (auto pi = made->type()->isa<Pi>(); pi; pi = world.refresh(made->type())->isa<Pi>()) {
        args.push_back(world.holes.make(pi->dom()));
        made = world.app(made, args.back());
    }
    return unify(world, world.refresh(made), type);
}

bool makes(World& world, const LabelledType& labelled, const Def* type, std::vector<const Def*>* args) {
    if (!labelled.def) return false;
    std::vector<const Def*> holes;
    try {
        if (!may_make(world, labelled, type, holes)) return false;
    } catch (const Error&) { // placeholders that the type has already
        return false;
    }
    if (args) *args = holes;
    return true;
}

/// The number of groups of parameters.
static size_t num_parameters(const Def* type) {
    size_t n = 0;
    for (auto pi = type->type()->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>()) ++n;
    return n;
}

const LabelledType* find_maker(World& world, const std::deque<LabelledType>& all, const Def* type,
                               std::vector<const Def*>* args) {
    const LabelledType* found = nullptr;
    if (type->is_unstable()) return nullptr;
    std::vector<const Def*> its_args;
    for (auto& labelled : all) {
        bool has_number = labelled.constructors.size() == members_of(type).size();
        if (!has_number || !makes(world, labelled, type, &its_args)) continue;
        if (found && num_parameters(found->def) < num_parameters(labelled.def)) continue;
        if (found && num_parameters(labelled.def) == 0 && num_parameters(found->def) == 0) return nullptr;
        found = &labelled;
        if (args) *args = its_args;
    }
    return found;
}

} // namespace mim
