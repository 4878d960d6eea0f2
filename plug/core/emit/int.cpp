// SPDX-License-Identifier: MIT
#include "emit/int.h"

#include <bit>

namespace mim::plug::core {

Int::Int(Emit& e, const Def* size)
    : e(e)
    , kind(Run)
    , rep(e.int_type(64)) {
    if (auto lit = size->isa<Lit>()) {
        n = lit->value();
        if (lit->is_2_64()) kind = Pow2, width = 64;
        else if (n <= 1) kind = None;
        else if (std::has_single_bit(n)) kind = Pow2, width = static_cast<unsigned>(std::countr_zero(n));
        else kind = Odd;
        if (kind != None) rep = e.type(e.world().idx(size));
        size_ = e.i64(n);
    } else {
        size_ = e.emit(size);
    }
}

unsigned Int::num_bits() const {
    if (kind == Pow2) return width;
    return kind == Odd ? static_cast<unsigned>(std::bit_width(n - 1)) : 64;
}

Value Int::of_bits(Value v) const { return is_native() ? out(v) : narrow(reduce_once(wide(v))); }

/// v reads as negative if 2v >= n, that is v > ⌊(n-1)/2⌋.
Value Int::is_neg(Value wide) const {
    auto last = e.bin(LShr, e.bin(Sub, size_, e.i64(1)), e.i64(1));
    return e.cmp(UGt, wide, last);
}

Value Int::signed_wide(Value v) const {
    if (kind == None) return e.i64(0);
    if (kind == Pow2) return e.cast(SExt, in(v), i64());
    auto w = wide(v);
    return e.select(is_neg(w), e.bin(Sub, w, size_), w);
}

Value Int::reduce_once(Value wide) const { return e.select(e.cmp(UGe, wide, size_), e.bin(Sub, wide, size_), wide); }

Value Int::reduce(Value wide) const {
    if (kind != Run) return e.bin(URem, wide, size_);
    auto is_2_64 = e.cmp(Eq, size_, e.i64(0));
    return e.select(is_2_64, wide, e.bin(URem, wide, e.umax(size_, e.i64(1))));
}

/// |v| ≤ 2^63. A size above that needs at most one correction; any other one is positive in 64 bits.
Value Int::reduce_signed(Value v) const {
    auto zero    = e.i64(0);
    auto correct = [&](Value x) { return e.select(e.cmp(SLt, x, zero), e.bin(Add, x, size_), x); };
    if (kind != Run) return n >> 63 ? correct(v) : correct(e.bin(SRem, v, size_));
    auto is_big = e.cmp(SLe, size_, zero); // top bit set, or 0 for 2^64
    return e.select(is_big, correct(v), correct(e.bin(SRem, v, e.select(is_big, e.i64(1), size_))));
}

Value Int::add(Value a, Value b, Value* overflow) const {
    auto sum  = e.bin(Add, a, b);
    auto over = e.cmp(UGe, sum, size_);
    if (kind == Run || n >> 63) over = either(e, over, e.cmp(ULt, sum, a)); // carried out of 64 bits
    if (overflow) *overflow = over;
    return e.select(over, e.bin(Sub, sum, size_), sum);
}

Value Int::sub(Value a, Value b) const {
    auto diff = e.bin(Sub, a, b);
    return e.select(e.cmp(ULt, a, b), e.bin(Add, diff, size_), diff);
}

/// A product that fits 64 bits is reduced at once; else doubling and adding, as there is no remainder of 128 bits without a library.
Value Int::mul(Value a, Value b) const {
    if (is_small()) return reduce(e.bin(Mul, a, b));
    auto product = e.intrinsic("llvm.umul.with.overflow", {i64()}, {a, b});
    auto low     = e.extract_value(product, 0);
    auto is_slow = e.extract_value(product, 1);
    if (kind == Run) is_slow = both(e, is_slow, e.cmp(Ne, size_, e.i64(0)));
    auto result = e.alloca_(i64());
    auto slow = e.new_block("mulmod.slow"), done = e.new_block("mulmod.done");
    e.store(reduce(low), result);
    e.branch(is_slow, slow, done);
    e.enter(slow);
    e.store(mul_slow(a, b), result);
    e.jump(done);
    e.enter(done);
    return e.load(i64(), result);
}

Value Int::mul_slow(Value a, Value b) const {
    auto acc = e.alloca_(i64()), x = e.alloca_(i64()), y = e.alloca_(i64());
    e.store(e.i64(0), acc), e.store(a, x), e.store(b, y);
    auto loop = e.new_block("mulmod.loop"), exit = e.new_block("mulmod.exit");
    e.jump(loop);
    e.enter(loop);
    auto xv = e.load(i64(), x), yv = e.load(i64(), y), av = e.load(i64(), acc);
    auto is_odd = e.cmp(Ne, e.bin(And, yv, e.i64(1)), e.i64(0));
    e.store(e.select(is_odd, add(av, xv), av), acc);
    e.store(add(xv, xv), x);
    auto rest = e.bin(LShr, yv, e.i64(1));
    e.store(rest, y);
    e.branch(e.cmp(Ne, rest, e.i64(0)), loop, exit);
    e.enter(exit);
    return e.load(i64(), acc);
}

/// Square and multiply.
Value Int::power_of_two(Value k) const {
    auto acc = e.alloca_(i64()), base = e.alloca_(i64()), rest = e.alloca_(i64());
    auto is_one = e.cmp(Eq, size_, e.i64(1));
    e.store(e.select(is_one, e.i64(0), e.i64(1)), acc);
    e.store(e.select(e.cmp(Eq, size_, e.i64(2)), e.i64(0), e.select(is_one, e.i64(0), e.i64(2))), base);
    e.store(k, rest);
    auto loop = e.new_block("powmod.loop"), exit = e.new_block("powmod.exit");
    e.jump(loop);
    e.enter(loop);
    auto av = e.load(i64(), acc), bv = e.load(i64(), base), kv = e.load(i64(), rest);
    auto is_odd = e.cmp(Ne, e.bin(And, kv, e.i64(1)), e.i64(0));
    e.store(e.select(is_odd, mul(av, bv), av), acc);
    e.store(mul(bv, bv), base);
    auto next = e.bin(LShr, kv, e.i64(1));
    e.store(next, rest);
    e.branch(e.cmp(Ne, next, e.i64(0)), loop, exit);
    e.enter(exit);
    return e.load(i64(), acc);
}

Value Int::mask() const {
    if (kind == Odd) return e.i64(~uint64_t(0) >> std::countl_zero(n - 1));
    auto ones   = e.bin(LShr, e.i64(~uint64_t(0)), e.bin(And, unused_bits(), e.i64(63)));
    auto is_one = e.cmp(Eq, size_, e.i64(1));
    return e.select(is_one, e.i64(0), ones);
}

Value Int::unused_bits() const {
    if (kind != Run) return e.i64(64 - num_bits());
    return e.intrinsic("llvm.ctlz", {i64()}, {e.bin(Sub, size_, e.i64(1)), e.i1(false)});
}

Value Int::exact(Value v, bool is_signed) const { return is_signed ? e.cast(SExt, signed_wide(v), i128()) : e.resize(v, i128()); }

Value Int::exact_size() const {
    auto one = e.int_const(i128(), 1);
    if (kind == Pow2) return e.bin(Shl, one, e.int_const(i128(), width));
    auto size = e.resize(size_, i128());
    if (kind == Odd) return size;
    return e.select(e.cmp(Eq, size_, e.i64(0)), e.bin(Shl, one, e.int_const(i128(), 64)), size);
}

Value Int::fits(Value exact, bool is_signed) const {
    auto one = e.int_const(i128(), 1);
    auto s   = exact_size();
    if (!is_signed) return e.cmp(ULt, exact, s);
    auto least = e.neg(e.bin(LShr, s, one));
    auto last  = e.bin(LShr, e.bin(Sub, s, one), one);
    return both(e, e.cmp(SGe, exact, least), e.cmp(SLe, exact, last));
}

} // namespace mim::plug::core
