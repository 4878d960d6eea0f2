// SPDX-License-Identifier: MIT
#include "eval/meaning.h"

#include <string>

#include "core/annexes.h"

namespace mim::plug::core {

using eval::Machine;
using eval::mod;
using eval::mod_signed;
using eval::signed_of;
using eval::TypeView;
using eval::Value;

namespace {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

Value num(uint64_t n) { return Value::num(n); }

/// The size in group i; a literal 0 means that there are no values, which cannot be computed with.
uint64_t size(Machine& m, size_t i, const Def* app) {
    auto v = m.force(m.group(i), app);
    if (v.is(eval::Kind::Num) && v.bits == 0) m.undefined("a value of `Idx 0`", app);
    return m.size(v);
}

/// 2^64 included.
Wide num_values(uint64_t s) { return s ? Wide(s) : Wide(1) << 64; }

/// v is the signed reading of some value of `Idx s`.
bool is_reading(SignedWide v, uint64_t s) {
    auto n = SignedWide(num_values(s));
    return v <= (n - 1) / 2 && v >= -(n / 2); // 2v < n and 2v ≥ -n, without overflow
}

/// Ends the run if `mode` forbids this exact result, unsigned or signed.
void check_mode(Machine& m, uint64_t mode, bool fits_unsigned, bool fits_signed, const Def* app) {
    if ((mode & 2) && !fits_unsigned) m.undefined("unsigned overflow", app);
    if ((mode & 1) && !fits_signed) m.undefined("signed overflow", app);
}

unsigned num_bits(uint64_t s) {
    unsigned bits = 0;
    while (bits < 64 && (Wide(1) << bits) < num_values(s)) ++bits;
    return bits;
}

/// Each bit i that is set in v goes to place to(i).
template<class F>
Value move_bits(uint64_t v, uint64_t s, F to) {
    Wide result = 0;
    for (unsigned i = 0; i < num_bits(s); ++i)
        if (v >> i & 1) result += Wide(1) << to(i);
    return num(mod(result, s));
}

/// The truth table `op` on each of the bits that `Idx s` has; row (a, b) is bit 2a + b of op.
uint64_t by_bit(unsigned op, uint64_t a, uint64_t b, uint64_t s) {
    Wide result = 0;
    for (unsigned i = 0; i < num_bits(s); ++i) {
        unsigned row = 2 * unsigned(a >> i & 1) + unsigned(b >> i & 1);
        if (op >> row & 1) result += Wide(1) << i;
    }
    return mod(result, s);
}

} // namespace

Value mean_nat(Machine& m, const Def* app) {
    auto [a, b] = m.nums<2>(m.group(0));
    auto op     = nat(m.sub());
    if (op == nat::sub) return num(a < b ? 0 : a - b);
    auto r = op == nat::add ? Wide(a) + b : Wide(a) * b;
    if (r >> 64) m.undefined("overflow", app);
    return num(uint64_t(r));
}

Value mean_ncmp(Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return num(m.sub() >> (a == b ? 0 : a < b ? 1 : 2) & 1);
}

Value mean_idx(Machine& m, const Def* app) {
    auto s    = size(m, 0, app);
    auto mode = m.num(m.group(1)), l = m.num(m.group(2));
    check_mode(m, mode, l < num_values(s), is_reading(SignedWide(l), s), app);
    return num(mod(l, s));
}

Value mean_absurd(Machine& m, const Def* app) {
    m.force(m.group(1), app);
    m.undefined("a value of `Idx 0`", app);
}

Value mean_bit1(Machine& m, const Def* app) {
    auto s = size(m, 0, app);
    if (bit1(m.sub()) == bit1::id) return num(m.num(m.group(2)));
    if (bit1(m.sub()) == bit1::f) return num(0);
    if (bit1(m.sub()) == bit1::t) return num(by_bit(15, 0, 0, s));
    return num(by_bit(3, m.num(m.group(2)), 0, s)); // set iff the bit of a is clear
}

Value mean_bit2(Machine& m, const Def* app) {
    auto s      = size(m, 0, app);
    auto [a, b] = m.nums<2>(m.group(2));
    switch (bit2(m.sub())) { // the two that are their arguments
        case bit2::fst: return num(a);
        case bit2::snd: return num(b);
        default: return num(by_bit(m.sub(), a, b, s));
    }
}

Value mean_count(Machine& m, const Def* app) {
    auto bits   = num_bits(size(m, 0, app));
    auto v      = m.num(m.group(1));
    auto is_set = [&](unsigned i) { return v >> i & 1; };
    uint64_t n  = 0;
    switch (count(m.sub())) {
        case core::count::ones:
            for (unsigned i = 0; i != bits; ++i) n += is_set(i);
            break;
        case core::count::leading:
            while (n != bits && !is_set(bits - 1 - unsigned(n))) ++n;
            break;
        case core::count::trailing:
            while (n != bits && !is_set(unsigned(n))) ++n;
            break;
    }
    return num(n);
}

Value mean_rotate(Machine& m, const Def* app) {
    auto s      = size(m, 0, app);
    auto bits   = num_bits(s);
    auto [a, b] = m.nums<2>(m.group(1));
    if (rotate(m.sub()) == rotate::left) return move_bits(a, s, [=](unsigned i) { return (i + b % bits) % bits; });
    return move_bits(a, s, [=](unsigned i) { return (i + bits - b % bits) % bits; });
}

Value mean_reverse(Machine& m, const Def* app) {
    auto s     = size(m, 0, app);
    auto bits  = num_bits(s);
    auto bytes = bits / 8;
    auto v     = m.num(m.group(1));
    if (core::reverse(m.sub()) == core::reverse::bits) return move_bits(v, s, [=](unsigned i) { return bits - 1 - i; });
    return move_bits(v, s, [=](unsigned i) {
        auto byte = i / 8;
        return byte < bytes ? 8 * (bytes - 1 - byte) + i % 8 : i;
    });
}

Value mean_shr(Machine& m, const Def* app) {
    auto s      = size(m, 0, app);
    auto [a, b] = m.nums<2>(m.group(1));
    auto v      = shr(m.sub()) == shr::a ? signed_of(a, s) : SignedWide(a);
    for (uint64_t i = 0; i < b && v != 0 && v != -1; ++i) v = v >= 0 ? v / 2 : -((-v + 1) / 2); // ⌊v / 2⌋
    return num(mod_signed(v, s));
}

namespace {

/// a · 2^b; `exact` is false as soon as it is too large for any size.
SignedWide times_power(SignedWide a, uint64_t b, bool& exact) {
    for (uint64_t i = 0; i < b && a != 0; ++i) {
        a *= 2;
        if (a > SignedWide(1) << 65 || a < -(SignedWide(1) << 65)) return exact = false, 0;
    }
    return a;
}

Value shift_left(Machine& m, uint64_t s, uint64_t mode, uint64_t a, uint64_t b, const Def* app) {
    bool exact_u = true, exact_s = true;
    auto u = times_power(SignedWide(a), b, exact_u);
    auto v = times_power(signed_of(a, s), b, exact_s);
    check_mode(m, mode, exact_u && u < SignedWide(num_values(s)), exact_s && is_reading(v, s), app);
    auto bits = num_bits(s);
    if (num_values(s) == Wide(1) << bits && b >= bits) return num(0);
    Wide r = a, factor = 2;
    for (auto k = b; k; k /= 2) { // square and multiply
        if (k % 2) r = r * factor % num_values(s);
        factor = factor * factor % num_values(s);
    }
    return num(mod(r, s));
}

} // namespace

Value mean_wrap(Machine& m, const Def* app) {
    auto s      = size(m, 0, app);
    auto mode   = m.num(m.group(1));
    auto [a, b] = m.nums<2>(m.group(2));
    auto x = signed_of(a, s), y = signed_of(b, s);
    switch (wrap(m.sub())) {
        case wrap::add:
            check_mode(m, mode, Wide(a) + b < num_values(s), is_reading(x + y, s), app);
            return num(eval::mod_add(a, b, s));
        case wrap::sub: check_mode(m, mode, a >= b, is_reading(x - y, s), app); return num(eval::mod_sub(a, b, s));
        case wrap::mul:
            check_mode(m, mode, Wide(a) * b < num_values(s), is_reading(x * y, s), app);
            return num(eval::mod_mul(a, b, s));
        case wrap::shl: return shift_left(m, s, mode, a, b, app);
    }
    m.fail("no such operation", app);
}

Value mean_div(Machine& m, const Def* app) {
    auto s           = size(m, 0, app);
    auto [mem, pair] = m.elems<2>(m.group(1));
    m.token(mem);
    auto [a, b] = m.nums<2>(pair);
    if (b == 0) m.undefined("division by zero", app);
    auto done = [&](uint64_t r) { return m.tuple({Value::token(), num(r)}); };
    auto x = signed_of(a, s), y = signed_of(b, s);
    switch (core::div(m.sub())) {
        case core::div::udiv: return done(a / b);
        case core::div::urem: return done(a % b);
        case core::div::sdiv:
        case core::div::srem: break;
    }
    if (!is_reading(x / y, s)) m.undefined("signed overflow", app);
    return done(mod_signed(core::div(m.sub()) == core::div::sdiv ? x / y : x % y, s));
}

Value mean_quot(Machine& m, const Def*) {
    auto op     = core::quot(m.sub());
    bool is_nat = op == core::quot::ndiv || op == core::quot::nrem;
    auto [a, b] = m.nums<2>(m.group(is_nat ? 0 : 1));
    bool is_div = op == core::quot::ndiv || op == core::quot::div;
    if (b == 0) return num(is_div ? 0 : a);
    return num(is_div ? a / b : a % b);
}

Value mean_icmp(Machine& m, const Def* app) {
    auto s       = size(m, 0, app);
    auto [a, b]  = m.nums<2>(m.group(1));
    bool minus_a = signed_of(a, s) < 0, minus_b = signed_of(b, s) < 0;
    unsigned bit;
    if (a == b) bit = 0;                   // E
    else if (!minus_a && minus_b) bit = 4; // X
    else if (minus_a && !minus_b) bit = 3; // Y
    else bit = a < b ? 1 : 2;              // L, G
    return num(m.sub() >> bit & 1);
}

Value mean_extrema(Machine& m, const Def* app) {
    auto s      = size(m, 0, app);
    auto [a, b] = m.nums<2>(m.group(1));
    switch (extrema(m.sub())) {
        case extrema::umin: return num(a < b ? a : b);
        case extrema::umax: return num(a < b ? b : a);
        case extrema::smin: return num(signed_of(a, s) < signed_of(b, s) ? a : b);
        case extrema::smax: return num(signed_of(a, s) < signed_of(b, s) ? b : a);
    }
    m.fail("no such operation", app);
}

Value mean_abs(Machine& m, const Def* app) {
    auto s        = size(m, 0, app);
    auto [mem, a] = m.elems<2>(m.group(1));
    m.token(mem);
    auto v = signed_of(m.num(a), s);
    if (v < 0) v = -v;
    if (!is_reading(v, s)) m.undefined("signed overflow", app);
    return m.tuple({Value::token(), num(uint64_t(v))});
}

Value mean_conv(Machine& m, const Def* app) {
    auto from = size(m, 0, app), to = size(m, 1, app);
    auto v = m.num(m.group(2));
    return num(mod_signed(conv(m.sub()) == conv::s ? signed_of(v, from) : SignedWide(v), to));
}

/*
 * bitcast: numbers are their bits; a pointer has an address
 */

namespace {

/// `bits` of a number cut to what the integer type has; undefined if it is no value of the type.
Value as_integer(Machine& m, uint64_t bits, const TypeView& to, const Def* app) {
    if (to.form != TypeView::Idx) return num(bits);
    if (to.is_empty) m.undefined("a value of `Idx 0`", app);
    auto w = num_bits(to.size);
    auto v = w == 64 ? bits : bits & ((uint64_t(1) << w) - 1);
    if (v >= num_values(to.size)) m.undefined("a result outside of its type", app);
    return num(v);
}

} // namespace

Value mean_bitcast(Machine& m, const Def* app) {
    if (m.types().same_type(m.group(0), m.group(1))) return m.force(m.group(2), app);
    auto to         = m.types().view(m.group(1));
    auto v          = m.force(m.group(2), app);
    bool to_integer = to.form == TypeView::Nat || to.form == TypeView::Idx;
    bool to_word    = to_integer || to.form == TypeView::Axiom; // of plugins: floats, pointers
    bool from_word  = v.is(eval::Kind::Ptr) || v.is(eval::Kind::Num);
    if (!from_word || !to_word) return m.force(m.memory().reinterpret(v, m.group(0), m.group(1), app), app);
    if (v.is(eval::Kind::Ptr)) return to_integer ? as_integer(m, m.memory().ptr_to_num(v, app), to, app) : v;
    if (to_integer) return as_integer(m, v.bits, to, app);
    return to.axiom->layout ? num(v.bits) : m.memory().num_to_ptr(v.bits);
}

Value mean_trait(Machine& m, const Def* app) {
    return num(trait(m.sub()) == trait::size ? m.layouts().size_of(m.group(0), app) : m.layouts().align_of(m.group(0), app));
}

/// What the program does when it runs: nothing is known any more.
Value mean_pe(Machine& m, const Def* app) { return pe(m.sub()) == pe::known ? num(0) : m.force(m.group(1), app); }

/*
 * zip
 */

namespace {

struct Zip {
    Machine& m;
    Value f;
    std::vector<uint64_t> extents;
    uint64_t num_outputs;

    /// The results (one value for each output) of zipping these parts of the inputs, which have the dimensions from `dim` on.
    eval::Values zip(const eval::Values& parts, size_t dim) {
        if (dim == extents.size()) {
            auto r = m.call(f, m.tuple(parts));
            eval::Values out;
            for (uint64_t o = 0; o < num_outputs; ++o) out.push_back(m.elem(r, o, num_outputs));
            return out;
        }
        std::vector<eval::Values> columns(num_outputs);
        for (uint64_t i = 0; i < extents[dim]; ++i) {
            eval::Values inner;
            for (auto& p : parts) inner.push_back(m.elem(p, i, extents[dim]));
            auto results = zip(inner, dim + 1);
            for (uint64_t o = 0; o < num_outputs; ++o) columns[o].push_back(results[o]);
        }
        eval::Values out;
        for (auto& c : columns) out.push_back(m.tuple(c));
        return out;
    }
};

} // namespace

Value mean_zip(Machine& m, const Def*) {
    auto [r, s]     = m.elems<2>(m.group(0));
    auto tensors    = m.elems<5>(m.group(1));
    auto num_inputs = m.num(tensors[0]);
    Zip z{m, tensors[4], {}, m.num(tensors[2])};
    auto rank = m.num(r);
    for (uint64_t i = 0; i < rank; ++i) z.extents.push_back(m.num(m.elem(s, i, rank)));
    eval::Values inputs;
    for (uint64_t i = 0; i < num_inputs; ++i) inputs.push_back(m.elem(m.group(2), i, num_inputs));
    return m.tuple(z.zip(inputs, 0));
}

} // namespace mim::plug::core
