// SPDX-License-Identifier: MIT
// See value_types.h.
#include "backend/llvm/value_types.h"

#include <algorithm>

#include "analysis/cps.h"
#include "analysis/pointee.h"
#include "analysis/snapshot.h"

namespace mim::backend::llvm {

static bool is_function(const Def* type) {
    auto pi = type ? type->isa<Pi>() : nullptr;
    return pi && pi->is_cn() && !pi->is_mut();
}

/// Whether the layout of a value of this type would be another one if sizes were known.
static bool is_open(const Def* type) {
    if (auto size = isa_idx(type)) return !size->isa<Lit>();
    if (is_open_array(type)) return true;
    bool has_parts = (type->isa<Sigma>() && !type->is_mut()) || type->isa<Arr>();
    return has_parts && std::ranges::any_of(type->ops(), is_open);
}

/// Whether elements of an array of known length are open: it is passed element by element then.
static bool has_open_elements(const Def* type) {
    if (is_open_array(type)) return false;
    if (auto arr = type->isa<Arr>()) return is_open(arr->body());
    bool has_parts = type->isa<Sigma>() && !type->is_mut();
    return has_parts && std::ranges::any_of(type->ops(), has_open_elements);
}

/// Of what is passed to a function. The return continuation is no value, but its domain is passed, too.
static bool any_passed(const Def* dom, bool (*holds)(const Def*)) {
    if (is_function(dom)) return holds(dom->as<Pi>()->dom());
    auto sigma = dom->isa<Sigma>();
    if (!sigma || sigma->is_mut() || sigma->num_ops() == 0) return holds(dom);
    auto last = sigma->ops().back();
    return holds(dom) || (is_function(last) && holds(last->as<Pi>()->dom()));
}

/// What two types have in common if one is an instance of the other and both are widened: all but sizes, and what is behind pointers.
static void add_shape(const Def* type, std::string& shape) {
    auto add_number = [&](char kind, uint64_t number) { (shape += kind) += std::to_string(number); };
    if (auto size = isa_idx(type)) {
        auto lit = isa_lit(size);
        return lit && !lit->is_2_64() ? add_number('i', lit->value()) : void(shape += lit ? 'l' : 'i');
    }
    if (auto arr = type->isa<Arr>()) {
        auto lit = isa_lit(arr->arity());
        lit && !lit->is_2_64() ? add_number('a', lit->value()) : void(shape += 'a');
        return add_shape(arr->body(), shape);
    }
    if (type->isa<Sigma>() && !type->is_mut()) {
        shape += '(';
        for (auto op : type->ops()) add_shape(op, shape);
        shape += ')';
        return;
    }
    add_number('n', uint64_t(type->node()));
    if (auto axm = head_axiom(type)) shape += axm->axiom().name.view();
}

static std::string shape_of(const Pi* pi) {
    std::string shape;
    auto dom  = pi->dom();
    auto last = dom->isa<Sigma>() && dom->num_ops() != 0 ? dom->ops().back() : dom;
    add_shape(dom, shape);
    if (is_function(last)) add_shape(last->as<Pi>()->dom(), shape += 'r');
    return shape;
}

const Pi* ValueTypes::of(const Pi* pi) {
    if (!is_function(pi)) return pi;
    if (!open_) collect();
    if (open_->empty()) return pi;
    auto [known, fresh] = types_.try_emplace(pi, pi);
    if (fresh) known->second = find(pi);
    return known->second;
}

const Pi* ValueTypes::find(const Pi* pi) {
    for (bool literal_arrays : {true, false})
        if (auto wide = widen(pi, literal_arrays); open_->contains(shape_of(wide))) return wide;
    return pi;
}

/// A function that is only called is no value.
void ValueTypes::collect() {
    open_.emplace();
    unknown_ = world_.mut_lam(world_.cn(world_.nat()))->var();
    Snapshot program(world_);
    std::unordered_set<const Def*> seen;
    for (auto def : program.nodes()) {
        auto ops = def->ops();
        if (auto app = def->isa<App>(); app && app->callee()->isa<Lam>()) ops = ops.subspan(1);
        for (auto op : ops) {
            auto type = op ? op->type() : nullptr;
            if (!is_function(type) || !seen.insert(type).second) continue;
            auto pi = type->as<Pi>();
            if (any_passed(pi->dom(), is_open)) open_->insert(shape_of(widen(pi, !any_passed(pi->dom(), has_open_elements))));
        }
    }
}

/// Arrays beside each other have lengths of their own: a tuple of two is no array of arrays.
const Def* ValueTypes::next_length() {
    if (num_lengths_ == lengths_.size()) lengths_.push_back(world_.mut_lam(world_.cn(world_.nat()))->var());
    return lengths_[num_lengths_++];
}

const Pi* ValueTypes::widen(const Pi* pi, bool literal_arrays) {
    num_lengths_ = 0;
    return world_.cn(widen_domain(pi->dom(), literal_arrays))->as<Pi>();
}

const Def* ValueTypes::widen_domain(const Def* dom, bool literal_arrays) {
    if (is_function(dom)) return world_.cn(widen(dom->as<Pi>()->dom(), literal_arrays));
    auto sigma = dom->isa<Sigma>();
    if (!sigma || sigma->is_mut() || sigma->num_ops() == 0 || !is_function(sigma->ops().back()))
        return widen(dom, literal_arrays);
    std::vector<const Def*> elems;
    for (auto op : sigma->ops().subspan(0, sigma->num_ops() - 1)) elems.push_back(widen(op, literal_arrays));
    elems.push_back(widen_domain(sigma->ops().back(), literal_arrays));
    return world_.sigma(elems);
}

/// What lies in memory keeps its layout: the elements of an array of unknown length do.
const Def* ValueTypes::widen(const Def* type, bool literal_arrays) {
    if (isa_idx(type)) return world_.idx(unknown_);
    if (type->is_mut()) return type;
    if (auto arr = type->isa<Arr>()) {
        auto elem     = innermost(type);
        bool is_whole = (literal_arrays || is_open_array(type)) && is_dense(type) && !holds_open_array(elem);
        if (is_whole && is_type(elem) && !elem->isa<Sing>() && !elem->isa<Sort>()) return world_.arr(next_length(), elem);
        return is_open_array(type) ? type : world_.arr(arr->arity(), widen(arr->body(), literal_arrays));
    }
    if (!type->isa<Sigma>()) return type;
    std::vector<const Def*> elems;
    for (auto op : type->ops()) elems.push_back(widen(op, literal_arrays));
    return world_.sigma(elems);
}

} // namespace mim::backend::llvm
