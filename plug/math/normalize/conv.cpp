// SPDX-License-Identifier: MIT
// %math.conv. A conversion is skipped where it loses nothing.
#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

namespace {

__extension__ typedef unsigned __int128 u128;

/// The number of values of `Idx s`; 0 if it is not known.
u128 count(const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit) return 0;
    return lit->is_2_64() ? u128(1) << 64 : u128(lit->value());
}

struct Conv : Redex {
    explicit Conv(const Redex& redex)
        : Redex(redex)
        , from(group(0))
        , to(group(1)) {}
    const Def *from, *to; ///< sizes or formats
    const Def* make(conv op, const Def* source, const Def* x) const { return w.apply(op, source, to, x); }
};

const Def* from_integer(const Conv& c, conv op) {
    auto f = format_of(c.to);
    auto s = count(c.from);
    auto v = value(c.arg);
    if (!f || s == 0 || !v) return nullptr;
    bool is_neg = op == conv::s2f && 2 * u128(*v) >= s;
    return c.w.raw_lit(c.type, from_integer(*f, is_neg ? uint64_t(s - *v) : *v, is_neg));
}

const Def* to_integer(const Conv& c, conv op) {
    auto f = format_of(c.from);
    auto s = count(c.to);
    if (!f || s == 0) return nullptr;
    bool is_signed = op == conv::f2s;
    if (auto v = value(c.arg)) {
        uint64_t magnitude;
        bool is_neg;
        if (!to_integer(*f, *v, magnitude, is_neg)) return nullptr;
        bool fits = is_neg ? magnitude <= (is_signed ? s / 2 : 0) : magnitude < (is_signed ? (s + 1) / 2 : s);
        return fits ? c.w.lit(c.type, uint64_t(is_neg && magnitude ? s - magnitude : magnitude)) : nullptr; // else undefined
    }
    // There and back: all values are values of the format.
    auto inner = match<conv>(c.arg);
    if (!inner || inner.sub() != (is_signed ? conv::s2f : conv::u2f) || inner.group(0) != c.to) return nullptr;
    return (is_signed ? s / 2 : s) <= f->exact_integers() ? inner.arg() : nullptr;
}

/// The integers that `inner` converts lose nothing in the format `f`.
bool is_exact(Match_<conv> inner, const Format& f) {
    auto s = count(inner.group(0));
    return s && (inner.sub() == conv::s2f ? s / 2 : s) <= f.exact_integers();
}

const Def* to_format(const Conv& c) {
    if (c.from == c.to) return c.arg;
    auto f = format_of(c.from), t = format_of(c.to);
    if (!f || !t) return nullptr;
    if (auto v = value(c.arg)) return c.w.raw_lit(c.type, convert(*f, *t, *v));
    auto inner = match<conv>(c.arg);
    if (!inner) return nullptr;
    auto source = inner.group(0);
    if (inner.sub() == conv::f2f) {
        auto first = format_of(source);
        return first && f->holds(*first) ? c.make(conv::f2f, source, inner.arg()) : nullptr;
    }
    return is_exact(inner, *f) ? c.make(inner.sub(), source, inner.arg()) : nullptr;
}

} // namespace

const Def* normalize_conv(const Redex& redex) {
    Conv c(redex);
    switch (auto op = conv(c.sub())) {
        case conv::s2f:
        case conv::u2f: return from_integer(c, op);
        case conv::f2s:
        case conv::f2u: return to_integer(c, op);
        case conv::f2f: return to_format(c);
    }
    return nullptr;
}

} // namespace mim::plug::math
