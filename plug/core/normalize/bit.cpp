// SPDX-License-Identifier: MIT
// %core.idx, and the operations on bits: bit1, bit2, shr, count, rotate and reverse. A bit operation works on w = ⌈log2
// s⌉ bits, then modulo s. The subtag of bit1 and bit2 is their truth table, so one formula folds all 16 and four more
// find the operations that depend on one argument only. The value of all bits set exists only when s is a power of two;
// laws that need it, or need the complement to be exact or no bit to be lost, are marked (2^w).
#include <algorithm>
#include <array>
#include <bit>

#include "ir/relations.h"
#include "normalize/common.h"

namespace mim::plug::core {

namespace {

/// bit 1: what becomes of a set bit, bit 0: of a clear one.
uint64_t eval1(unsigned op, uint64_t a) { return (op & 2 ? a : 0) | (op & 1 ? ~a : 0); }
/// bits 3…0: what becomes of (set, set), (set, clear), (clear, set), (clear, clear).
uint64_t eval2(unsigned op, uint64_t a, uint64_t b) {
    return (op & 8 ? a & b : 0) | (op & 4 ? a & ~b : 0) | (op & 2 ? ~a & b : 0) | (op & 1 ? ~a & ~b : 0);
}

const Def* make1(const IntOp& c, unsigned op, const Def* a) { return c.w.apply(bit1(op), c.group(0), c.group(1), a); }
const Def* make2(const IntOp& c, unsigned op, const Def* a, const Def* b) {
    return c.w.apply(bit2(op), c.group(0), c.group(1), {a, b});
}

/// Truth tables of b when a is fixed, of a when b is fixed, and of both being the same.
unsigned when_a_is(unsigned op, bool v) { return v ? op >> 2 : op & 3; }
unsigned when_b_is(unsigned op, bool v) { return v ? (op >> 2 & 2) | (op >> 1 & 1) : (op >> 1 & 2) | (op & 1); }
unsigned when_same(unsigned op) { return (op >> 2 & 2) | (op & 1); }
/// The table with its arguments exchanged.
unsigned exchange_arguments(unsigned op) { return (op & 9) | (op & 4 ? 2 : 0) | (op & 2 ? 4 : 0); }

/// v if def is a literal all of whose bits are v.
bool is_constant(const IntOp& c, const Def* def, bool v) {
    if (!v) return is_zero(def);
    auto lit = value(def);
    return lit && c.size.is_pow2() && *lit == c.size.mask();
}

/// Whether def is ¬x; exact only for 2^w.
const Def* isa_neg(const IntOp& c, const Def* def) {
    if (!c.size.is_pow2()) return nullptr;
    auto m = match(bit1::neg, def);
    return m ? m.arg() : nullptr;
}

/// One argument is all clear or all set, or both are the same: a unary operation.
const Def* depends_on_one(const IntOp& c, unsigned op, const Def* a, const Def* b) {
    for (bool v : {false, true}) {
        if (is_constant(c, a, v)) return make1(c, when_a_is(op, v), b);
        if (is_constant(c, b, v)) return make1(c, when_b_is(op, v), a);
    }
    if (a == b) return make1(c, when_same(op), a);
    if (op >> 2 == (op & 3)) return make1(c, op & 3, b);                                      // snd, nsnd, f, t
    if (when_b_is(op, false) == when_b_is(op, true)) return make1(c, when_b_is(op, true), a); // fst, nfst
    return nullptr;
}

/// Laws between an operation and what it is applied to; both arguments are tried as b if the operation commutes.
const Def* nested(const IntOp& c, unsigned op, const Def* a, const Def* b) {
    bool pow2 = c.size.is_pow2();
    // (2^w)  ¬x ∘ b = x ∘' b with the table's halves exchanged, likewise on the right
    if (auto x = isa_neg(c, a)) return make2(c, (op & 3) << 2 | op >> 2, x, b);
    if (auto y = isa_neg(c, b)) return make2(c, (op & 10) >> 1 | (op & 5) << 1, a, y);
    constexpr unsigned And = 8, Or = 14, Xor = 6, Niff = 4;
    if (auto k = value(b); k && pow2 && op == Niff) return make2(c, And, c.lit(~*k & c.size.mask()), a); // (2^w) a ∧ ¬k
    auto inner = match<bit2>(b);
    if (!inner) return nullptr;
    unsigned in = unsigned(inner.sub());
    auto [x, y] = elems<2>(c.w, inner.arg());
    auto lit = value(a), lit_x = value(x);
    if (op == And && in == And && (a == x || a == y)) return b;                       // a ∧ (a ∧ y) = a ∧ y
    if (op == Or && in == And && (a == x || a == y)) return a;                        // a ∨ (a ∧ y) = a
    if (pow2 && op == And && in == Or && (a == x || a == y)) return a;                // (2^w) a ∧ (a ∨ y) = a
    if (pow2 && op == Or && in == Or && (a == x || a == y)) return b;                 // (2^w) a ∨ (a ∨ y) = a ∨ y
    if (pow2 && op == Xor && in == Xor && a == x) return y;                           // (2^w) a ⊕ (a ⊕ y) = y
    if (pow2 && op == Xor && in == Xor && a == y) return x;                           // (2^w) a ⊕ (x ⊕ a) = x
    if (lit && lit_x && op == in && (op == And || (pow2 && (op == Or || op == Xor)))) // c ∘ (d ∘ y) = (c ∘ d) ∘ y
        return make2(c, op, c.lit(eval2(op, *lit, *lit_x)), y);
    return nullptr;
}

} // namespace

const Def* normalize_idx(const Redex& redex) {
    IntOp c(redex);
    Mode mode(c.group(1));
    auto l = value(c.arg);
    if (!c.size.known || c.size.n == 0) return nullptr;
    if (!l) return c.size.is(1) ? c.lit(0) : nullptr;
    auto v = c.size.wrap(*l);
    if (mode.nuw && *l >= c.size.n) return nullptr;                    // undefined
    if (mode.nsw && c.size.read_signed(v) != i128(*l)) return nullptr; // undefined
    return c.lit(v);
}

const Def* normalize_bit1(const Redex& redex) {
    IntOp c(redex);
    auto op = c.sub();
    if (op == 2) return c.arg; // id a = a
    if (!c.size.known) return op == 0 ? c.zero() : nullptr;
    if (c.size.n == 0) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    if (op == 0) return c.lit(0);                          // f a = 0
    if (op == 3) return c.lit(c.size.wrap(c.size.mask())); // t a = all bits set
    if (auto v = value(c.arg)) return c.lit(c.size.wrap(eval1(op, *v) & c.size.mask()));
    if (auto x = isa_neg(c, c.arg)) return x; // (2^w) ¬¬x = x
    constexpr unsigned NotFirst = 3;
    if (auto e = c.size.is(2) ? combine_relations(c.w, NotFirst, c.arg, c.arg) : nullptr) return e;
    auto inner = match<bit2>(c.arg);
    if (!inner || !c.size.is_pow2()) return nullptr;
    auto [x, y] = elems<2>(c.w, inner.arg());
    return make2(c, 15 - unsigned(inner.sub()), x, y); // (2^w) ¬(x ∘ y) = x ∘' y with the complement of the table
}

const Def* normalize_bit2(const Redex& redex) {
    IntOp c(redex);
    unsigned op = c.sub();
    auto [a, b] = c.elems<2>();
    if (c.size.is(0)) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    auto x = value(a), y = value(b);
    if (x && y && c.size.known) return c.lit(c.size.wrap(eval2(op, *x, *y) & c.size.mask()));
    if (auto e = depends_on_one(c, op, a, b)) return e;
    if (auto e = c.size.is(2) ? combine_relations(c.w, op, a, b) : nullptr) return e;
    if (op == 2 || op == 13) return make2(c, exchange_arguments(op), b, a);         // nciff, ciff: exchanged niff, iff
    if (exchange_arguments(op) == op && !in_order(a, b)) return make2(c, op, b, a); // commutative
    if (auto e = nested(c, op, a, b)) return e;
    return exchange_arguments(op) == op ? nested(c, op, b, a) : nullptr;
}

namespace {

/// ⌊a / 2^k⌋; every k is allowed.
uint64_t shift_logical(const Size&, uint64_t a, uint64_t k) { return k >= 64 ? 0 : a >> k; }
uint64_t shift_arithmetic(const Size& s, uint64_t a, uint64_t k) { return s.wrap_signed(s.read_signed(a) >> (k >= 64 ? 64 : k)); }

} // namespace

const Def* normalize_shr(const Redex& redex) {
    IntOp c(redex);
    auto op     = shr(c.sub());
    auto& size  = c.size;
    auto [a, b] = c.elems<2>();
    if (is_zero(b)) return a; // a >> 0 = a
    if (is_zero(a)) return a; // 0 >> b = 0
    if (!size.known || size.n == 0) return nullptr;
    if (size.is(1)) return c.lit(0);
    auto x = value(a), k = value(b);
    if (x && k) return c.lit(op == shr::l ? shift_logical(size, *x, *k) : shift_arithmetic(size, *x, *k));
    if (x && op == shr::a && *x == size.n - 1) return a; // -1 >> b = -1
    if (!k) return nullptr;
    if (op == shr::l && *k >= size.bits()) return c.lit(0); // nothing is left
    auto inner = match(op, a);
    if (!inner) return nullptr;
    auto [y, j] = elems<2>(c.w, inner.arg());
    auto first  = value(j);
    auto sum    = first ? u128(*first) + *k : size.n;
    return sum < size.n ? c.w.app(c.callee, {y, c.lit(uint64_t(sum))}) : nullptr; // (y >> j) >> k = y >> (j + k)
}

/// Of literals. No bit is set in a number of a size that has none.
const Def* normalize_count(const Redex& redex) {
    IntOp c(redex);
    if (!c.size.known || c.size.n == 0) return nullptr;
    auto bits = c.size.bits();
    auto v    = value(c.arg);
    if (bits == 0) return c.w.lit_nat(0);
    if (!v) return nullptr;
    switch (count(c.sub())) {
        case count::ones: return c.w.lit_nat(uint64_t(std::popcount(*v)));
        case count::leading: return c.w.lit_nat(uint64_t(std::countl_zero(*v)) - (64 - bits));
        case count::trailing: return c.w.lit_nat(std::min(unsigned(std::countr_zero(*v)), bits));
    }
    return nullptr;
}

namespace {

/// All bits, by k places to the left, which is more than 0 and less than there are.
uint64_t rotated(const Size& s, uint64_t v, unsigned k) { return (v << k | v >> (s.bits() - k)) & s.mask(); }

/// The lowest n parts of v, each of so many bits, in reverse order; what is above them stays there.
uint64_t reversed(uint64_t v, unsigned bits, unsigned n) {
    auto ones       = (uint64_t(1) << bits) - 1;
    uint64_t result = 0, above = v;
    for (unsigned i = 0; i != n; ++i) {
        result = result << bits | (above & ones);
        above >>= bits;
    }
    return above ? above << (n * bits) | result : result;
}

const Def* rotate_left(const IntOp& c, const Def* a, uint64_t k) { return c.w.apply(rotate::left, c.group(0), {a, c.lit(k)}); }

/// (2^w) Rotations by literals add up. Of other sizes, the first one may have left bits out.
const Def* rotate_twice(const IntOp& c, const Def* a, uint64_t k) {
    auto inner = match(rotate::left, a);
    auto first = inner ? value(c.w, inner.arg(), 1) : std::nullopt;
    if (!first || !c.size.is_pow2()) return nullptr;
    auto bits = c.size.bits();
    return rotate_left(c, elem(c.w, inner.arg(), 0), (*first % bits + k) % bits);
}

} // namespace

/// The normal form of a rotation by a literal is one to the left, by more than 0 and less than there are bits.
const Def* normalize_rotate(const Redex& redex) {
    IntOp c(redex);
    auto [a, b] = c.elems<2>();
    if (is_zero(a) || is_zero(b)) return a;
    if (!c.size.known || c.size.n == 0) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    unsigned bits = c.size.bits();
    if (bits == 1 || is_constant(c, a, true)) return a;
    auto amount = value(b);
    if (!amount) return nullptr;
    bool is_left = rotate(c.sub()) == rotate::left;
    auto k       = (is_left ? *amount : bits - *amount % bits) % bits;
    if (k == 0) return a;
    if (auto v = value(a)) return c.lit(c.size.wrap(rotated(c.size, *v, unsigned(k))));
    if (auto e = rotate_twice(c, a, k)) return e;
    bool is_normal = is_left && *amount == k;
    return is_normal ? nullptr : rotate_left(c, a, k);
}

const Def* normalize_reverse(const Redex& redex) {
    IntOp c(redex);
    auto op = reverse(c.sub());
    if (is_zero(c.arg)) return c.arg;
    if (!c.size.known || c.size.n == 0) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    unsigned bits  = op == reverse::bits ? 1 : 8;
    unsigned parts = c.size.bits() / bits;
    if (parts < 2) return c.arg;
    if (auto v = value(c.arg)) return c.lit(c.size.wrap(reversed(*v, bits, parts)));
    auto inner = match(op, c.arg);
    return inner && c.size.is_pow2() ? inner.arg() : nullptr; // (2^w) there and back
}

} // namespace mim::plug::core
