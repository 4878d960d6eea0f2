// SPDX-License-Identifier: MIT
// What the normalizers of %math share: formats, modes, the groups of an application, the canonical order of operands, and folding.
//
// Laws. A normalizer is sound (the result is equal wherever the original is defined, and is what the mode permits), terminating,
// idempotent and type preserving. "Equal" is equality of bits, but for NaNs: all NaNs count as one, unless an operation only changes
// the sign. What a mode makes undefined is never folded: the operation stays, so that it can be trapped.
#pragma once
#include <optional>

#include "format.h"
#include "kit/match.h"
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

/// An application `axiom @(p, e) m arg`.
struct Op : Redex {
    explicit Op(const Redex& redex)
        : Redex(redex)
        , mode(group(1))
        , format(format_of(group(0))) {
        if (w.keeps_traps) mode.granted &= ~mode.forbidden; // a law that holds of numbers only would drop the trap
    }

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
        return w.apply(e, group(0), group(1), {args...});
    }
    const Def* negate(const Def* x) const { return make(minus(0), x); }
    /// The operands of `def` if it is this operation with the same mode.
    template<class Enum>
    bool isa(Enum op, const Def* def, const Def*& x, const Def*& y) const {
        auto in = match(op, def);
        if (!in || in.group(1) != group(1)) return false;
        x = operand(w, in, 0);
        y = operand(w, in, 1);
        return true;
    }
    /// `minus x`: x, else null.
    const Def* isa_minus(const Def*) const;
};

} // namespace mim::plug::math
