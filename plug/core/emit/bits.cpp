// SPDX-License-Identifier: MIT
// Emitters of %core.bit1, %core.bit2, %core.shr, %core.icmp, %core.ncmp and %core.extrema.
#include <array>
#include <bit>

#include "emit/greatest.h"
#include "emit/int.h"

namespace mim::plug::core {

namespace {

/// The truth table (AB, Ab, aB, ab) on all bits of the target's integers.
Value by_table(Emit& e, unsigned op, Value a, Value b) {
    auto ones = [&] { return e.not_(e.zero(e.type_of(a))); };
    auto bin  = [&](Bin o, Value x, Value y) { return e.bin(o, x, y); };
    switch (bit2(op)) {
        case bit2::f: return e.zero(e.type_of(a));
        case bit2::nor: return e.not_(bin(Or, a, b));
        case bit2::nciff: return bin(And, e.not_(a), b);
        case bit2::nfst: return e.not_(a);
        case bit2::niff: return bin(And, a, e.not_(b));
        case bit2::nsnd: return e.not_(b);
        case bit2::xor_: return bin(Xor, a, b);
        case bit2::nand: return e.not_(bin(And, a, b));
        case bit2::and_: return bin(And, a, b);
        case bit2::nxor: return e.not_(bin(Xor, a, b));
        case bit2::snd: return b;
        case bit2::iff: return bin(Or, e.not_(a), b);
        case bit2::fst: return a;
        case bit2::ciff: return bin(Or, a, e.not_(b));
        case bit2::or_: return bin(Or, a, b);
        case bit2::t: return ones();
    }
    return {};
}

/// What is left of 64 bits is below 2n.
Value on_bits(const Int& n, unsigned op, Value a, Value b) {
    auto& e = n.e;
    if (n.is_native()) return n.out(by_table(e, op, n.in(a), n.in(b)));
    return n.narrow(n.reduce_once(e.bin(And, by_table(e, op, n.wide(a), n.wide(b)), n.mask())));
}

} // namespace

Value emit_bit1(Emit& e, const Def* app) {
    static constexpr std::array tables = {bit2::f, bit2::nfst, bit2::fst, bit2::t};
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto a = e.emit(arg_of(app));
    return on_bits(n, static_cast<unsigned>(tables[sub_of(app)]), a, a);
}

Value emit_bit2(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto arg = arg_of(app);
    return on_bits(n, sub_of(app), e.elem(arg, 0), e.elem(arg, 1));
}

/// Shifts by more than there are bits act like shifting one after the other.
Value emit_shr(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto [a, b] = e.elems<2>(arg_of(app));
    if (shr(sub_of(app)) == shr::l) {
        auto bits = e.bits(n.rep);
        if (bits == 1) return both(e, a, e.not_(b));
        if (greatest(arg_of(app), 1) < bits) return e.bin(LShr, a, b);
        auto ok = e.cmp(ULt, b, e.int_const(n.rep, bits));
        return e.select(ok, e.bin(LShr, a, b), e.zero(n.rep));
    }
    if (n.kind == Int::Pow2 && n.width == 1) return a;
    if (n.is_native()) return n.out(e.bin(AShr, n.in(a), e.umin(n.in(b), e.int_const(n.native(), n.width - 1))));
    auto r = e.bin(AShr, n.signed_wide(a), e.umin(n.wide(b), e.i64(63)));
    return n.narrow(e.select(e.cmp(SLt, r, e.i64(0)), e.bin(Add, r, n.size()), r));
}

/// In as many bits as numbers have; of a size that is known at run time only in 64, where a zero has to be told apart.
Value emit_count(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return e.i64(0);
    auto op   = count(sub_of(app));
    auto bits = n.is_native() ? n.width : n.kind == Int::Odd ? unsigned(std::bit_width(n.n - 1)) : 64u;
    auto type = e.int_type(bits);
    auto v    = e.resize(e.emit(arg_of(app)), type);
    if (op == count::ones) return e.resize(e.intrinsic("llvm.ctpop", {type}, {v}), n.i64());
    auto zeros = e.intrinsic(op == count::leading ? "llvm.ctlz" : "llvm.cttz", {type}, {v, e.i1(false)});
    auto wide  = e.resize(zeros, n.i64());
    if (n.kind != Int::Run) return wide;
    auto above = e.intrinsic("llvm.ctlz", {type}, {e.bin(Sub, n.size(), e.i64(1)), e.i1(false)}); // bits that no number has
    return op == count::leading ? e.bin(Sub, wide, above) : e.umin(wide, e.bin(Sub, e.i64(64), above));
}

/*
 * comparisons
 */

Value emit_ncmp(Emit& e, const Def* app) {
    static constexpr std::array ops = {Ne, Eq, ULt, ULe, UGt, UGe, Ne, Eq};
    auto sub                        = ncmp(sub_of(app));
    if (sub == ncmp::f || sub == ncmp::t) return e.i1(sub == ncmp::t);
    auto arg = arg_of(app);
    return e.cmp(ops[static_cast<size_t>(sub)], e.elem(arg, 0), e.elem(arg, 1));
}

namespace {

struct Compare {
    const Int& n;
    Value a, b;   ///< as numbers
    Value sa, sb; ///< by their signed reading
    Value cmp(Cmp op) const { return n.e.cmp(op, a, b); }
    Value scmp(Cmp op) const { return n.e.cmp(op, sa, sb); }

    /// The sets of relations that are one comparison; empty for others.
    Value single(icmp rel) const {
        switch (rel) {
            case icmp::e: return cmp(Eq);
            case icmp::ne: return cmp(Ne);
            case icmp::ul: return cmp(ULt);
            case icmp::ule: return cmp(ULe);
            case icmp::ug: return cmp(UGt);
            case icmp::uge: return cmp(UGe);
            case icmp::sl: return scmp(SLt);
            case icmp::sle: return scmp(SLe);
            case icmp::sg: return scmp(SGt);
            case icmp::sge: return scmp(SGe);
            default: return {};
        }
    }

    /// One relation: the unsigned and the signed order tell the four apart that are not equality.
    Value relation(unsigned bit) const {
        auto& e = n.e;
        switch (icmp(bit)) {
            case icmp::xygLe: return both(e, cmp(ULt), scmp(SLt));
            case icmp::xyGle: return both(e, cmp(UGt), scmp(SGt));
            case icmp::xYgle: return both(e, cmp(UGt), scmp(SLt));
            case icmp::Xygle: return both(e, cmp(ULt), scmp(SGt));
            default: return cmp(Eq);
        }
    }
};

} // namespace

Value emit_icmp(Emit& e, const Def* app) {
    unsigned rel = sub_of(app);
    Int n(e, group(app, 0));
    if (n.kind == Int::None || rel == 0 || icmp(rel) == icmp::t) return e.i1(rel & 1);
    auto [a, b]     = e.elems<2>(arg_of(app));
    bool needs_sign = !(icmp(rel) == icmp::e || icmp(rel) == icmp::ne || icmp(rel) == icmp::ul || icmp(rel) == icmp::ule
                        || icmp(rel) == icmp::ug || icmp(rel) == icmp::uge);
    Compare c{n, a, b, {}, {}};
    if (needs_sign) {
        c.sa = n.is_native() ? n.in(a) : n.signed_wide(a);
        c.sb = n.is_native() ? n.in(b) : n.signed_wide(b);
    }
    if (auto v = c.single(icmp(rel))) return v;
    Value result;
    for (unsigned bit = 1; bit <= 16; bit <<= 1) {
        if (!(rel & bit)) continue;
        auto v = c.relation(bit);
        result = result ? either(e, result, v) : v;
    }
    return result;
}

Value emit_extrema(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto [a, b] = e.elems<2>(arg_of(app));
    auto op     = extrema(sub_of(app));
    if (op == extrema::umin) return e.umin(a, b);
    if (op == extrema::umax) return e.umax(a, b);
    bool is_max = op == extrema::smax;
    if (n.is_native()) return n.out(is_max ? e.smax(n.in(a), n.in(b)) : e.smin(n.in(a), n.in(b)));
    auto less = e.cmp(SLt, n.signed_wide(a), n.signed_wide(b));
    return is_max ? e.select(less, b, a) : e.select(less, a, b);
}

} // namespace mim::plug::core
