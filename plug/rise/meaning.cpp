// SPDX-License-Identifier: MIT
// The meanings of primitives, for the evaluator. An array is the tuple of its elements, and a pair a tuple of two. A
// float is the word of its bits.
#include <bit>
#include <cmath>
#include <optional>

#include "cli/run/command.h"
#include "kit/match.h"
#include "meaning.h"
#include "rise/annexes.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

using cli::elements;
using eval::Machine;
using eval::Value;
using eval::Values;

namespace {

Value call(Machine& m, const Value& f, const Value& x) { return m.call(m.force(f), x); }
Value call(Machine& m, const Value& f, const Value& x, const Value& y) { return m.call(call(m, f, x), y); }
/// Element i of the group of sizes and types.
uint64_t size_at(Machine& m, size_t group, uint64_t i, uint64_t of) { return m.num(m.elem(m.group(group), i, of)); }
Value array_of(Machine& m, Values all) { return m.tuple(std::move(all)); }

// ---- numbers

uint64_t masked(uint64_t word, unsigned bits) { return bits == 64 ? word : word & ((uint64_t(1) << bits) - 1); }

int64_t signed_number(uint64_t word, unsigned bits) {
    auto shift = 64 - bits;
    return static_cast<int64_t>(word << shift) >> shift;
}

uint64_t half_word(double x) {
    uint64_t sign = std::signbit(x) ? 0x8000 : 0;
    auto a        = std::fabs(x);
    if (std::isnan(x)) return 0x7e00;
    if (a >= 65520) return sign | 0x7c00;
    bool is_small = a < std::ldexp(1.0, -14);
    auto step     = is_small ? std::ldexp(1.0, -24) : std::ldexp(1.0, std::ilogb(a) - 10);
    auto n        = static_cast<uint64_t>(std::nearbyint(a / step));
    if (is_small) return sign | n;
    return sign | ((static_cast<uint64_t>(std::ilogb(a) + 14) << 10) + n);
}

double real(uint64_t word, unsigned bits) {
    if (bits == 64) return std::bit_cast<double>(word);
    if (bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(word)));
    return static_cast<double>(half_value(word));
}

/// Rounds: an operation in double precision is exact enough for the narrower formats.
uint64_t word_of(double x, unsigned bits) {
    if (bits == 64) return std::bit_cast<uint64_t>(x);
    if (bits == 32) return std::bit_cast<uint32_t>(static_cast<float>(x));
    return half_word(x);
}

double float_result(number op, double a, double b) {
    switch (op) {
        case number::add: return a + b;
        case number::sub: return a - b;
        case number::mul: return a * b;
        case number::div: return a / b;
        case number::min: return std::fmin(a, b);
        default: return std::fmax(a, b);
    }
}

uint64_t whole_result(Machine& m, number op, uint64_t a, uint64_t b, const ScalarType& t, const Def* app) {
    bool has_sign = t.kind == ScalarType::Signed;
    auto x = signed_number(a, t.bits), y = signed_number(b, t.bits);
    bool divides = op == number::div || op == number::mod;
    if (divides && b == 0) m.undefined("division by zero", app);
    bool is_less = has_sign ? x < y : a < b;
    switch (op) {
        case number::add: return a + b;
        case number::sub: return t.kind == ScalarType::Nat && a < b ? 0 : a - b;
        case number::mul: return a * b;
        case number::min: return is_less ? a : b;
        case number::max: return is_less ? b : a;
        default: break;
    }
    if (has_sign && y == -1) return op == number::div ? 0 - a : 0;
    if (has_sign) return static_cast<uint64_t>(op == number::div ? x / y : x % y);
    return op == number::div ? a / b : a % b;
}

double unary_result(unary op, double a) {
    switch (op) {
        case unary::neg: return -a;
        case unary::abs: return std::fabs(a);
        case unary::floor: return std::floor(a);
        case unary::sqrt: return std::sqrt(a);
        case unary::exp: return std::exp(a);
        case unary::log: return std::log(a);
        case unary::sin: return std::sin(a);
        case unary::cos: return std::cos(a);
        case unary::tan: return std::tan(a);
        default: return std::tanh(a);
    }
}

template<class T>
bool holds(compare op, T a, T b) {
    switch (op) {
        case compare::lt: return a < b;
        case compare::le: return a <= b;
        case compare::gt: return a > b;
        case compare::ge: return a >= b;
        case compare::eq: return a == b;
        default: return a != b;
    }
}

uint64_t float_to_whole(Machine& m, double x, const ScalarType& to, const Def* app) {
    auto whole    = std::trunc(x);
    bool has_sign = to.kind == ScalarType::Signed;
    auto most     = std::ldexp(1.0, static_cast<int>(to.bits) - (has_sign ? 1 : 0));
    bool fits     = whole < most && (has_sign ? whole >= -most : whole >= 0);
    if (!fits) m.undefined("a number that does not fit the integer", app);
    return has_sign ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole);
}

} // namespace

/// Of vectors, what `f` makes of each lane; `type` is that of an operand or of the result.
template<class F>
static Value each_lane(Machine& m, const Def* app, const Def* type, std::vector<Value> args, F f) {
    auto vector = isa_vector(m.world(), type);
    if (!vector) return f(type, args);
    auto n = mim::value(vector.size);
    if (!n) m.fail("a vector whose length is not known", app);
    Values all;
    for (uint64_t i = 0; i != *n; ++i) {
        std::vector<Value> lanes;
        for (auto& arg : args) lanes.push_back(m.elem(arg, i, *n));
        all.push_back(f(vector.elem, lanes));
    }
    return array_of(m, std::move(all));
}

Value mean_number(Machine& m, const Def* app) {
    auto op = number(m.sub());
    return each_lane(m, app, arg_of(app)->type(), {m.group(1), m.group(2)}, [&](const Def* type, const std::vector<Value>& x) {
        auto t = scalar_of(type);
        auto a = m.num(x[0]), b = m.num(x[1]);
        if (t.kind == ScalarType::Float) return Value::num(word_of(float_result(op, real(a, t.bits), real(b, t.bits)), t.bits));
        return Value::num(masked(whole_result(m, op, a, b, t, app), t.bits));
    });
}

static Value unary_value(unary op, const ScalarType& t, uint64_t a) {
    if (t.kind == ScalarType::Float && op == unary::rsqrt) {
        auto root = word_of(std::sqrt(real(a, t.bits)), t.bits);
        return Value::num(word_of(1 / real(root, t.bits), t.bits));
    }
    if (t.kind == ScalarType::Float) return Value::num(word_of(unary_result(op, real(a, t.bits)), t.bits));
    bool is_negative = t.kind == ScalarType::Signed && signed_number(a, t.bits) < 0;
    bool stays       = op == unary::abs && !is_negative;
    if (t.kind == ScalarType::Nat) return Value::num(stays ? a : 0); // there are no negative ones
    return Value::num(stays ? a : masked(0 - a, t.bits));
}

Value mean_unary(Machine& m, const Def* app) {
    auto op = unary(m.sub());
    return each_lane(m, app, arg_of(app)->type(), {m.group(1)},
                     [&](const Def* type, const std::vector<Value>& x) { return unary_value(op, scalar_of(type), m.num(x[0])); });
}

Value mean_fma(Machine& m, const Def* app) {
    std::vector<Value> args{m.group(1), m.group(2), m.group(3)};
    return each_lane(m, app, arg_of(app)->type(), args, [&](const Def* type, const std::vector<Value>& x) {
        auto bits = scalar_of(type).bits;
        auto a = real(m.num(x[0]), bits), b = real(m.num(x[1]), bits), c = real(m.num(x[2]), bits);
        if (bits != 32) return Value::num(word_of(std::fma(a, b, c), bits));
        auto single = std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
        return Value::num(std::bit_cast<uint32_t>(single));
    });
}

static bool compared(compare op, const ScalarType& t, uint64_t a, uint64_t b) {
    if (t.kind == ScalarType::Float) return holds(op, real(a, t.bits), real(b, t.bits));
    if (t.kind == ScalarType::Signed) return holds(op, signed_number(a, t.bits), signed_number(b, t.bits));
    return holds(op, a, b);
}

Value mean_compare(Machine& m, const Def* app) {
    auto op = compare(m.sub());
    return each_lane(m, app, arg_of(app)->type(), {m.group(1), m.group(2)}, [&](const Def* type, const std::vector<Value>& x) {
        return Value::num(compared(op, scalar_of(type), m.num(x[0]), m.num(x[1])));
    });
}

// ---- lanes

Value mean_vec_logic(Machine& m, const Def* app) {
    bool is_and = vec_logic(m.sub()) == vec_logic::conj;
    return each_lane(m, app, app->type(), {m.group(1), m.group(2)}, [&](const Def*, const std::vector<Value>& x) {
        auto a = m.num(x[0]), b = m.num(x[1]);
        return Value::num(is_and ? a & b : a | b);
    });
}

Value mean_vec_not(Machine& m, const Def* app) {
    return each_lane(m, app, app->type(), {m.group(1)},
                     [&](const Def*, const std::vector<Value>& x) { return Value::num(1 - m.num(x[0])); });
}

Value mean_vec_select(Machine& m, const Def* app) {
    std::vector<Value> args{m.group(1), m.group(2), m.group(3)};
    return each_lane(m, app, app->type(), args,
                     [&](const Def*, const std::vector<Value>& x) { return m.force(m.flag(x[0]) ? x[1] : x[2]); });
}

Value mean_vector_from_scalar(Machine& m, const Def*) {
    auto x = m.force(m.group(1));
    return array_of(m, Values(m.num(m.elem(m.group(0), 1)), x));
}

Value mean_logic(Machine& m, const Def*) {
    bool is_and = logic(m.sub()) == logic::conj;
    bool first  = m.flag(m.group(0));
    return first == is_and ? m.force(m.group(1)) : Value::num(first);
}

Value mean_not(Machine& m, const Def*) { return Value::num(!m.flag(m.group(0))); }
Value mean_select(Machine& m, const Def*) { return m.force(m.flag(m.group(1)) ? m.group(2) : m.group(3)); }

static Value cast_value(Machine& m, const Def* app, const ScalarType& from, const ScalarType& to, uint64_t a) {
    bool is_float = from.kind == ScalarType::Float;
    bool has_sign = from.kind == ScalarType::Signed;
    if (to.kind == ScalarType::Bool) return Value::num(is_float ? real(a, from.bits) != 0 : a != 0);
    if (to.kind == ScalarType::Float) {
        if (is_float) return Value::num(word_of(real(a, from.bits), to.bits));
        auto x = signed_number(a, from.bits);
        if (to.bits == 32) { // rounded once
            auto single = has_sign ? static_cast<float>(x) : static_cast<float>(a);
            return Value::num(std::bit_cast<uint32_t>(single));
        }
        return Value::num(word_of(has_sign ? static_cast<double>(x) : static_cast<double>(a), to.bits));
    }
    if (is_float) return Value::num(masked(float_to_whole(m, real(a, from.bits), to, app), to.bits));
    auto wide = has_sign ? static_cast<uint64_t>(signed_number(a, from.bits)) : a;
    return Value::num(masked(wide, to.bits));
}

Value mean_cast(Machine& m, const Def* app) {
    auto vector = isa_vector(m.world(), app->type());
    auto to     = scalar_of(vector ? vector.elem : app->type());
    return each_lane(m, app, arg_of(app)->type(), {m.group(1)}, [&](const Def* type, const std::vector<Value>& x) {
        return cast_value(m, app, scalar_of(type), to, m.num(x[0]));
    });
}

Value mean_unsigned(Machine& m, const Def*) {
    auto [bits, value] = m.nums<2>(m.group(0));
    return Value::num(masked(value, static_cast<unsigned>(bits)));
}
Value mean_index_as_nat(Machine& m, const Def*) { return m.force(m.group(1)); }
Value mean_nat_as_index(Machine& m, const Def* app) {
    auto n = m.num(m.group(0));
    if (n == 0) m.undefined("an index of nothing", app);
    return Value::num(m.num(m.group(1)) % n);
}
Value mean_lidx(Machine& m, const Def*) { return m.force(m.elem(m.group(0), 0)); }

Value mean_nat(Machine& m, const Def* app) {
    auto [a, b]  = m.nums<2>(m.group(0));
    auto op      = nat(m.sub());
    bool divides = op == nat::div || op == nat::mod;
    if (divides && b == 0) m.undefined("division by zero", app);
    switch (op) {
        case nat::div: return Value::num(a / b);
        case nat::mod: return Value::num(a % b);
        case nat::min: return Value::num(std::min(a, b));
        case nat::max: return Value::num(std::max(a, b));
        default: break;
    }
    uint64_t result = 1;
    for (uint64_t i = 0; i != b; ++i) result *= a;
    return Value::num(result);
}

// ---- names and pairs

Value mean_same(Machine& m, const Def*) { return m.force(m.group(1)); }
Value mean_to_mem(Machine& m, const Def*) { return m.force(m.group(2)); }
Value mean_let(Machine& m, const Def*) { return call(m, m.group(2), m.force(m.group(1))); }
Value mean_pair(Machine& m, const Def*) { return m.tuple({m.group(1), m.group(2)}); }
Value mean_fst(Machine& m, const Def*) { return m.force(m.elem(m.group(1), 0)); }
Value mean_snd(Machine& m, const Def*) { return m.force(m.elem(m.group(1), 1)); }
Value mean_map_fst(Machine& m, const Def*) {
    auto [a, b] = m.elems<2>(m.group(2));
    return m.tuple({call(m, m.group(1), a), b});
}
Value mean_map_snd(Machine& m, const Def*) {
    auto [a, b] = m.elems<2>(m.group(2));
    return m.tuple({a, call(m, m.group(1), b)});
}

// ---- loops

static Value mapped(Machine& m, uint64_t n, const Value& f, const Value& x) {
    Values all;
    for (auto& e : elements(m, x, n)) all.push_back(call(m, f, e));
    return array_of(m, std::move(all));
}
Value mean_map(Machine& m, const Def*) { return mapped(m, size_at(m, 0, 0, 3), m.group(1), m.group(2)); }
Value mean_map_level(Machine& m, const Def*) { return mapped(m, size_at(m, 1, 0, 3), m.group(2), m.group(3)); }

static Value folded(Machine& m, uint64_t n, const Value& f, const Value& start, const Value& x) {
    auto value = m.force(start);
    for (auto& e : elements(m, x, n)) value = call(m, f, value, e);
    return value;
}
Value mean_reduce(Machine& m, const Def*) { return folded(m, size_at(m, 0, 0, 2), m.group(1), m.group(2), m.group(3)); }
Value mean_reduce_seq(Machine& m, const Def*) { return folded(m, size_at(m, 1, 0, 3), m.group(2), m.group(3), m.group(4)); }

Value mean_scan_seq(Machine& m, const Def*) {
    auto value = m.force(m.group(2));
    Values all;
    for (auto& e : elements(m, m.group(3), size_at(m, 0, 0, 3))) {
        value = call(m, m.group(1), e, value);
        all.push_back(value);
    }
    return array_of(m, std::move(all));
}

Value mean_iterate(Machine& m, const Def*) {
    auto k      = m.num(m.group(0));
    auto result = size_at(m, 1, 0, 3), n = size_at(m, 1, 1, 3);
    auto value = m.force(m.group(3));
    for (uint64_t i = 0; i != k; ++i) {
        auto size = result;
        for (uint64_t j = i + 1; j != k; ++j) size *= n;
        value = call(m, m.group(2), Value::num(size), value);
    }
    return value;
}

Value mean_generate(Machine& m, const Def*) {
    Values all;
    for (uint64_t i = 0, n = size_at(m, 0, 0, 2); i != n; ++i) all.push_back(call(m, m.group(1), Value::num(i)));
    return array_of(m, std::move(all));
}

// ---- views

Value mean_idx(Machine& m, const Def*) { return m.force(m.elem(m.group(2), m.num(m.group(1)), size_at(m, 0, 0, 2))); }

Value mean_zip(Machine& m, const Def*) {
    Values all;
    for (uint64_t i = 0, n = size_at(m, 0, 0, 3); i != n; ++i)
        all.push_back(m.tuple({m.elem(m.group(1), i, n), m.elem(m.group(2), i, n)}));
    return array_of(m, std::move(all));
}

Value mean_unzip(Machine& m, const Def*) {
    Values first, second;
    for (auto& e : elements(m, m.group(1), size_at(m, 0, 0, 3))) {
        auto [a, b] = m.elems<2>(e);
        first.push_back(a), second.push_back(b);
    }
    return m.tuple({array_of(m, std::move(first)), array_of(m, std::move(second))});
}

/// n rows of m elements; element j of row i is at(i, j).
template<class F>
static Value rows(Machine& machine, uint64_t n, uint64_t m, F at) {
    Values all;
    for (uint64_t i = 0; i != n; ++i) {
        Values row;
        for (uint64_t j = 0; j != m; ++j) row.push_back(at(i, j));
        all.push_back(array_of(machine, std::move(row)));
    }
    return array_of(machine, std::move(all));
}

Value mean_transpose(Machine& m, const Def*) {
    auto n = size_at(m, 0, 0, 3), k = size_at(m, 0, 1, 3);
    auto all = elements(m, m.group(1), n);
    return rows(m, k, n, [&](auto i, auto j) { return m.elem(all[j], i, k); });
}
Value mean_split(Machine& m, const Def*) {
    auto n = m.num(m.group(0)), k = size_at(m, 1, 0, 2);
    auto all = elements(m, m.group(2), n * k);
    return rows(m, k, n, [&](auto i, auto j) { return all[i * n + j]; });
}
Value mean_slide(Machine& m, const Def*) {
    auto [sz, sp] = m.nums<2>(m.group(0));
    auto n        = size_at(m, 1, 0, 2);
    auto all      = elements(m, m.group(2), sp * n + sz);
    return rows(m, n + 1, sz, [&, sp = sp](auto i, auto j) { return all[i * sp + j]; });
}
Value mean_join(Machine& m, const Def*) {
    auto n = size_at(m, 0, 0, 3), k = size_at(m, 0, 1, 3);
    Values all;
    for (auto& row : elements(m, m.group(1), n))
        for (auto& e : elements(m, row, k)) all.push_back(e);
    return array_of(m, std::move(all));
}

static Value part(Machine& m, bool is_first) {
    auto n = m.num(m.group(0)), k = size_at(m, 1, 0, 2);
    auto all   = elements(m, m.group(2), n + k);
    auto split = all.begin() + static_cast<std::ptrdiff_t>(n);
    return array_of(m, is_first ? Values(all.begin(), split) : Values(split, all.end()));
}
Value mean_take(Machine& m, const Def*) { return part(m, true); }
Value mean_drop(Machine& m, const Def*) { return part(m, false); }

Value mean_concat(Machine& m, const Def*) {
    auto all = elements(m, m.group(1), size_at(m, 0, 0, 3));
    for (auto& e : elements(m, m.group(2), size_at(m, 0, 1, 3))) all.push_back(e);
    return array_of(m, std::move(all));
}

Value mean_gather(Machine& m, const Def*) {
    auto n = size_at(m, 0, 0, 3), k = size_at(m, 0, 1, 3);
    Values all;
    for (auto& i : elements(m, m.group(1), k)) all.push_back(m.elem(m.group(2), m.num(i), n));
    return array_of(m, std::move(all));
}

Value mean_scatter(Machine& m, const Def* app) {
    auto n = size_at(m, 0, 0, 3), k = size_at(m, 0, 1, 3);
    auto places = elements(m, m.group(1), n);
    auto from   = elements(m, m.group(2), n);
    if (n == 0 && k != 0) m.fail("no element at all", app);
    Values all(k, n == 0 ? Value::num(0) : from.front()); // any value will do where nothing is written
    std::vector<bool> is_written(k);
    for (uint64_t i = 0; i != n; ++i) {
        auto at = m.num(places[i]);
        if (is_written[at]) m.undefined("an index that is written twice", app);
        is_written[at] = true;
        all[at]        = from[i];
    }
    return array_of(m, std::move(all));
}

Value mean_pad_cst(Machine& m, const Def*) {
    auto [l, r] = m.nums<2>(m.group(0));
    Values all(l, m.group(2));
    for (auto& e : elements(m, m.group(3), size_at(m, 1, 0, 2))) all.push_back(e);
    all.insert(all.end(), r, m.group(2));
    return array_of(m, std::move(all));
}

Value mean_reorder(Machine& m, const Def*) {
    auto n   = m.num(m.group(0));
    auto all = elements(m, m.group(4), n);
    Values result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(all.at(m.num(call(m, m.group(1), Value::num(i)))));
    return array_of(m, std::move(result));
}

/// Elements that are not said are as the first one.
Value mean_pad_empty(Machine& m, const Def* app) {
    auto r = m.num(m.group(0)), n = size_at(m, 1, 0, 2);
    auto all       = elements(m, m.group(2), n);
    bool is_number = scalar_of(isa_array(m.world(), app->type()).elem).kind != ScalarType::None;
    if (n == 0 && r != 0 && !is_number) m.fail("no element at all", app);
    all.insert(all.end(), r, n == 0 ? Value::num(0) : all.front());
    return array_of(m, std::move(all));
}

Value mean_pad_clamp(Machine& m, const Def*) {
    auto [l, r] = m.nums<2>(m.group(0));
    auto from   = elements(m, m.group(2), size_at(m, 1, 0, 2) + 1);
    Values all(l, from.front());
    all.insert(all.end(), from.begin(), from.end());
    all.insert(all.end(), r, from.back());
    return array_of(m, std::move(all));
}

Value mean_make_array(Machine& m, const Def*) { return array_of(m, elements(m, m.group(1), size_at(m, 0, 0, 2))); }

/// Values of the host are those of the program.
Value mean_invoke(Machine& m, const Def*) {
    auto n     = m.num(m.elem(m.group(0), 3, 4));
    auto value = m.call(m.force(m.group(1)), m.group(3));
    for (uint64_t i = 0; i != n; ++i) value = m.call(value, m.elem(m.group(4), i, n));
    return value;
}

Value mean_into(Machine& m, const Def*) { return m.call(m.force(m.group(4)), m.group(5)); }

} // namespace mim::plug::rise
