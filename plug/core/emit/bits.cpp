// SPDX-License-Identifier: MIT
// Emitters of the operations on bits (%core.bit1, bit2, shr, count, rotate, reverse), of comparisons and of
// %core.extrema.
#include <algorithm>
#include <array>

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

Value on_bits(const Int& n, unsigned op, Value a, Value b) {
    if (n.is_native()) return n.of_bits(by_table(n.e, op, n.in(a), n.in(b)));
    return n.of_bits(n.e.bin(And, by_table(n.e, op, n.wide(a), n.wide(b)), n.mask()));
}

/// Whether b is `width - a`, where a is less than that.
bool is_opposite(World& w, const Def* a, const Def* b, unsigned width) {
    auto sub = match(wrap::sub, b);
    return sub && value(w, sub.arg(), 0) == width && elem(w, sub.arg(), 1) == a && greatest(a) < width;
}

/// `shl (x, k)` beside `shr.l (y, width - k)`, or `shl (x, width - k)` beside `shr.l (y, k)`. These have no bit in common, so `xor_` is `or_`.
/// As both are defined by all amounts, they are the target's funnel shift, which is a rotation where x is y.
Value funnel_shift(const Int& n, const Def* pair) {
    auto& e = n.e;
    auto& w = e.world();
    auto a = elem(w, pair, 0), b = elem(w, pair, 1);
    auto high = match(wrap::shl, a);
    auto low  = match(shr::l, b);
    if (!high || !low) high = match(wrap::shl, b), low = match(shr::l, a);
    if (!high || !low || !n.is_native()) return {};
    auto [x, k] = elems<2>(w, high.arg());
    auto [y, j] = elems<2>(w, low.arg());
    bool left   = is_opposite(w, k, j, n.width);
    if (!left && !is_opposite(w, j, k, n.width)) return {};
    auto amount = n.in(e.emit(left ? k : j));
    auto name   = left ? "llvm.fshl" : "llvm.fshr";
    return n.out(e.intrinsic(name, {n.native()}, {n.in(e.emit(x)), n.in(e.emit(y)), amount}));
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
    auto arg    = arg_of(app);
    auto op     = bit2(sub_of(app));
    auto [a, b] = e.elems<2>(arg); // which may trap
    if (op == bit2::or_ || op == bit2::xor_)
        if (auto shifted = funnel_shift(n, arg)) return shifted;
    return on_bits(n, sub_of(app), a, b);
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
    // All bits are the sign after as many places as there are, less one.
    auto most   = n.is_native() ? n.width - 1 : 63;
    auto amount = n.is_native() ? n.in(b) : n.wide(b);
    if (greatest(arg_of(app), 1) > most) amount = e.umin(amount, e.int_const(e.type_of(amount), most));
    if (n.is_native()) return n.out(e.bin(AShr, n.in(a), amount));
    auto r = e.bin(AShr, n.signed_wide(a), amount);
    return n.narrow(e.select(e.cmp(SLt, r, e.i64(0)), e.bin(Add, r, n.size()), r));
}

/// In as many bits as numbers have; of a size that is known at run time only in 64, where a zero has to be told apart.
Value emit_count(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return e.i64(0);
    auto op   = count(sub_of(app));
    auto type = e.int_type(n.num_bits());
    auto v    = e.resize(e.emit(arg_of(app)), type);
    if (op == count::ones) return e.resize(e.intrinsic("llvm.ctpop", {type}, {v}), n.i64());
    auto zeros = e.intrinsic(op == count::leading ? "llvm.ctlz" : "llvm.cttz", {type}, {v, e.i1(false)});
    auto wide  = e.resize(zeros, n.i64());
    if (n.kind != Int::Run) return wide;
    auto unused = n.unused_bits();
    return op == count::leading ? e.bin(Sub, wide, unused) : e.umin(wide, e.bin(Sub, e.i64(64), unused));
}

/*
 * permutations of bits
 */

namespace {

/// Of a size that is known at run time only: what stays between the ends, and what leaves at one end and comes back at
/// the other. The opposite amount is 64 only if the amount is 0; 0 does as well then, for both parts are the number.
Value rotate_run(const Int& n, bool left, Value a, Value b) {
    auto& e       = n.e;
    auto width    = e.bin(Sub, e.i64(64), n.unused_bits());
    auto amount   = e.bin(URem, b, e.umax(width, e.i64(1)));
    auto opposite = e.bin(And, e.bin(Sub, width, amount), e.i64(63));
    auto stays    = e.bin(left ? Shl : LShr, a, amount);
    auto returns  = e.bin(left ? LShr : Shl, a, opposite);
    return n.of_bits(e.bin(And, either(e, stays, returns), n.mask()));
}

/// If all 64 bits are unused, the number is 0.
Value reverse_bits(const Int& n, Value v) {
    auto& e   = n.e;
    auto type = e.int_type(n.num_bits());
    auto r    = e.intrinsic("llvm.bitreverse", {type}, {e.resize(v, type)});
    return n.of_bits(n.kind == Int::Run ? e.bin(LShr, r, e.bin(And, n.unused_bits(), e.i64(63))) : r);
}

/// How many of 64 bits are above the whole bytes that numbers have. A number without any counts as one byte, which has
/// no other place to go to.
Value unused_by_bytes(const Int& n) {
    auto& e = n.e;
    if (n.kind != Int::Run) return e.i64(64 - std::max(n.num_bits() / 8 * 8, 8u));
    auto rounded = e.bin(And, e.bin(Add, n.unused_bits(), e.i64(7)), e.i64(~uint64_t(7)));
    return e.umin(rounded, e.i64(56));
}

/// The target has this for an even number of bytes. Those of other numbers are reversed together with all that is above
/// them, and brought back from the top.
Value reverse_bytes(const Int& n, Value v) {
    auto& e = n.e;
    if (n.is_native() && n.width % 16 == 0) return n.out(e.intrinsic("llvm.bswap", {n.native()}, {n.in(v)}));
    auto wide     = n.wide(v);
    auto unused   = unused_by_bytes(n);
    auto reversed = e.bin(LShr, e.intrinsic("llvm.bswap", {n.i64()}, {wide}), unused);
    auto whole    = e.bin(LShr, e.i64(~uint64_t(0)), unused);
    return n.of_bits(either(e, reversed, e.bin(And, wide, e.not_(whole))));
}

} // namespace

/// The amount of the target's operation is modulo the width, too.
Value emit_rotate(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto [a, b] = e.elems<2>(arg_of(app));
    bool left   = rotate(sub_of(app)) == rotate::left;
    if (n.kind == Int::Run) return rotate_run(n, left, a, b);
    auto type = e.int_type(n.num_bits());
    auto v    = e.resize(a, type);
    return n.of_bits(e.intrinsic(left ? "llvm.fshl" : "llvm.fshr", {type}, {v, v, e.resize(b, type)}));
}

Value emit_reverse(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto v = e.emit(arg_of(app));
    return reverse(sub_of(app)) == reverse::bits ? reverse_bits(n, v) : reverse_bytes(n, v);
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
