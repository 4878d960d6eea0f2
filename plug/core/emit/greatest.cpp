// SPDX-License-Identifier: MIT
#include "emit/greatest.h"

#include <algorithm>
#include <optional>

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

__extension__ typedef unsigned __int128 u128;

/// The greatest exact result, if it is at most `most`: then no result wraps.
std::optional<uint64_t> unless_wrapped(u128 exact, uint64_t most) {
    return exact <= most ? std::optional(static_cast<uint64_t>(exact)) : std::nullopt;
}

std::optional<uint64_t> of_wrap(wrap op, const Def* pair, uint64_t most, unsigned depth) {
    auto a = of_element(pair, 0, depth), b = of_element(pair, 1, depth);
    switch (op) {
        case wrap::add: return unless_wrapped(u128(a) + b, most);
        case wrap::mul: return unless_wrapped(u128(a) * b, most);
        case wrap::shl: // by fewer places than there are, also if a is 0
            return b < 64 ? unless_wrapped(u128(std::max<uint64_t>(a, 1)) << b, most) : std::nullopt;
        case wrap::sub: {
            auto first = element(pair, 0) ? isa_lit(element(pair, 0)) : nullptr;
            return first && b <= first->value() ? std::optional(first->value()) : std::nullopt;
        }
    }
    return std::nullopt;
}

/// A result that leaves 64 bits is undefined.
uint64_t of_nat(nat op, const Def* pair, unsigned depth) {
    auto a = of_element(pair, 0, depth);
    if (op == nat::sub) return a;
    auto b     = of_element(pair, 1, depth);
    auto exact = op == nat::add ? u128(a) + b : u128(a) * b;
    return unless_wrapped(exact, UINT64_MAX).value_or(UINT64_MAX);
}

/// By a literal other than 0.
uint64_t of_quot(bool is_div, const Def* pair, uint64_t most, unsigned depth) {
    auto divisor = element(pair, 1) ? isa_lit(element(pair, 1)) : nullptr;
    if (!divisor || divisor->value() == 0) return most;
    auto a = of_element(pair, 0, depth);
    return is_div ? a / divisor->value() : std::min(a, divisor->value() - 1);
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
    if (auto op = match<idx>(def)) return std::min(most, of(op.arg()));
    if (auto op = match<wrap>(def)) return of_wrap(op.sub(), op.arg(), most, depth - 1).value_or(most);
    if (auto op = match<nat>(def)) return of_nat(op.sub(), op.arg(), depth - 1);
    if (auto op = match<quot>(def)) {
        bool is_div = op.sub() == quot::div || op.sub() == quot::ndiv;
        return std::min(most, of_quot(is_div, op.arg(), most, depth - 1));
    }
    if (auto op = match<shr>(def); op && op.sub() == shr::l) return std::min(most, of_shr(op.arg(), depth - 1));
    if (auto op = match<bit2>(def); op && op.sub() == bit2::and_) return std::min(most, of_and(op.arg(), depth - 1));
    return most;
}

} // namespace

uint64_t greatest(const Def* number) { return bound(number, max_depth); }
uint64_t greatest(const Def* pair, size_t i) { return of_element(pair, i, max_depth); }

bool never_wraps(const Def* app) {
    auto op = match<wrap>(app);
    return op && of_wrap(op.sub(), op.arg(), of_type(app->type()), max_depth);
}

} // namespace mim::plug::core
