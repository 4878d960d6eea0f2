// SPDX-License-Identifier: MIT
// Emitters of %core.bit1, %core.bit2, %core.shr, %core.icmp, %core.ncmp and %core.extrema.
#include <array>
#include <bit>

#include "emit/int.h"

namespace mim::plug::core {

namespace {

/// The truth table (AB, Ab, aB, ab) on all bits of the target's integers.
Value by_table(Emit& e, unsigned op, Value a, Value b) {
    auto ones = [&] { return e.not_(e.zero(e.type_of(a))); };
    auto bin  = [&](Bin o, Value x, Value y) { return e.bin(o, x, y); };
    switch (bit2(op)) {
        case bit2::f: return e.zero(e.type_of(a));
        case bit2::nor: return e.not_(bin(Bin::Or, a, b));
        case bit2::nciff: return bin(Bin::And, e.not_(a), b);
        case bit2::nfst: return e.not_(a);
        case bit2::niff: return bin(Bin::And, a, e.not_(b));
        case bit2::nsnd: return e.not_(b);
        case bit2::xor_: return bin(Bin::Xor, a, b);
        case bit2::nand: return e.not_(bin(Bin::And, a, b));
        case bit2::and_: return bin(Bin::And, a, b);
        case bit2::nxor: return e.not_(bin(Bin::Xor, a, b));
        case bit2::snd: return b;
        case bit2::iff: return bin(Bin::Or, e.not_(a), b);
        case bit2::fst: return a;
        case bit2::ciff: return bin(Bin::Or, a, e.not_(b));
        case bit2::or_: return bin(Bin::Or, a, b);
        case bit2::t: return ones();
    }
    return {};
}

/// What is left of 64 bits is below 2n.
Value on_bits(const Int& n, unsigned op, Value a, Value b) {
    auto& e = n.e;
    if (n.is_native()) return n.out(by_table(e, op, n.in(a), n.in(b)));
    return n.narrow(n.reduce_once(e.bin(Bin::And, by_table(e, op, n.wide(a), n.wide(b)), n.mask())));
}

} // namespace

Value emit_bit1(Emit& e, const Def* app) {
    static constexpr std::array tables = {bit2::f, bit2::nfst, bit2::fst, bit2::t};
    Int n(e, group_back(app, 2));
    if (n.kind == Int::None) return {};
    auto a = e.emit(group_back(app, 0));
    return on_bits(n, static_cast<unsigned>(tables[sub_of_app(app)]), a, a);
}

Value emit_bit2(Emit& e, const Def* app) {
    Int n(e, group_back(app, 2));
    if (n.kind == Int::None) return {};
    auto arg = group_back(app, 0);
    return on_bits(n, sub_of_app(app), e.elem(arg, 0), e.elem(arg, 1));
}

/// Shifts by more than there are bits act like shifting one after the other.
Value emit_shr(Emit& e, const Def* app) {
    Int n(e, group_back(app, 1));
    if (n.kind == Int::None) return {};
    auto arg = group_back(app, 0);
    auto a = e.elem(arg, 0), b = e.elem(arg, 1);
    if (shr(sub_of_app(app)) == shr::l) {
        auto bits = e.bits(n.rep);
        if (bits == 1) return both(e, a, e.not_(b));
        auto ok = e.cmp(Cmp::ULt, b, e.int_const(n.rep, bits));
        return e.select(ok, e.bin(Bin::LShr, a, b), e.zero(n.rep));
    }
    if (n.kind == Int::Pow2 && n.width == 1) return a;
    if (n.is_native()) return n.out(e.bin(Bin::AShr, n.in(a), e.umin(n.in(b), e.int_const(n.native(), n.width - 1))));
    auto r = e.bin(Bin::AShr, n.signed_wide(a), e.umin(n.wide(b), e.i64(63)));
    return n.narrow(e.select(e.cmp(Cmp::SLt, r, e.i64(0)), e.bin(Bin::Add, r, n.size()), r));
}

/// In as many bits as numbers have; of a size that is known at run time only in 64, where a zero has to be told apart.
Value emit_count(Emit& e, const Def* app) {
    Int n(e, group_back(app, 1));
    if (n.kind == Int::None) return e.i64(0);
    auto op   = count(sub_of_app(app));
    auto bits = n.is_native() ? n.width : n.kind == Int::Odd ? unsigned(std::bit_width(n.n - 1)) : 64u;
    auto type = e.int_type(bits);
    auto v    = e.resize(e.emit(group_back(app, 0)), type);
    if (op == count::ones) return e.resize(e.intrinsic("llvm.ctpop", {type}, {v}), n.i64());
    auto zeros = e.intrinsic(op == count::leading ? "llvm.ctlz" : "llvm.cttz", {type}, {v, e.i1(false)});
    auto wide  = e.resize(zeros, n.i64());
    if (n.kind != Int::Run) return wide;
    auto above = e.intrinsic("llvm.ctlz", {type}, {e.bin(Bin::Sub, n.size(), e.i64(1)), e.i1(false)}); // bits that no number has
    return op == count::leading ? e.bin(Bin::Sub, wide, above) : e.umin(wide, e.bin(Bin::Sub, e.i64(64), above));
}

/*
 * comparisons
 */

Value emit_ncmp(Emit& e, const Def* app) {
    static constexpr std::array ops = {Cmp::Ne, Cmp::Eq, Cmp::ULt, Cmp::ULe, Cmp::UGt, Cmp::UGe, Cmp::Ne, Cmp::Eq};
    auto sub                        = ncmp(sub_of_app(app));
    if (sub == ncmp::f || sub == ncmp::t) return e.i1(sub == ncmp::t);
    auto arg = group_back(app, 0);
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
            case icmp::e: return cmp(Cmp::Eq);
            case icmp::ne: return cmp(Cmp::Ne);
            case icmp::ul: return cmp(Cmp::ULt);
            case icmp::ule: return cmp(Cmp::ULe);
            case icmp::ug: return cmp(Cmp::UGt);
            case icmp::uge: return cmp(Cmp::UGe);
            case icmp::sl: return scmp(Cmp::SLt);
            case icmp::sle: return scmp(Cmp::SLe);
            case icmp::sg: return scmp(Cmp::SGt);
            case icmp::sge: return scmp(Cmp::SGe);
            default: return {};
        }
    }

    /// One relation: the unsigned and the signed order tell the four apart that are not equality.
    Value relation(unsigned bit) const {
        auto& e = n.e;
        switch (icmp(bit)) {
            case icmp::xygLe: return both(e, cmp(Cmp::ULt), scmp(Cmp::SLt));
            case icmp::xyGle: return both(e, cmp(Cmp::UGt), scmp(Cmp::SGt));
            case icmp::xYgle: return both(e, cmp(Cmp::UGt), scmp(Cmp::SLt));
            case icmp::Xygle: return both(e, cmp(Cmp::ULt), scmp(Cmp::SGt));
            default: return cmp(Cmp::Eq);
        }
    }
};

} // namespace

Value emit_icmp(Emit& e, const Def* app) {
    unsigned rel = sub_of_app(app);
    Int n(e, group_back(app, 1));
    if (n.kind == Int::None || rel == 0 || icmp(rel) == icmp::t) return e.i1(rel & 1);
    auto arg = group_back(app, 0);
    auto a = e.elem(arg, 0), b = e.elem(arg, 1);
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
    Int n(e, group_back(app, 1));
    if (n.kind == Int::None) return {};
    auto arg = group_back(app, 0);
    auto a = e.elem(arg, 0), b = e.elem(arg, 1);
    auto op = extrema(sub_of_app(app));
    if (op == extrema::umin) return e.umin(a, b);
    if (op == extrema::umax) return e.umax(a, b);
    bool is_max = op == extrema::smax;
    if (n.is_native()) return n.out(is_max ? e.smax(n.in(a), n.in(b)) : e.smin(n.in(a), n.in(b)));
    auto less = e.cmp(Cmp::SLt, n.signed_wide(a), n.signed_wide(b));
    return is_max ? e.select(less, b, a) : e.select(less, a, b);
}

} // namespace mim::plug::core
