// SPDX-License-Identifier: MIT
// The meanings of operations, for the evaluator. An array is the tuple of its elements, and a pair a tuple of two.
// But for the results of operations on numbers, nothing is shared with the passes or with the lowering.
#include <bit>
#include <map>
#include <memory>

#include "ainf.h"
#include "ainf/annexes.h"
#include "ainf/list/ops.h"
#include "ainf/list/scalars.h"
#include "cli/run/command.h"
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

} // namespace

static Value mean_nat(Machine& m, const Def*) {
    auto [a, b] = m.nums<2>(m.group(0));
    return Value::num(computed(row_of(id_of(nat(m.sub())))->op, a, b));
}

static Value mean_flt(Machine& m, const Def*) {
    auto [a, b] = m.elems<2>(m.group(1));
    return real_value(computed(row_of(id_of(flt(m.sub())))->op, real_of(m, a), real_of(m, b)));
}

static Value mean_unary(Machine& m, const Def*) {
    return real_value(computed(row_of(id_of(unary(m.sub())))->op, real_of(m, m.group(1))));
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
    auto all          = cli::elements(m, m.group(2), m.num(size));
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
    add("%ainf.main", cli::run_main);
    add("%ainf.call", cli::run_call);
    for (auto frame : {"%ainf.of", "%ainf.each"}) add(frame, mean_frame);
}

} // namespace mim::plug::ainf
