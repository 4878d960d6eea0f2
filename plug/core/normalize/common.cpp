// SPDX-License-Identifier: MIT
#include "normalize/common.h"

namespace mim::plug::core {

Size::Size(const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit) return;
    known = true;
    n     = lit->is_2_64() ? u128(1) << 64 : u128(lit->value());
}

unsigned Size::bits() const {
    unsigned w = 0;
    while ((u128(1) << w) < n) ++w;
    return w;
}

uint64_t Size::mask() const {
    auto w = bits();
    return w == 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1;
}

uint64_t Size::wrap_signed(i128 v) const {
    auto r = v % static_cast<i128>(n);
    return static_cast<uint64_t>(r < 0 ? r + static_cast<i128>(n) : r);
}

Mode::Mode(const Def* m) {
    auto bits = value(m);
    if (!bits) return;
    known = true;
    nsw   = *bits & 1;
    nuw   = *bits & 2;
}

bool is_zero(const Def* def) {
    auto m = match<idx>(def);
    return is_value(m ? m.arg() : def, 0);
}

} // namespace mim::plug::core
