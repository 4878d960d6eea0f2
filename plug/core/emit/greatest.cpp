// SPDX-License-Identifier: MIT
#include "emit/greatest.h"

#include <algorithm>

#include "core/annexes.h"
#include "kit/match.h"

namespace mim::plug::core {

namespace {

constexpr unsigned max_depth = 8;

uint64_t bound(const Def* def, unsigned depth);

const Def* element(const Def* pair, size_t i) {
    if (auto tuple = pair->isa<Tuple>()) return tuple->op(i);
    auto pack = pair->isa<Pack>();
    return pack && !pack->var() ? pack->body() : nullptr;
}

/// Of the type alone.
uint64_t of_type(const Def* type) {
    auto size = isa_idx(type);
    auto n    = size ? isa_lit(size) : nullptr;
    return !n || n->is_2_64() || n->value() == 0 ? UINT64_MAX : n->value() - 1;
}

uint64_t of_element(const Def* pair, size_t i, unsigned depth) {
    auto elem = element(pair, i);
    return elem ? bound(elem, depth) : UINT64_MAX;
}

/// If no result is greater than `most`, none has wrapped; else all that is known is the type.
uint64_t unless_wrapped(unsigned __int128 exact, uint64_t most) { return exact <= most ? static_cast<uint64_t>(exact) : most; }

uint64_t of_wrap(wrap op, const Def* pair, uint64_t most, unsigned depth) {
    using u128 = unsigned __int128;
    auto a = of_element(pair, 0, depth), b = of_element(pair, 1, depth);
    switch (op) {
        case wrap::add: return unless_wrapped(u128(a) + b, most);
        case wrap::mul: return unless_wrapped(u128(a) * b, most);
        case wrap::shl: return b < 64 ? unless_wrapped(u128(a) << b, most) : most;
        case wrap::sub: {
            auto first = element(pair, 0) ? isa_lit(element(pair, 0)) : nullptr;
            return first && b <= first->value() ? first->value() : most;
        }
    }
    return most;
}

uint64_t of_shr(const Def* pair, unsigned depth) {
    auto amount = element(pair, 1) ? isa_lit(element(pair, 1)) : nullptr;
    auto a      = of_element(pair, 0, depth);
    return amount && amount->value() < 64 ? a >> amount->value() : a;
}

uint64_t of_and(const Def* pair, unsigned depth) { return std::min(of_element(pair, 0, depth), of_element(pair, 1, depth)); }

uint64_t bound(const Def* def, unsigned depth) {
    if (auto lit = isa_lit(def)) return lit->value();
    auto most = of_type(def->type());
    if (depth == 0) return most;
    auto of = [&](const Def* arg) { return bound(arg, depth - 1); };
    if (auto op = match<conv>(def); op && op.sub() == conv::u) return std::min(most, of(op.arg()));
    if (auto op = match<bitcast>(def)) return std::min(most, of(op.arg()));
    if (auto op = match<wrap>(def)) return of_wrap(op.sub(), op.arg(), most, depth - 1);
    if (auto op = match<shr>(def); op && op.sub() == shr::l) return std::min(most, of_shr(op.arg(), depth - 1));
    if (auto op = match<bit2>(def); op && op.sub() == bit2::and_) return std::min(most, of_and(op.arg(), depth - 1));
    return most;
}

} // namespace

uint64_t greatest(const Def* pair, size_t i) { return of_element(pair, i, max_depth); }

} // namespace mim::plug::core
