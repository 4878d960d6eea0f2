// SPDX-License-Identifier: MIT
// Emitters of what makes one value of many lanes, and of masks as numbers.
#include <bit>

#include "emit/vector.h"

namespace mim::plug::vec {

namespace {

/// LLVM's name, if its operation on all bits of a lane is ours on numbers below a power of two.
const char* intrinsic_of(reduce op) {
    switch (op) {
        case reduce::add: return "llvm.vector.reduce.add";
        case reduce::mul: return "llvm.vector.reduce.mul";
        case reduce::and_: return "llvm.vector.reduce.and";
        case reduce::or_: return "llvm.vector.reduce.or";
        case reduce::xor_: return "llvm.vector.reduce.xor";
        case reduce::umin: return "llvm.vector.reduce.umin";
        case reduce::umax: return "llvm.vector.reduce.umax";
        case reduce::smin: return "llvm.vector.reduce.smin";
        case reduce::smax: return "llvm.vector.reduce.smax";
        default: return nullptr;
    }
}

/// The number of bits if `Idx s` has all numbers of so many bits, else 0.
unsigned width_of(const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit) return 0;
    if (lit->is_2_64()) return 64;
    return std::has_single_bit(lit->value()) ? unsigned(std::countr_zero(lit->value())) : 0;
}

/// One lane after the other, by the scalar operation.
Value in_sequence(Emit& e, const Vector& v, Value value, const Def* step, const Def* at) {
    auto& w = e.world();
    const Def* app;
    {
        World::Frozen frozen(w);
        app = w.app(step, {symbol(w, 0, v.type.elem), symbol(w, 1, v.type.elem)});
    }
    auto result = v.get(value, 0);
    for (unsigned i = 1; i != v.n; ++i) {
        Lifted lifted(e, at, 0, {result, v.get(value, i)});
        result = head_axiom(app)->axiom().emitter(e.target())->op(lifted, app);
    }
    return result;
}

/// Sums and products in any order are LLVM's, but for those of 16 bits, which math computes with in its own way.
Value reduce_floats(Emit& e, const Def* app, reduce op) {
    constexpr unsigned reassoc = 64;
    auto arg                   = arg_of(app);
    Vector v(e, arg->type());
    if (!v) return e.zero(e.type(app->type()));
    auto value    = e.emit(arg);
    auto mode     = isa_lit(group(app, 1));
    bool is_order = !mode || !(mode->value() & reassoc) || e.checked() || e.bits(v.elem) == 16 || op == reduce::fmin
                    || op == reduce::fmax;
    auto pe = v.type.elem->as<App>()->arg();
    if (is_order) return in_sequence(e, v, value, step_callee(e.world(), op, pe, group(app, 1)), app);
    auto wide  = e.bits(v.elem) == 64;
    auto flags = unsigned(mode->value() & 127) << backend::FastMathShift;
    if (op == reduce::fadd) // -0
        return e.intrinsic("llvm.vector.reduce.fadd", {v.rep}, {e.float_bits(v.elem, uint64_t(1) << (wide ? 63 : 31)), value},
                           flags);
    auto one = e.float_bits(v.elem, wide ? uint64_t(1023) << 52 : uint64_t(127) << 23);
    return e.intrinsic("llvm.vector.reduce.fmul", {v.rep}, {one, value}, flags);
}

} // namespace

Value emit_reduce(Emit& e, const Def* app) {
    auto op = reduce(sub_of(app));
    if (op >= reduce::fadd) return reduce_floats(e, app, op);
    auto arg = arg_of(app);
    auto s   = e.world().extract(group(app, 0), 1);
    Vector v(e, arg->type());
    if (!v) {
        auto start = v.type.lanes() == 0 ? neutral(e.world(), op, s) : nullptr;
        return start ? e.emit(start) : Value();
    }
    auto value = e.emit(arg);
    auto width = width_of(s);
    bool full  = width != 0 && width == e.bits(v.elem);
    bool low   = op != reduce::smin && op != reduce::smax; // correct in the low bits, whatever is above them
    if (!full && !(low && width) && !(op == reduce::umin || op == reduce::umax))
        return in_sequence(e, v, value, step_callee(e.world(), op, s), app);
    auto result = e.intrinsic(intrinsic_of(op), {v.rep}, {value});
    if (full || (op != reduce::add && op != reduce::mul)) return result;
    return e.bin(And, result, e.int_const(v.elem, (uint64_t(1) << width) - 1));
}

/*
 * masks
 */

namespace {

/// One bit for each lane.
Value as_integer(Emit& e, const Vector& m, Value v) { return e.cast(Bit, v, e.int_type(m.n)); }

} // namespace

/// One bit for each lane where masks are that, else a comparison of bytes.
Value prefix_mask(Emit& e, unsigned n, Value len) {
    if (e.has("avx512bw") && std::has_single_bit(n) && n >= 8 && n <= 64) {
        auto number = e.int_type(n);
        if (e.has("bmi2")) {
            auto mask = e.intrinsic("llvm.x86.bmi.bzhi.64", {}, {e.i64(~uint64_t(0)), len});
            return e.cast(Bit, e.resize(mask, number), e.vector_type(e.int_type(1), n));
        }
        auto all  = e.int_const(number, ~uint64_t(0));
        auto some = e.not_(e.bin(Shl, all, e.resize(e.umin(len, e.i64(n - 1)), number)));
        auto mask = e.select(e.cmp(UGe, len, e.i64(n)), all, some);
        return e.cast(Bit, mask, e.vector_type(e.int_type(1), n));
    }
    auto lane = e.int_type(n < 128 ? 8 : 32);
    std::vector<Value> iota;
    for (unsigned i = 0; i != n; ++i) iota.push_back(e.int_const(lane, i));
    return e.cmp(SLt, e.lanes(iota), e.splat(e.resize(len, lane), n));
}

Value emit_prefix(Emit& e, const Def* app) {
    Vector m(e, app->type());
    if (!m) return {};
    return prefix_mask(e, m.n, e.umin(e.emit(arg_of(app)), e.i64(m.n)));
}

Value emit_count(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector m(e, arg->type());
    if (!m) return e.i64(0);
    auto bits = as_integer(e, m, e.emit(arg));
    return e.resize(e.intrinsic("llvm.ctpop", {e.type_of(bits)}, {bits}), e.int_type(64));
}

Value emit_first(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector m(e, arg->type());
    if (!m) return e.i64(0);
    auto bits = as_integer(e, m, e.emit(arg));
    if (m.n < 64) { // a bit behind the last one is found if there is no other
        auto wide = e.bin(Or, e.resize(bits, e.int_type(64)), e.i64(uint64_t(1) << m.n));
        return e.intrinsic("llvm.cttz", {e.int_type(64)}, {wide, e.i1(true)});
    }
    return e.resize(e.intrinsic("llvm.cttz", {e.type_of(bits)}, {bits, e.i1(false)}), e.int_type(64));
}

Value emit_bits(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    auto s   = group(app, 1);
    Vector m(e, arg->type());
    auto to = e.type(app->type());
    if (!to) return {};
    if (!m) return e.zero(to);
    auto bits  = as_integer(e, m, e.emit(arg));
    auto i64   = e.int_type(64);
    auto width = width_of(s);
    if (width == e.bits(to)) return e.resize(bits, to);
    auto wide = e.resize(bits, i64);
    if (width) return e.resize(e.bin(And, wide, e.i64((uint64_t(1) << width) - 1)), to);
    auto lit  = isa_lit(s);
    auto size = lit ? e.i64(lit->value()) : e.emit(s); // at run time 0 stands for 2^64
    if (lit) return e.resize(e.bin(URem, wide, size), to);
    auto is_all = e.cmp(Eq, size, e.i64(0));
    return e.select(is_all, wide, e.bin(URem, wide, e.umax(size, e.i64(1))));
}

Value emit_mask(Emit& e, const Def* app) {
    Vector m(e, app->type());
    if (!m) return {};
    auto bits = e.emit(arg_of(app));
    auto wide = bits ? e.resize(bits, e.int_type(64)) : e.i64(0);
    auto all  = m.n <= 64 ? e.cast(Trunc, wide, e.int_type(m.n)) : Value();
    if (all) return e.cast(Bit, all, m.rep);
    auto first = e.cast(Bit, wide, e.vector_type(e.int_type(1), 64));
    std::vector<int> mask;
    for (unsigned i = 0; i != m.n; ++i) mask.push_back(i < 64 ? int(i) : 64);
    return e.shuffle(first, e.zero(e.type_of(first)), mask);
}

} // namespace mim::plug::vec
