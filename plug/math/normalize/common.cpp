// SPDX-License-Identifier: MIT
#include "normalize/common.h"

namespace mim::plug::math {

Mode::Mode(const Def* m) {
    auto bits = value(m);
    if (!bits) return;
    granted   = unsigned(*bits & all);
    forbidden = granted & (nnan | ninf);
}

std::optional<uint64_t> Op::value(const Def* def) const { return format ? mim::value(def) : std::nullopt; }

bool Op::is_zero(const Def* def, bool is_neg) const {
    if (!is_neg) return is_value(def, 0);
    return format && is_value(def, format->sign_bit());
}

bool Op::is_one(const Def* def, bool is_neg) const {
    return value(def) == (format ? format->one() | (is_neg ? format->sign_bit() : 0) : 0);
}

const Def* Op::fold(uint64_t result, uint64_t a, std::optional<uint64_t> b) const {
    bool defined = mode.allows_value(*format, result) && mode.allows_value(*format, a) && (!b || mode.allows_value(*format, *b));
    return defined ? lit(result) : nullptr;
}

const Def* Op::isa_minus(const Def* def) const {
    auto m = match<minus>(def);
    return m ? m.arg() : nullptr;
}

/*
 * constants
 */

const Def* normalize_inf(const Redex& redex) {
    auto f = format_of(redex.arg);
    return f ? redex.w.raw_lit(redex.type, f->inf()) : nullptr;
}

const Def* normalize_nan(const Redex& redex) {
    auto f = format_of(redex.arg);
    return f ? redex.w.raw_lit(redex.type, f->nan()) : nullptr;
}

} // namespace mim::plug::math
