// SPDX-License-Identifier: MIT
#include "scalars.h"

#include <cmath>

#include "kit/match.h"
#include "math/annexes.h"
#include "rise/annexes.h"

namespace mim::plug::rise {

ScalarType scalar_of(const Def* type) {
    if (auto f = match<math::F>(type)) {
        auto p = value(f.arg()->as<Tuple>()->op(0)).value_or(0);
        return {ScalarType::Float, p == 10 ? 16u : p == 23 ? 32u : 64u};
    }
    if (auto u = match<Unsigned>(type)) return {ScalarType::Unsigned, static_cast<unsigned>(*value(u.arg()))};
    if (auto i = match<Index>(type)) return {ScalarType::Index, 64, i.arg()};
    if (type->isa<mim::Nat>()) return {ScalarType::Nat};
    auto size = isa_idx(type);
    if (!size) return {};
    auto n = value(size);
    if (!n) return {ScalarType::Signed, 64};
    return *n == 2 ? ScalarType{ScalarType::Bool, 1}
                   : ScalarType{ScalarType::Signed, static_cast<unsigned>(std::countr_zero(*n))};
}

float half_value(uint64_t bits) {
    auto exponent = static_cast<int>(bits >> 10 & 31);
    auto fraction = static_cast<float>(bits & 0x3ff);
    float a       = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) a = fraction != 0 ? std::nanf("") : HUGE_VALF;
    return (bits & 0x8000) != 0 ? -a : a;
}

ArrayType isa_array(World& w, const Def* type) {
    auto app = match<Arr>(type);
    if (!app) return {};
    auto [size, element] = elems<2>(w, app.arg());
    return {size, element};
}

ArrayType isa_vector(World& w, const Def* type) {
    auto app = match<Vec>(type);
    if (!app) return {};
    auto [size, lane] = elems<2>(w, app.arg());
    return {size, lane};
}

PairType isa_pair(World& w, const Def* type) {
    auto app = match<Tup>(type);
    if (!app) return {};
    auto [first, second] = elems<2>(w, app.arg());
    return {first, second};
}

bool has_array(World& w, const Def* type) {
    if (isa_array(w, type)) return true;
    auto pair = isa_pair(w, type);
    return pair && (has_array(w, pair.first) || has_array(w, pair.second));
}

} // namespace mim::plug::rise
