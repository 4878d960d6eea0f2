// SPDX-License-Identifier: MIT
// The meanings of operations, for the evaluator. An array is the tuple of its elements, and a pair a tuple of two.
// Nothing here is shared with the passes or with the lowering; the text of arguments and results is read and written
// by the same functions as in compiled programs.
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/list/command.h"
#include "ainf/runtime/program.h"
#include "eval/machine.h"
#include "mem/annexes.h"

namespace mim::plug::ainf {

using eval::Machine;
using eval::Value;

namespace {

Value real_value(double x) { return Value::num(std::bit_cast<uint64_t>(x)); }
double real_of(Machine& m, const Value& v) { return std::bit_cast<double>(m.num(v)); }

/// Numbers are `Nat` or indices, but floats, whose type is an application of an axiom.
bool is_float_type(Machine& m, const Value& type) { return m.types().view(type).form == eval::TypeView::Axiom; }

double norm_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * std::fabs(d));
    double p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.3989422804014327 * std::exp(-0.5 * d * d) * p;
    return d > 0 ? 1 - c : c;
}

/// -0 is less than 0, and whatever is no number is ignored.
double greater(double a, double b) {
    if (a == b) return std::signbit(a) ? b : a;
    return std::fmax(a, b);
}

} // namespace

static Value mean_nat(Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    switch (nat(m.sub())) {
        case nat::add: return Value::num(a + b);
        case nat::sub: return Value::num(a < b ? 0 : a - b);
        case nat::mul: return Value::num(a * b);
        case nat::div: break;
    }
    return Value::num(b == 0 ? 0 : a / b);
}

static Value mean_flt(Machine& m, const Def*) {
    auto [x, y] = m.elems<2>(m.group(1));
    auto a = real_of(m, x), b = real_of(m, y);
    switch (flt(m.sub())) {
        case flt::add: return real_value(a + b);
        case flt::sub: return real_value(a - b);
        case flt::mul: return real_value(a * b);
        case flt::div: return real_value(a / b);
        case flt::max: break;
    }
    return real_value(greater(a, b));
}

static Value mean_unary(Machine& m, const Def*) {
    auto a = real_of(m, m.group(1));
    switch (unary(m.sub())) {
        case unary::exp: return real_value(std::exp(a));
        case unary::log: return real_value(std::log(a));
        case unary::sqrt: return real_value(std::sqrt(a));
        case unary::norm_cdf: break;
    }
    return real_value(norm_cdf(a));
}

static Value mean_compare(Machine& m, const Def*) {
    bool is_less = compare(m.sub()) == compare::less;
    auto [x, y]  = m.elems<2>(m.group(1));
    if (is_float_type(m, m.group(0))) {
        auto a = real_of(m, x), b = real_of(m, y);
        return Value::num(is_less ? a < b : a == b);
    }
    auto a = m.num(x), b = m.num(y);
    return Value::num(is_less ? a < b : a == b);
}

static Value mean_plus(Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(2));
    return Value::num(a + b);
}

static Value mean_index(Machine& m, const Def*) { return Value::num(m.num(m.group(1))); }
static Value mean_val(Machine& m, const Def*) { return Value::num(m.num(m.group(1))); }
static Value mean_real(Machine& m, const Def*) { return real_value(static_cast<double>(m.num(m.group(0)))); }

static Value mean_pair(Machine& m, const Def*) {
    auto [a, b] = m.elems<2>(m.group(1));
    return m.tuple({a, b});
}
static Value mean_fst(Machine& m, const Def*) { return m.force(m.elem(m.group(1), 0)); }
static Value mean_snd(Machine& m, const Def*) { return m.force(m.elem(m.group(1), 1)); }

static Value mean_tab(Machine& m, const Def*) {
    auto n = m.num(m.elem(m.group(0), 0));
    auto f = m.force(m.group(1));
    eval::Values result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(m.call(f, Value::num(i)));
    return m.tuple(std::move(result));
}

static Value mean_get(Machine& m, const Def*) {
    auto n      = m.num(m.elem(m.group(0), 0));
    auto [a, i] = m.elems<2>(m.group(1));
    return m.force(m.elem(a, m.num(i), n));
}

static Value mean_sum(Machine& m, const Def*) {
    auto [size, type] = m.elems<2>(m.group(0));
    auto all          = elements(m, m.group(2), m.num(size));
    if (is_float_type(m, type)) {
        double sum = 0;
        for (auto& x : all) sum += real_of(m, x);
        return real_value(sum);
    }
    uint64_t sum = 0;
    for (auto& x : all) sum += m.num(x);
    return Value::num(sum);
}

/// All steps; the last one is the fold.
static eval::Values steps(Machine& m) {
    auto n    = m.num(m.elem(m.group(0), 0));
    auto acc  = m.force(m.group(1));
    auto step = m.force(m.group(2));
    eval::Values result{acc};
    for (uint64_t i = 0; i != n; ++i) {
        acc = m.call(m.call(step, acc), Value::num(i));
        result.push_back(acc);
    }
    return result;
}

static Value mean_fold(Machine& m, const Def*) { return steps(m).back(); }
static Value mean_scan(Machine& m, const Def*) {
    auto all = steps(m);
    all.erase(all.begin());
    return m.tuple(std::move(all));
}

static Value mean_app(Machine& m, const Def*) { return m.call(m.force(m.group(1)), m.group(2)); }

static Value mean_ite(Machine& m, const Def*) {
    auto [holds, fails] = m.elems<2>(m.group(2));
    bool is_true        = m.num(m.group(1)) != 0;
    return m.call(m.force(is_true ? holds : fails), m.tuple({}));
}

namespace {

/// The values that a binding has had, by what its frames bind. A function and an array are what they are in memory.
struct Remembered {
    using Key = std::vector<std::pair<eval::Kind, uint64_t>>;
    std::map<Key, Value> values;
    eval::Values alive; ///< the keys are addresses of these
};

Value remembering(Machine& m, size_t left, const Value& family, const Remembered::Key& key,
                  const std::shared_ptr<Remembered>& all) {
    return m.host_fn([=](Machine& m, Value arg) {
        arg        = m.force(arg);
        auto inner = key;
        inner.emplace_back(arg.kind, arg.bits);
        if (left != 1) {
            all->alive.push_back(arg);
            return remembering(m, left - 1, m.call(family, arg), inner, all);
        }
        auto found = all->values.find(inner);
        if (found != all->values.end()) return found->second;
        all->alive.push_back(arg);
        auto result = m.call(family, arg);
        all->values.emplace(std::move(inner), result);
        return result;
    });
}

} // namespace

/// A frame is the number of what it binds, but a branch.
static Value mean_frame(Machine&, const Def*) { return Value::num(1); }
static Value mean_turn(Machine&, const Def*) { return Value::num(2); }

/// Each value is computed once, or what is used twice all the way down would take exponential time.
static Value mean_bind(Machine& m, const Def*) {
    auto k         = m.num(m.elem(m.group(0), 0));
    auto frames    = m.elem(m.group(1), 1, 3);
    auto family    = m.force(m.group(2));
    size_t binders = 0;
    for (uint64_t i = 0; i != k; ++i) {
        auto frame     = m.force(m.elem(frames, i, k));
        bool is_branch = frame.is(eval::Kind::Axiom);
        binders += is_branch ? 1 : m.num(frame);
    }
    return binders == 0 ? family : remembering(m, binders, family, {}, std::make_shared<Remembered>());
}

static Value mean_list(Machine& m, const Def*) { return m.force(m.group(2)); }

// ---- the command line

namespace {

namespace run = mim::ainf;

/// The lengths of the leaves of a value, in words.
void add_lengths(const run::Program& program, const run::Type& t, uint64_t times, std::map<uint32_t, uint64_t>& lengths) {
    if (t.kind == run::Type::Array) {
        add_lengths(program, *t.first, times * run::value_of(program, t.size), lengths);
    } else if (t.kind == run::Type::Pair) {
        add_lengths(program, *t.first, times, lengths);
        add_lengths(program, *t.second, times, lengths);
    } else {
        lengths[t.leaf] += times;
    }
}

/// Leaves that are arguments of their own, not pointers to elements.
void add_scalars(const run::Type& t, std::set<uint32_t>& scalars) {
    if (t.kind == run::Type::Array) return;
    if (t.kind != run::Type::Pair) scalars.insert(t.leaf);
    for (auto part : {t.first, t.second})
        if (part) add_scalars(*part, scalars);
}

Value words_type(Machine& m, uint64_t n) {
    auto& w = m.world();
    return m.eval(w.arr(n, w.i64_type()));
}

} // namespace

static Value mean_call(Machine& m, const Def* app) {
    auto s                     = m.num(m.elem(m.group(0), 1, 4));
    auto [function, signature] = m.elems<2>(m.group(1));
    auto program               = run::make_program(signature_of(m, signature, s).c_str());
    auto num_results           = std::map<uint32_t, uint64_t>();
    auto lengths               = std::map<uint32_t, uint64_t>();
    auto scalars               = std::set<uint32_t>();
    auto& result               = *program->result;
    for (size_t i = 0; i != program->parameters.size; ++i) add_scalars(*program->parameters.data[i].type, scalars);
    add_lengths(*program, result, 0, num_results);
    bool is_returned = num_results.size() == 1 && result.kind != run::Type::Array;
    auto num_args    = 1 + program->sizes.size + program->leaves.size - (is_returned ? 1 : 0);
    uint64_t next    = 0;
    auto argument    = [&] { return m.elem(m.group(2), next++, num_args); };
    m.token(argument());
    for (size_t i = 0; i != program->sizes.size; ++i) program->sizes.data[i].value = m.num(argument());
    for (size_t i = 0; i != program->parameters.size; ++i) add_lengths(*program, *program->parameters.data[i].type, 1, lengths);
    std::map<uint32_t, std::vector<uint64_t>> words;
    for (auto& [leaf, n] : lengths) {
        auto arg = m.force(argument());
        if (scalars.contains(leaf)) words[leaf] = {m.num(arg)};
        else
            for (auto& word : elements(m, m.memory().load(arg, words_type(m, n), app), n)) words[leaf].push_back(m.num(word));
        program->leaves.data[leaf] = {words[leaf].data(), words[leaf].size(), words[leaf].size()};
    }
    auto leaves = called(m, function, *program);
    if (is_returned) return m.tuple({Value::token(), Value::num(leaves.back()[0])});
    for (auto& [leaf, unused] : num_results) {
        eval::Values all;
        for (auto word : leaves[leaf]) all.push_back(Value::num(word));
        m.memory().store(m.force(argument()), words_type(m, all.size()), m.tuple(all), app);
    }
    return Value::token();
}

static Value mean_main(Machine& m, const Def* app) {
    auto s                     = m.num(m.elem(m.group(0), 1));
    auto [function, signature] = m.elems<2>(m.group(1));
    auto [token, argc, argv]   = m.elems<3>(m.group(2));
    m.token(token);
    return run_command(m, function, signature_of(m, signature, s), {m.num(argc), m.force(argv)}, app);
}

void add_meanings(PluginBuilder& p) {
    auto add = [&](const char* axiom, Meaning meaning) { p.axiom(axiom).meaning(meaning); };
    add("%ainf.nat", mean_nat);
    add("%ainf.flt", mean_flt);
    add("%ainf.unary", mean_unary);
    add("%ainf.compare", mean_compare);
    add("%ainf.plus", mean_plus);
    add("%ainf.index", mean_index);
    add("%ainf.val", mean_val);
    add("%ainf.real", mean_real);
    add("%ainf.pair", mean_pair);
    add("%ainf.fst", mean_fst);
    add("%ainf.snd", mean_snd);
    add("%ainf.tab", mean_tab);
    add("%ainf.get", mean_get);
    add("%ainf.sum", mean_sum);
    add("%ainf.fold", mean_fold);
    add("%ainf.scan", mean_scan);
    add("%ainf.app", mean_app);
    add("%ainf.ite", mean_ite);
    add("%ainf.turn", mean_turn);
    add("%ainf.bind", mean_bind);
    add("%ainf.list", mean_list);
    add("%ainf.main", mean_main);
    add("%ainf.call", mean_call);
    for (auto frame : {"%ainf.of", "%ainf.each"}) add(frame, mean_frame);
}

} // namespace mim::plug::ainf
