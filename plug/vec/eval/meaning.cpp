// SPDX-License-Identifier: MIT
// What the axioms of %vec mean to the evaluator. A vector is the tuple of its lanes, all of them evaluated. A lift calls the scalar
// axiom's meaning for each lane; nothing is shared with the normalizers.
#include <algorithm>
#include <bit>

#include "eval/machine.h"
#include "ir/layout.h"
#include "vec.h"

namespace mim::plug::vec {

using eval::Machine;
using eval::TypeView;
using eval::Value;
using eval::Values;

namespace {

/// The lanes of a vector of n.
Values lanes(Machine& m, const Value& v, uint64_t n) {
    auto forced = m.force(v);
    Values result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(m.force(m.elem(forced, i, n)));
    return result;
}

/// The vector of n lanes.
template<class F>
Value vector(Machine& m, uint64_t n, F lane) {
    Values all;
    for (uint64_t i = 0; i != n; ++i) all.push_back(lane(i));
    return m.tuple(std::move(all));
}

/// The i-th of the k elements of group g, a number.
uint64_t number(Machine& m, size_t g, uint64_t i, uint64_t k) { return m.num(m.elem(m.group(g), i, k)); }

/*
 * lane by lane
 */

/// The elements of the first parameter group of an axiom.
uint64_t num_parameters(Machine& m, const Def* scalar_or_vec) {
    return uint64_t(lit_arity(m.world(), scalar_or_vec->type()->as<Pi>()->dom()));
}

/// What is undefined at one lane is so in the whole operation.
Value call(Machine& m, const Value& f, const Value& arg, const Def* app) {
    try {
        return m.force(m.call(f, arg), app);
    } catch (const eval::UndefinedBehaviour& u) {
        if (u.where) throw;
        m.undefined(u.message, app);
    }
}

Value mean_lift(Machine& m, const Def* app) {
    auto& w   = m.world();
    auto last = m.num_groups() - 1;
    auto k    = num_parameters(m, w.annexes.at(m.axiom().id));
    auto n    = number(m, 0, 0, k);

    auto scalar = w.annexes.at(scalar_of(m.axiom().id));
    Values rest;
    for (uint64_t i = 1; i != k; ++i) rest.push_back(m.elem(m.group(0), i, k));
    auto f = m.call(m.eval(scalar), m.tuple(std::move(rest)));
    for (size_t i = 1; i != last; ++i) f = m.call(f, m.group(i));

    auto arg = m.group(last);
    auto pi  = w.annexes.at(m.axiom().id)->type()->as<Pi>();
    for (size_t i = 0; i != last; ++i) pi = pi->codom()->as<Pi>();
    bool pairs = lit_arity(w, pi->dom()) == 2;
    Values a   = lanes(m, pairs ? m.elem(arg, 0) : arg, n), b;
    if (pairs) b = lanes(m, m.elem(arg, 1), n);
    return vector(m, n, [&](uint64_t i) { return call(m, f, pairs ? m.tuple({a[i], b[i]}) : a[i], app); });
}

Value mean_from(Machine& m, const Def*) { return m.tuple(lanes(m, m.group(1), number(m, 0, 0, 2))); }

Value mean_get(Machine& m, const Def*) {
    auto n      = number(m, 0, 0, 2);
    auto [v, i] = m.elems<2>(m.group(1));
    return m.force(m.elem(m.force(v), m.num(i), n));
}

Value mean_set(Machine& m, const Def*) {
    auto n           = number(m, 0, 0, 2);
    auto [v, i, x]   = m.elems<3>(m.group(1));
    auto all         = lanes(m, v, n);
    all.at(m.num(i)) = m.force(x);
    return m.tuple(std::move(all));
}

Value mean_select(Machine& m, const Def*) {
    auto n            = number(m, 0, 0, 2);
    auto [mask, t, f] = m.elems<3>(m.group(1));
    auto choice = lanes(m, mask, n), yes = lanes(m, t, n), no = lanes(m, f, n);
    return vector(m, n, [&](uint64_t i) { return m.flag(choice[i]) ? yes[i] : no[i]; });
}

/*
 * moving lanes
 */

Value mean_permute(Machine& m, const Def*) {
    auto n = number(m, 0, 0, 3), k = number(m, 0, 1, 3);
    auto [table, at] = m.elems<2>(m.group(1));
    auto values = lanes(m, table, n), indices = lanes(m, at, k);
    return vector(m, k, [&](uint64_t i) { return values.at(m.num(indices[i])); });
}

Value mean_concat(Machine& m, const Def*) {
    auto n = number(m, 0, 0, 3), k = number(m, 0, 1, 3);
    auto [a, b] = m.elems<2>(m.group(1));
    auto all    = lanes(m, a, n);
    for (auto& lane : lanes(m, b, k)) all.push_back(lane);
    return m.tuple(std::move(all));
}

/// The bits of a lane of this type.
unsigned bits_of(Machine& m, const Value& type, const Def* app) {
    auto v = m.types().view(type);
    if (v.form == TypeView::Idx && v.size == 2) return 1;
    bool is_full = v.form != TypeView::Idx || v.size == 0 || v.size == 0x100 || v.size == 0x10000 || v.size == 0x100000000;
    if (!is_full || v.is_empty) m.fail("lanes that do not have all patterns of bits", app);
    return unsigned(8 * m.layouts().size_of(type, app));
}

Value mean_bitcast(Machine& m, const Def* app) {
    auto n = number(m, 0, 0, 2), k = number(m, 1, 0, 2);
    auto from = bits_of(m, m.elem(m.group(0), 1), app), to = bits_of(m, m.elem(m.group(1), 1), app);
    if (n * from != k * to) m.fail("vectors of different sizes", app);
    auto v = lanes(m, m.group(2), n);
    return vector(m, k, [&](uint64_t i) {
        uint64_t bits = 0;
        for (uint64_t b = i * to; b != (i + 1) * to; ++b) bits |= (m.num(v[b / from]) >> b % from & 1) << (b - i * to);
        return Value::num(bits);
    });
}

/*
 * one value of many lanes
 */

uint64_t combine(reduce op, uint64_t a, uint64_t b, uint64_t s) {
    switch (op) {
        case reduce::add: return eval::mod_add(a, b, s);
        case reduce::mul: return eval::mod_mul(a, b, s);
        case reduce::and_: return a & b;
        case reduce::or_: return eval::mod(a | b, s);
        case reduce::xor_: return eval::mod(a ^ b, s);
        case reduce::umin: return std::min(a, b);
        case reduce::umax: return std::max(a, b);
        case reduce::smin: return eval::signed_of(a, s) < eval::signed_of(b, s) ? a : b;
        case reduce::smax: return eval::signed_of(a, s) > eval::signed_of(b, s) ? a : b;
        default: return 0;
    }
}

/// Floats, from the first lane on, by the scalar operation.
Value in_sequence(Machine& m, const Def* app) {
    auto n  = number(m, 0, 0, 3);
    auto& w = m.world();
    auto v  = lanes(m, m.group(2), n);
    if (v.empty()) return Value::num(0);
    const Def* scalar = nullptr;
    switch (reduce(m.sub())) {
        case reduce::fadd: scalar = w.annexes.find(w.sym("%math.arith.add")); break;
        case reduce::fmul: scalar = w.annexes.find(w.sym("%math.arith.mul")); break;
        case reduce::fmin: scalar = w.annexes.find(w.sym("%math.extrema.fmin")); break;
        default: scalar = w.annexes.find(w.sym("%math.extrema.fmax")); break;
    }
    auto format = m.tuple({m.elem(m.group(0), 1, 3), m.elem(m.group(0), 2, 3)});
    auto f      = m.call(m.call(m.eval(scalar), format), m.group(1));
    auto result = v[0];
    for (uint64_t i = 1; i != n; ++i) result = call(m, f, m.tuple({result, v[i]}), app);
    return result;
}

Value mean_reduce(Machine& m, const Def* app) {
    auto op = reduce(m.sub());
    if (op >= reduce::fadd) return in_sequence(m, app);
    auto n = number(m, 0, 0, 2);
    auto s = m.size(m.elem(m.group(0), 1, 2));
    auto v = lanes(m, m.group(1), n);
    if (v.empty()) {
        auto& w    = m.world();
        auto start = neutral(w, op, s ? w.lit_nat(s) : w.lit_2_64());
        if (!start) m.undefined("no value", app);
        return Value::num(isa_lit(start)->value());
    }
    auto result = m.num(v[0]);
    for (uint64_t i = 1; i != n; ++i) result = combine(op, result, m.num(v[i]), s);
    return Value::num(result);
}

Value mean_count(Machine& m, const Def*) {
    uint64_t result = 0;
    for (auto& lane : lanes(m, m.group(1), m.num(m.group(0)))) result += m.num(lane);
    return Value::num(result);
}

Value mean_first(Machine& m, const Def*) {
    auto n = m.num(m.group(0));
    auto v = lanes(m, m.group(1), n);
    for (uint64_t i = 0; i != n; ++i)
        if (m.flag(v[i])) return Value::num(i);
    return Value::num(n);
}

Value mean_bits(Machine& m, const Def*) {
    auto v        = lanes(m, m.group(2), m.num(m.group(0)));
    uint64_t bits = 0;
    for (size_t i = 0; i != v.size() && i != 64; ++i) bits |= m.num(v[i]) << i;
    return Value::num(eval::mod(bits, m.size(m.group(1))));
}

Value mean_mask(Machine& m, const Def*) {
    auto n = m.num(m.group(1)), bits = m.num(m.group(2));
    return vector(m, n, [&](uint64_t i) { return Value::num(i < 64 ? bits >> i & 1 : 0); });
}

Value mean_prefix(Machine& m, const Def*) {
    auto n = m.num(m.group(0)), count = m.num(m.group(1));
    return vector(m, n, [&](uint64_t i) { return Value::num(i < count); });
}

/*
 * memory: groups are the type or (n, T), the address space, what is given explicitly, and the operands
 */

struct Lanes {
    Machine& m;
    Value pointer, type;
    const Def* app;
    Value types; ///< of as many values as are accessed

    Lanes(Machine& m, const Value& pointer, const Value& type, uint64_t n, const Def* app)
        : m(m)
        , pointer(m.force(pointer, app))
        , type(type)
        , app(app)
        , types(m.tuple(Values(n, type)))
        , n(n) {}

    Value at(uint64_t i) { return m.memory().lea(pointer, Value::num(n), types, i, app); }
    Value load(uint64_t i) { return m.memory().load(at(i), type, app); }
    void store(uint64_t i, const Value& v) { m.memory().store(at(i), type, v, app); }

private:
    uint64_t n;
};

/// Allocations of the machine are aligned to 16 bytes.
void check_align(Machine& m, const Value& p, uint64_t align, const Def* app) {
    if (align == 0 || !std::has_single_bit(align)) m.undefined("an alignment that is no power of two", app);
    if (align > 1 && m.memory().ptr_to_num(p, app) % std::min<uint64_t>(align, 16)) m.undefined("misaligned access", app);
}

Value mean_load(Machine& m, const Def* app) {
    auto [n, align] = m.nums<2>(m.group(2));
    auto [token, p] = m.elems<2>(m.group(3));
    m.token(token);
    if (n != 0) check_align(m, p, align, app);
    Lanes memory(m, p, m.group(0), n, app);
    return m.tuple({Value::token(), vector(m, n, [&](uint64_t i) { return memory.load(i); })});
}

Value mean_store(Machine& m, const Def* app) {
    auto n             = number(m, 0, 0, 2);
    auto [token, p, v] = m.elems<3>(m.group(3));
    m.token(token);
    auto values = lanes(m, v, n);
    if (n != 0) check_align(m, p, m.num(m.group(2)), app);
    Lanes memory(m, p, m.elem(m.group(0), 1), n, app);
    for (uint64_t i = 0; i != n; ++i) memory.store(i, values[i]);
    return Value::token();
}

/// Calls access(memory, lane, i) for each lane that the mask enables. The lanes of the last argument, as they are then.
template<class F>
auto masked(Machine& m, const Def* app, F access) {
    auto n                   = number(m, 0, 0, 2);
    auto [token, p, mask, v] = m.elems<4>(m.group(2));
    m.token(token);
    auto choice = lanes(m, mask, n), values = lanes(m, v, n);
    Lanes memory(m, p, m.elem(m.group(0), 1), n, app);
    for (uint64_t i = 0; i != n; ++i)
        if (m.flag(choice[i])) access(memory, values[i], i);
    return values;
}

Value mean_load_if(Machine& m, const Def* app) {
    auto result = masked(m, app, [](Lanes& memory, Value& lane, uint64_t i) { lane = memory.load(i); });
    return m.tuple({Value::token(), m.tuple(std::move(result))});
}

Value mean_store_if(Machine& m, const Def* app) {
    masked(m, app, [](Lanes& memory, Value& lane, uint64_t i) { memory.store(i, lane); });
    return Value::token();
}

Value mean_load_prefix(Machine& m, const Def* app) {
    auto n               = m.num(m.group(2));
    auto [token, p, len] = m.elems<3>(m.group(3));
    m.token(token);
    auto end = std::min(n, m.num(len));
    Lanes memory(m, p, m.group(0), n, app);
    return m.tuple({Value::token(), vector(m, n, [&](uint64_t i) { return i < end ? memory.load(i) : Value::num(0); })});
}

} // namespace

/*
 * vectors in memory
 */

namespace {

/// Bits that a lane takes.
std::optional<uint64_t> lane_bits(World& w, const Def* elem) {
    if (elem == w.bool_type()) return 1;
    auto l = layout(w, elem);
    return l ? std::optional(8 * l->size) : std::nullopt;
}

} // namespace

/// The bytes of the lanes, up to a power of two.
bool layout_of(World& w, const Def* type, uint64_t& size, uint64_t& align) {
    VecType v(w, type);
    auto n = v.lanes(), bits = lane_bits(w, v.elem);
    if (!n || !bits || *n > 1u << 20) return false;
    auto bytes = (*n * *bits + 7) / 8;
    align      = std::bit_ceil(bytes);
    size       = bytes == 0 ? 0 : align;
    return true;
}

std::string to_bytes(Machine& m, const Def* type, const Value& value) {
    VecType v(m.world(), type);
    uint64_t size = 0, align = 1;
    layout_of(m.world(), type, size, align);
    std::string bytes(size, '\0');
    auto width = *lane_bits(m.world(), v.elem);
    auto all   = lanes(m, value, *v.lanes());
    for (size_t i = 0; i != all.size(); ++i) {
        auto bits = m.num(all[i]);
        for (uint64_t b = 0; b != width; ++b)
            if (bits >> b & 1) bytes[(i * width + b) / 8] |= char(1 << (i * width + b) % 8);
    }
    return bytes;
}

Value from_bytes(Machine& m, const Def* type, std::string_view bytes) {
    VecType v(m.world(), type);
    auto width = *lane_bits(m.world(), v.elem);
    Values all;
    for (uint64_t i = 0; i != *v.lanes(); ++i) {
        uint64_t bits = 0;
        for (uint64_t b = 0; b != width; ++b) bits |= uint64_t(bytes[(i * width + b) / 8] >> (i * width + b) % 8 & 1) << b;
        auto size = isa_idx(v.elem);
        auto lit  = size ? isa_lit(size) : nullptr;
        if (lit && bits >= lit->value()) return Value::poison(nullptr);
        all.push_back(Value::num(bits));
    }
    return m.tuple(std::move(all));
}

void register_meanings(PluginBuilder& p) {
    for (auto name : {"%vec.bit1", "%vec.bit2", "%vec.shr", "%vec.wrap", "%vec.icmp", "%vec.extrema", "%vec.conv", "%vec.arith",
                      "%vec.minus", "%vec.abs", "%vec.round", "%vec.rt", "%vec.cmp", "%vec.tri", "%vec.exp"})
        p.axiom(name).meaning(mean_lift);
    static constexpr std::pair<const char*, Meaning> meanings[] = {
        {"%vec.from", mean_from},
        {"%vec.to", mean_from},
        {"%vec.get", mean_get},
        {"%vec.set", mean_set},
        {"%vec.select", mean_select},
        {"%vec.permute", mean_permute},
        {"%vec.concat", mean_concat},
        {"%vec.bitcast", mean_bitcast},
        {"%vec.reduce", mean_reduce},
        {"%vec.count", mean_count},
        {"%vec.first", mean_first},
        {"%vec.bits", mean_bits},
        {"%vec.mask", mean_mask},
        {"%vec.prefix", mean_prefix},
        {"%vec.load", mean_load},
        {"%vec.store", mean_store},
        {"%vec.load_if", mean_load_if},
        {"%vec.store_if", mean_store_if},
        {"%vec.load_prefix", mean_load_prefix},
    };
    for (auto [axiom, meaning] : meanings) p.axiom(axiom).meaning(meaning);
    p.axiom("%vec.bitcast").token_free();
}

} // namespace mim::plug::vec
