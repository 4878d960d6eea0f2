// SPDX-License-Identifier: MIT
// What the normalizers of %math share: formats, modes, the groups of an application, the canonical order of operands, and folding.
//
// Laws. A normalizer is sound (the result is equal wherever the original is defined, and is what the mode permits), terminating,
// idempotent and type preserving. "Equal" is equality of bits, but for NaNs: all NaNs count as one, unless an operation only changes
// the sign. What a mode makes undefined is never folded: the operation stays, so that it can be trapped.
#pragma once
#include <optional>

#include "format.h"
#include "ir/order.h"
#include "math/annexes.h"

namespace mim::plug::math {

struct Mode {
    enum : unsigned { nnan = 1, ninf = 2, nsz = 4, arcp = 8, contract = 16, afn = 32, reassoc = 64, all = 127 };
    explicit Mode(const Def* m);
    /// Every one of these is permitted. A mode that is not known permits nothing…
    bool permits(unsigned flags) const { return (granted & flags) == flags; }
    /// … and forbids everything that a mode can forbid.
    unsigned granted = 0, forbidden = nnan | ninf;
    bool allows_value(const Format& f, uint64_t v) const {
        return !((forbidden & nnan) && f.is_nan(v)) && !((forbidden & ninf) && f.is_inf(v));
    }
};

/// i-th element of an argument pair, without building an extract where it is at hand.
const Def* elem(World&, const Def* arg, uint64_t i);
/// The argument of the n-th group before the last: group(callee, 0) is the one right before it.
inline const Def* group(const Def* callee, unsigned n = 0) {
    while (n-- > 0) callee = callee->as<App>()->callee();
    return callee->as<App>()->arg();
}
/// Operands of commutative operations are in this order (ir/order.h): literals first, then by shape.
inline bool in_order(const Def* a, const Def* b) { return mim::compare(a, b) <= 0; }
inline uint16_t sub_of(const Def* callee) { return head_axiom(callee)->axiom().id.sub; }

/// An application `axiom @(p, e) m arg`.
struct Op {
    Op(World& w, const Def* type, const Def* callee)
        : w(w)
        , type(type)
        , callee(callee)
        , pe(group(callee, 1))
        , m(group(callee))
        , mode(m)
        , format(format_of(pe)) {
        if (w.keeps_traps) mode.granted &= ~mode.forbidden; // a law that holds of numbers only would drop the trap
    }

    World& w;
    const Def *type, *callee, *pe, *m;
    Mode mode;
    const Format* format; ///< null if it is not known

    /// The bits of a literal; none as long as the format is not known.
    std::optional<uint64_t> value(const Def*) const;
    /// A literal 0 with this sign, of whatever format.
    bool is_zero(const Def*, bool is_neg) const;
    bool is_one(const Def*, bool is_neg = false) const;
    const Def* lit(uint64_t bits) const { return w.raw_lit(type, bits); }
    /// The literal, unless the mode makes this value or an argument undefined.
    const Def* fold(uint64_t result, uint64_t a, std::optional<uint64_t> b = {}) const;

    /// An operation of this mode and format.
    template<class Enum, class... Args>
    const Def* make(Enum e, Args... args) const {
        auto op = w.app(w.app(w.annex(e), pe), m);
        if constexpr (sizeof...(args) == 1) return w.app(op, args...);
        else return w.app(op, {args...});
    }
    const Def* negate(const Def* x) const { return make(minus(0), x); }
    /// `minus x`: x, else null.
    const Def* isa_minus(const Def*) const;
};

const Def* normalize_inf(World&, const Def*, const Def*, const Def*);
const Def* normalize_nan(World&, const Def*, const Def*, const Def*);
const Def* normalize_arith(World&, const Def*, const Def*, const Def*);
const Def* normalize_minus(World&, const Def*, const Def*, const Def*);
const Def* normalize_abs(World&, const Def*, const Def*, const Def*);
const Def* normalize_extrema(World&, const Def*, const Def*, const Def*);
const Def* normalize_round(World&, const Def*, const Def*, const Def*);
const Def* normalize_tri(World&, const Def*, const Def*, const Def*);
const Def* normalize_pow(World&, const Def*, const Def*, const Def*);
const Def* normalize_rt(World&, const Def*, const Def*, const Def*);
const Def* normalize_exp(World&, const Def*, const Def*, const Def*);
const Def* normalize_er(World&, const Def*, const Def*, const Def*);
const Def* normalize_gamma(World&, const Def*, const Def*, const Def*);
const Def* normalize_cmp(World&, const Def*, const Def*, const Def*);
const Def* normalize_conv(World&, const Def*, const Def*, const Def*);

} // namespace mim::plug::math
