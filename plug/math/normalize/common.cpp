// SPDX-License-Identifier: MIT
#include "normalize/common.h"

namespace mim::plug::math {

Mode::Mode(const Def* m) {
    auto lit = isa_lit(m);
    if (!lit) return;
    granted   = unsigned(lit->value() & all);
    forbidden = granted & (nnan | ninf);
}

const Def* elem(World& w, const Def* arg, uint64_t i) {
    if (auto tuple = arg->isa<Tuple>()) return tuple->op(i);
    return w.extract(arg, i);
}

std::optional<uint64_t> Op::value(const Def* def) const {
    auto lit = format ? isa_lit(def) : nullptr;
    return lit ? std::optional(lit->value()) : std::nullopt;
}

bool Op::is_zero(const Def* def, bool is_neg) const {
    auto lit = isa_lit(def);
    if (!lit) return false;
    if (!is_neg) return lit->value() == 0;
    return format && lit->value() == format->sign_bit();
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

const Def* normalize_inf(World& w, const Def* type, const Def*, const Def* arg) {
    auto f = format_of(arg);
    return f ? w.raw_lit(type, f->inf()) : nullptr;
}

const Def* normalize_nan(World& w, const Def* type, const Def*, const Def* arg) {
    auto f = format_of(arg);
    return f ? w.raw_lit(type, f->nan()) : nullptr;
}

} // namespace mim::plug::math
