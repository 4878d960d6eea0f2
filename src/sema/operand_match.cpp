// SPDX-License-Identifier: MIT
#include "sema/operand_match.h"

#include <algorithm>
#include <unordered_map>

#include "base/stack.h"
#include "sema/labels.h"

namespace mim {

/// Element i of a type of pairs; null if it is none.
static const Def* elem_of_pair(World& world, const Def* type, uint64_t i) {
    if (lit_arity(world, type) != 2) return nullptr;
    if (auto arr = type->isa<Arr>()) return arr->is_mut() ? nullptr : arr->body();
    return type->isa<Sigma>() ? type->op(i) : nullptr;
}

OperatorType::OperatorType(World& world, const Def* type, bool is_prefix) {
    auto pi = type->isa<Pi>();
    for (; pi && pi->is_implicit(); pi = pi->codom()->isa<Pi>()) implicit_.push_back(pi);
    if (!pi) return;
    if (is_prefix) left_ = right_ = pi->dom();
    else left_ = elem_of_pair(world, pi->dom(), 0), right_ = elem_of_pair(world, pi->dom(), 1);
}

OperandMatch::OperandMatch(World& world, const OperatorType& type)
    : world_(world) {
    for (auto pi : type.implicit()) {
        auto n = lit_arity(world, pi->dom());
        groups_.push_back({pi, std::vector<const Def*>(n < 1 ? 1 : static_cast<size_t>(n))});
    }
}

OperandMatch::Group* OperandMatch::group_of(const Def* var) {
    for (auto& group : groups_)
        if (group.pi->var() == var) return &group;
    return nullptr;
}

const Pi* OperandMatch::unknown() const {
    for (auto& group : groups_)
        for (auto elem : group.elems)
            if (!elem) return group.pi;
    return nullptr;
}

std::vector<const Def*> OperandMatch::args() const {
    std::vector<const Def*> args;
    for (auto& group : groups_) args.push_back(group.elems.size() == 1 ? group.elems[0] : world_.tuple(group.elems));
    return args;
}

bool OperandMatch::bind(Group& group, size_t i, const Def* value) {
    if (i >= group.elems.size()) return false;
    auto& elem = group.elems[i];
    if (elem) return elem == value || equal(world_, elem, value);
    auto type = group.elems.size() == 1 ? group.pi->dom() : nullptr;
    // a type of types is no type of values
    if (type && type->isa<Sort>() && !assignable(world_, type, value)) return false;
    elem = value;
    return true;
}

bool OperandMatch::bind_all(Group& group, const Def* value) {
    auto n = group.elems.size();
    if (n == 1) return bind(group, 0, value);
    for (size_t i = 0; i < n; ++i)
        if (!bind(group, i, world_.extract(value, i))) return false;
    return true;
}

bool OperandMatch::mentions_variables(const Def* def) {
    for (auto& group : groups_)
        if (auto var = group.pi->var() ? group.pi->var()->isa<Var>() : nullptr; var && is_free_in(world_, var, def)) return true;
    return false;
}

/// Whether a part depends on a variable that is bound here. A recursive type that binds none is matched part by part: where a pair of
/// types comes back, it is assumed to match, as equality does (ir/alpha.cpp).
static bool binds(World& world, const Def* def) {
    if (!def->is_mut()) return false;
    if (!def->is_set()) return true;
    auto var = def->var() ? def->var()->isa<Var>() : nullptr;
    return var && std::ranges::any_of(def->ops(), [&](auto op) { return is_free_in(world, var, op); });
}

bool OperandMatch::match(const Def* pattern, const Def* type) {
    if (stack_is_low()) return false;
    if (type->is_unstable()) type = world_.refresh(type);
    if (!pattern->has(Def::HasDep) && !pattern->is_mut()) return pattern == type || equal(world_, pattern, type);
    if (auto group = group_of(pattern)) return bind_all(*group, type);
    if (auto extract = pattern->isa<Extract>()) {
        auto group = group_of(extract->tuple());
        auto index = isa_lit(extract->index());
        if (group && index) return bind(*group, index->value(), type);
    }
    if (!done_.insert({pattern, type}).second) return true;
    if (pattern->isa<Tuple>() && !type->isa<Tuple>()) return match_elems(pattern, type);
    if (auto arr = pattern->isa<Sigma>() ? type->isa<Arr>() : nullptr) return match_pairs(pattern, arr);
    bool is_atom = pattern->num_ops() == 0 || binds(world_, pattern) || binds(world_, type);
    if (is_atom || (pattern->is_mut() && !mentions_variables(pattern)))
        return !mentions_variables(pattern) && equal(world_, pattern, type);
    return pattern->isa<Union>() && type->isa<Union>() ? match_unions(pattern, type) : match_ops(pattern, type);
}

/// The elements of a tuple that is not written as one.
bool OperandMatch::match_elems(const Def* pattern, const Def* value) {
    if (lit_arity(world_, value->type()) != static_cast<int64_t>(pattern->num_ops())) return false;
    for (size_t i = 0; i < pattern->num_ops(); ++i)
        if (!match(pattern->op(i), world_.extract(value, i))) return false;
    return true;
}

/// `[T, Nat]` against `«2; Nat»`, which is `[Nat, Nat]`.
bool OperandMatch::match_pairs(const Def* pattern, const Arr* type) {
    if (pattern->is_mut() || type->is_mut()) return false;
    if (lit_arity(world_, type) != static_cast<int64_t>(pattern->num_ops())) return false;
    for (auto elem : pattern->ops())
        if (!match(elem, type->body())) return false;
    return true;
}

/// Each union has an order of its own for its members. Those with labels are matched by these.
bool OperandMatch::match_unions(const Def* pattern, const Def* type) {
    if (pattern->num_ops() != type->num_ops()) return false;
    std::unordered_map<uint64_t, const Def*> labelled;
    for (auto member : type->ops())
        if (auto label = label_of(member)) labelled.emplace(label->value(), member);
    for (size_t i = 0; i < pattern->num_ops(); ++i) {
        auto label = label_of(pattern->op(i));
        auto found = label ? labelled.find(label->value()) : labelled.end();
        if (!match(pattern->op(i), found == labelled.end() ? type->op(i) : found->second)) return false;
    }
    return true;
}

bool OperandMatch::match_ops(const Def* pattern, const Def* type) {
    if (pattern->node() != type->node() || pattern->num_ops() != type->num_ops()) return false;
    if (pattern->has(Def::Implicit) != type->has(Def::Implicit)) return false;
    for (size_t i = 0; i < pattern->num_ops(); ++i)
        if (!match(pattern->op(i), type->op(i))) return false;
    return true;
}

} // namespace mim
