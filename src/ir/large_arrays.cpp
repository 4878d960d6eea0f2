// SPDX-License-Identifier: MIT
#include "ir/large_arrays.h"

#include <algorithm>
#include <limits>

#include "ir/views.h"

namespace mim {

namespace {

/// Larger ones are not written down.
constexpr uint64_t max_constant_parts = uint64_t(1) << 20;

/// Nor are packs with more parts, but for zeros, which need no room in an object file.
constexpr uint64_t max_pack_parts = uint64_t(1) << 12;

uint64_t times(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<uint64_t>::max() : result;
}

/// Counts the parts of types, none of those that take no room.
class Counter {
public:
    uint64_t count(const Def* type) {
        if (visits_ == max_visits) return 0;
        ++visits_;
        switch (type->node()) {
            case Node::Sort:
            case Node::Bot:
            case Node::Top:
            case Node::Sing: return 0;
            case Node::Arr: return count_array(type->as<Arr>());
            case Node::Sigma: return sum(type->ops());
            case Node::Union: return 1 + most(type->ops());
            case Node::Extract: {
                auto tuple = type->as<Extract>()->tuple()->isa<Tuple>(); // whose elements agree
                return tuple ? count(tuple->op(0)) : 1;
            }
            default: return takes_room(type);
        }
    }
    bool has_open_array() const { return has_open_array_; }

private:
    /// Types may share parts, so that the ways to their leaves are more than anybody can walk.
    static constexpr unsigned max_visits = 1 << 16;

    uint64_t count_array(const Arr* arr) {
        auto lit        = isa_lit(arr->arity());
        has_open_array_ = has_open_array_ || !lit;
        return times(lit ? lit->value() : 1, count(arr->body()));
    }

    uint64_t sum(Defs types) {
        uint64_t result = 0;
        for (auto type : types)
            if (__builtin_add_overflow(result, count(type), &result)) return std::numeric_limits<uint64_t>::max();
        return result;
    }

    uint64_t most(Defs types) {
        uint64_t result = 0;
        for (auto type : types) result = std::max(result, std::min(count(type), std::numeric_limits<uint64_t>::max() - 1));
        return result;
    }

    static bool takes_room(const Def* type) {
        if (auto size = isa_idx(type)) return !isa_lit(size) || isa_lit(size)->value() > 1;
        auto axm = head_axiom(type);
        return !axm || !(axm->axiom().has(Axiom::LinearType) || axm->axiom().has(Axiom::Erased));
    }

    unsigned visits_     = 0;
    bool has_open_array_ = false;
};

/// Whether it is made of literals that `is_fine` accepts, by tuples, packs and axioms that make constants.
bool is_made_of(const Def* value, bool (*is_fine)(const Lit*)) {
    if (auto lit = value->isa<Lit>()) return is_fine(lit);
    if (auto pack = value->isa<Pack>()) return !pack->var() && isa_lit(pack->arity()) && is_made_of(pack->body(), is_fine);
    if (makes_constant(value)) return is_made_of(value->as<App>()->arg(), is_fine);
    return value->isa<Tuple>() && std::ranges::all_of(value->ops(), [&](auto op) { return is_made_of(op, is_fine); });
}

bool is_made_of_zeros(const Def* value) {
    return is_made_of(value, [](const Lit* lit) { return !lit->is_2_64() && lit->value() == 0; });
}

} // namespace

bool is_large_array(const Def* type) {
    if (!type->isa<Arr>()) return false;
    Counter counter;
    return counter.count(type) > max_register_parts && !counter.has_open_array();
}

bool holds_large_array(const Def* type) {
    if (type->isa<Arr>()) return is_large_array(type); // if an element holds one, so does the array
    if (auto extract = type->isa<Extract>()) {
        auto tuple = extract->tuple()->isa<Tuple>();
        return tuple && holds_large_array(tuple->op(0));
    }
    bool has_parts = type->isa<Sigma>() || type->isa<Union>();
    return has_parts && std::ranges::any_of(type->ops(), holds_large_array);
}

bool is_constant_array(const Def* value) {
    bool is_literal = value->isa<Tuple>() || value->isa<Pack>();
    if (!is_literal || !is_large_array(value->type())) return false;
    auto parts = Counter().count(value->type());
    if (parts > max_constant_parts || !is_made_of(value, [](const Lit*) { return true; })) return false;
    return value->isa<Tuple>() || parts <= max_pack_parts || is_made_of_zeros(value);
}

} // namespace mim
