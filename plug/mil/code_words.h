// SPDX-License-Identifier: MIT
// Values of the World: words, addresses, and those of C. All have 64 bits within the program.
#pragma once
#include "core/annexes.h"
#include "kit/build.h"
#include "mem/annexes.h"
#include "primitives.h"
#include "program.h"

namespace mim::plug::mil {

class WordMaker {
protected:
    WordMaker(World& world, const Program& program)
        : w(world)
        , p_(program)
        , word_(w.i64_type()) {}
    ~WordMaker() = default;

    const mim::Def* operation(Op, const mim::Def* a, const mim::Def* b);
    const mim::Def* number(uint64_t n) { return w.lit_idx(w.lit_2_64(), n); }
    const mim::Def* pointer(const mim::Def* address, const mim::Def* to) {
        return w.call<core::bitcast>(w.app(w.annex(mem::PtrAS(0)), {to, w.lit_nat(0)}), address);
    }
    const mim::Def* address(const mim::Def* pointer) { return w.call<core::bitcast>(word_, pointer); }
    const mim::Def* masked(const mim::Def* v) {
        return p_.word_bits == 64 ? v : w.call(core::bit2::and_, w.lit_nat(0), {v, number(p_.mask())});
    }
    const mim::Def* wrap(core::wrap op, const mim::Def* a, const mim::Def* b) { return w.call(op, w.lit_nat(0), {a, b}); }
    const mim::Def* bits(core::bit2 op, const mim::Def* a, const mim::Def* b) { return w.call(op, w.lit_nat(0), {a, b}); }
    /// As a signed number of 64 bits.
    const mim::Def* extended(const mim::Def* v) {
        if (p_.word_bits == 64) return v;
        auto narrow = w.call(core::conv::u, w.lit_nat(uint64_t(1) << p_.word_bits), v);
        return w.call(core::conv::s, w.lit_2_64(), narrow);
    }
    const mim::Def* flag(const mim::Def* condition) { return w.select(condition, number(1), number(0)); }

    /// @name values of C
    ///@{
    /// Null if C has no such value.
    const mim::Def* c_type(const CValue&);
    const mim::Def* from_c(const CValue&, const mim::Def* value);
    const mim::Def* to_c(const CValue&, const mim::Def* value);
    const mim::Def* mim_type(const CValue&);
    const mim::Def* from_mim(const CValue&, const mim::Def* value);
    const mim::Def* to_mim(const CValue&, const mim::Def* value);
    const mim::Def* truth(bool b) { return number(2 * uint64_t(p_.cons[b ? p_.yes : p_.no].tag) + 1); }
    ///@}

    World& w;
    const Program& p_;
    const mim::Def* word_;
};

} // namespace mim::plug::mil
