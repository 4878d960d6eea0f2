// SPDX-License-Identifier: MIT
// The meanings of derivatives, for the evaluator: dual numbers. A function is run on numbers that know how they change
// in one direction, once for each direction that somebody asks for; what it calls, chooses and repeats needs no rule.
// Only an operation that computes with numbers does, and takes its registered derivative. Nothing here is shared with
// the phase.
#include "meaning.h"

#include "ir/questions.h"
#include "kit/build.h"
#include "math/annexes.h"

namespace mim::plug::autodiff {

bool is_number(const TypeView& type) { return type.form == TypeView::Axiom && is_tag<math::F>(*type.axiom); }

namespace {

bool is_token(const TypeView& type) { return type.form == TypeView::Axiom && type.axiom->has(mim::Axiom::LinearType); }
bool has_parts(const TypeView& type) { return type.form == TypeView::Sigma || type.form == TypeView::Arr; }

/*
 * arithmetic
 */

const Def* format_of(Machine& m, const TypeView& type) { return arg_of(m.types().reify(type.type, nullptr)); }

Value one(Machine& m, const TypeView& type) {
    auto& w = m.world();
    return m.eval(w.call(math::conv::u2f, format_of(m, type), w.lit_idx(w.lit_2_64(), 1)));
}

Value combined(Machine& m, math::arith operation, const TypeView& type, const Value& a, const Value& b) {
    auto& w   = m.world();
    auto with = w.app(w.app(w.annex(operation), format_of(m, type)), w.lit_nat(0));
    return m.call(m.eval(with), m.tuple({a, b}));
}

Value derive(Machine&, const Axm*, const eval::Values& groups, const Value& result, const Def* where);

/// The number in another format.
Value converted(Machine& m, const TypeView& from, const TypeView& to, const Value& x) {
    auto& w     = m.world();
    auto source = format_of(m, from), target = format_of(m, to);
    if (source == target) return x;
    return m.call(m.eval(w.app(w.app(w.annex(math::conv::f2f), source), target)), x);
}

} // namespace

Value sum(Machine& m, const TypeView& type, const Value& a, const Value& b) {
    if (!a || !b) return a ? a : b;
    return combined(m, math::arith::add, type, a, b);
}

/*
 * tangents
 */

Value tangent_with(Machine& m, const Value& type, const Value& value, const OnNumber& f) {
    auto view = m.types().view(type);
    if (is_number(view)) return f(view, value ? m.force(value) : Value());
    if (is_token(view)) return Value::token();
    bool is_union = view.form == TypeView::Union;
    if (!is_union && !has_parts(view)) return m.tuple({});
    auto member = is_union && value ? m.types().member_of(view, m.force(value), nullptr) : 0;
    auto part   = [&](uint64_t i) {
        if (!value || (is_union && i != member)) return Value();
        return is_union ? m.force(value).inj().value : m.elem(value, i, view.size);
    };
    eval::Values parts;
    for (uint64_t i = 0; i != view.size; ++i)
        parts.push_back(tangent_with(m, m.types().elem_type(view.type, i, value), part(i), f));
    return m.tuple(std::move(parts));
}

namespace {

Value zero_tangent(Machine& m, const Value& type, const Value& value) {
    return tangent_with(m, type, value, [](auto&, auto&) { return Value::num(0); });
}

} // namespace

Value unit_tangent(Machine& m, const Value& type, const Value& value, uint64_t k) {
    uint64_t i = 0;
    return tangent_with(m, type, value, [&](auto& view, auto&) { return i++ == k ? one(m, view) : Value::num(0); });
}

namespace {

using OnPart = std::function<Value(const TypeView&, const Value& number, const Value& tangent)>;

/// `value`, with what f makes of each number and of its part of the tangent.
Value zipped(Machine& m, const Value& type, const Value& lazy, const Value& tangent, const OnPart& f) {
    auto view  = m.types().view(type);
    auto value = m.force(lazy);
    if (is_number(view)) return f(view, value, m.force(tangent));
    if (view.form == TypeView::Union) {
        auto i  = m.types().member_of(view, value, nullptr);
        auto of = m.types().elem_type(view.type, i);
        return m.member(zipped(m, of, value.inj().value, m.elem(tangent, i, view.size), f), value.inj().type);
    }
    if (!has_parts(view)) return value;
    eval::Values parts;
    for (uint64_t i = 0; i != view.size; ++i) {
        auto of = m.types().elem_type(view.type, i, value);
        parts.push_back(zipped(m, of, m.elem(value, i, view.size), m.elem(tangent, i, view.size), f));
    }
    return m.tuple(std::move(parts));
}

Value sum_of_tangents(Machine& m, const Value& type, const Value& a, const Value& b) {
    auto view = m.types().view(type);
    if (is_number(view)) return sum(m, view, a, b);
    if (view.form != TypeView::Union && !has_parts(view)) return m.tuple({});
    eval::Values parts;
    for (uint64_t i = 0; i != view.size; ++i) {
        auto of = m.types().elem_type(view.type, i);
        parts.push_back(sum_of_tangents(m, of, m.elem(a, i, view.size), m.elem(b, i, view.size)));
    }
    return m.tuple(std::move(parts));
}

/*
 * changes
 */

} // namespace

Value with_change(Machine& m, const Value& type, const Value& value, const Value& tangent, uint64_t direction) {
    return zipped(m, type, value, tangent, [&](auto&, auto& x, auto& v) { return m.dual(x, v, direction); });
}

namespace {

/// The same with f of each number in it.
Value map_numbers(Machine& m, const Value& lazy, const std::function<Value(const Value&)>& f) {
    auto value = m.force(lazy);
    if (value.is(Kind::Num) || value.is(Kind::Dual)) return f(value);
    if (value.is(Kind::Inj)) return m.member(map_numbers(m, value.inj().value, f), value.inj().type);
    if (!value.is(Kind::Tuple)) return value;
    eval::Values parts;
    for (size_t i = 0, n = value.tuple().elems.size(); i != n; ++i) parts.push_back(map_numbers(m, value.tuple().elems[i], f));
    return m.tuple(std::move(parts));
}

bool changes_in(const Value& number, uint64_t direction) { return number.is(Kind::Dual) && number.dual().direction == direction; }

/// The value without its changes in this direction, the latest one that it has.
Value without_change(Machine& m, const Value& value, uint64_t direction) {
    return map_numbers(m, value, [&](auto& x) { return changes_in(x, direction) ? x.dual().number : x; });
}

/// The value without any changes.
Value constant(Machine& m, const Value& value) {
    return map_numbers(m, value, [](auto& x) {
        auto result = x;
        while (result.is(Kind::Dual)) result = Value(result.dual().number);
        return result;
    });
}

Value change_of(Machine& m, const Value& type, const Value& value, uint64_t direction) {
    return tangent_with(m, type, value,
                        [&](auto&, auto& x) { return changes_in(x, direction) ? x.dual().change : Value::num(0); });
}

/// The latest direction in which the value changes; 0: it does not.
uint64_t latest_change(Machine& m, const Value& value) {
    uint64_t latest = 0;
    map_numbers(m, value, [&](auto& x) {
        if (x.is(Kind::Dual)) latest = std::max(latest, x.dual().direction);
        return x;
    });
    return latest;
}

} // namespace

Value along(Machine& m, const Value& type, const Value& value, const Value& tangent, uint64_t direction, const TypeView& to) {
    Value total;
    zipped(m, type, value, tangent, [&](auto& view, auto& x, auto& s) {
        if (changes_in(x, direction)) {
            auto part = combined(m, math::arith::mul, view, s, x.dual().change);
            total     = sum(m, to, total, converted(m, view, to, part));
        }
        return x;
    });
    return total;
}

/*
 * functions
 */

namespace {

void check(Machine& m, const Value& type, const Def* app) {
    auto view = m.types().view(type);
    if (has_parts(view) || view.form == TypeView::Union) {
        for (uint64_t i = 0; i != view.size && (i == 0 || view.form != TypeView::Arr); ++i)
            check(m, m.types().elem_type(view.type, i), app);
        return;
    }
    bool is_other = view.form == TypeView::Axiom && !is_number(view);
    if (view.form == TypeView::Pi || is_other) m.fail("a derivative of what takes or returns functions, pointers or tokens", app);
}

Function function(Machine& m, const Value& types, const Value& code, const Def* app) {
    auto [from, to] = m.elems<2>(types);
    check(m, from, app), check(m, to, app);
    return {from, to, code};
}

} // namespace

Value run(Machine& m, const Function& f, const Value& x, const Value& tangent, uint64_t direction) {
    m.derive_by(derive);
    auto changed = with_change(m, f.from, x, tangent, direction);
    return f.is_cps ? m.call_cps(f.code, &changed) : m.call(f.code, changed);
}

namespace {

/// The cotangent of x for `s`, one of what f returns: each of its numbers by a run of its own.
Value pulled_back(Machine& m, const Function& f, const Value& x, const Value& s) {
    uint64_t k = 0;
    return tangent_with(m, f.from, x, [&](auto& view, auto& number) {
        auto direction = m.new_direction();
        auto unit      = unit_tangent(m, f.from, x, k++);
        auto change    = number ? along(m, f.to, run(m, f, x, unit, direction), s, direction, view) : Value();
        return change ? change : Value::num(0);
    });
}

/// The change of y as x changes, by `back`, which makes a cotangent of x of one of y.
Value transposed(Machine& m, const Function& f, const Value& x, const Value& y, const Value& back, uint64_t direction) {
    uint64_t k = 0;
    return tangent_with(m, f.to, y, [&](auto& view, auto&) {
        auto seed   = unit_tangent(m, f.to, y, k++);
        auto change = along(m, f.from, x, m.call(back, seed), direction, view);
        return change ? change : Value::num(0);
    });
}

/*
 * operations
 */

/// A group in front of the last one as an expression.
const Def* written(Machine& m, const Def* type, const Value& value, const Def* where) {
    auto& w = m.world();
    if (auto n = isa_idx(type)) return w.lit_idx(n, m.num(value));
    if (match<math::F>(type)) return w.raw_lit(type, m.num(value));
    auto n = type->isa<Sigma>() || type->isa<Arr>() ? lit_arity(w, type) : -1;
    if (n < 0) return m.types().reify(value, where);
    return w.tuple(def_vec(size_t(n), [&](auto i) {
        auto of = elem_type(w, type, w.unit(), w.lit_idx(uint64_t(n), i));
        return written(m, of, m.elem(value, i, uint64_t(n)), where);
    }));
}

Value derive(Machine& m, const Axm* axm, const eval::Values& groups, const Value& result, const Def* where) {
    auto& w = m.world();
    if (has_no_tangent(w, last_codom(axm->type()))) return result;
    const Def* operation = axm;
    for (size_t i = 0; i + 1 != groups.size(); ++i)
        operation = w.app(operation, written(m, operation->type()->as<Pi>()->dom(), groups[i], where));
    auto pi        = operation->type()->as<Pi>();
    auto types     = w.tuple({pi->dom(), pi->codom()});
    auto direction = latest_change(m, groups.back());
    if (has_no_tangent(w, pi->codom())) return result;
    if (direction == 0 || pi->is_mut()) m.fail("the derivative of an operation by an argument that is not its last one", where);
    Function f{m.eval(pi->dom()), m.eval(pi->codom()), {}};
    auto x    = without_change(m, groups.back(), direction);
    auto twin = w.apply<jvp>(types, operation);
    if (head_axiom(twin) != w.annex(jvp(0))) {
        auto [y, v] = m.elems<2>(m.call(m.eval(twin), m.tuple({x, change_of(m, f.from, groups.back(), direction)})));
        return with_change(m, f.to, y, v, direction);
    }
    auto derivative = w.apply<ad>(pi, operation);
    if (match<ad>(derivative)) m.fail("`" + axm->axiom().name.str() + "` has no derivative", where);
    auto [y, back] = m.elems<2>(m.call(m.eval(derivative), x));
    auto of_x      = m.host_fn([back](Machine& m, Value s) { return m.elem(m.call(back, s), 0); });
    return with_change(m, f.to, y, transposed(m, f, groups.back(), y, of_x, direction), direction);
}

/// f x, which changes as `back` says, whatever f does.
Value customized(Machine& m, const Function& f, const Value& back, const Value& x) {
    auto direction = latest_change(m, x);
    if (direction == 0) return m.call(f.code, x);
    auto held = without_change(m, x, direction);
    auto y    = customized(m, f, back, held);
    auto of_x = m.call(back, m.tuple({held, y}));
    return with_change(m, f.to, y, transposed(m, f, x, y, of_x, direction), direction);
}

/// λ s = (the cotangent of x, that of what f refers to)
Value with_environment(Machine& m, Value back) {
    return m.host_fn([back = std::move(back)](Machine& m, Value s) { return m.tuple({m.call(back, s), m.tuple({})}); });
}

} // namespace

Value mean_jvp(Machine& m, const Def* app) {
    auto f         = function(m, m.group(0), m.group(1), app);
    auto [x, v]    = m.elems<2>(m.group(2));
    auto direction = m.new_direction();
    auto y         = run(m, f, x, v, direction);
    return m.tuple({without_change(m, y, direction), change_of(m, f.to, y, direction)});
}

Value mean_vjp(Machine& m, const Def* app) {
    auto f    = function(m, m.group(0), m.group(1), app);
    auto x    = m.group(2);
    auto back = m.host_fn([f, x](Machine& m, Value s) { return pulled_back(m, f, x, s); });
    return m.tuple({m.call(f.code, x), back});
}

Value mean_ad(Machine& m, const Def* app) {
    auto type = m.types().view(m.group(0));
    auto pi   = type.form == TypeView::Pi ? type.type.type().def->as<Pi>() : nullptr;
    if (!pi || pi->is_cn() || pi->is_mut()) m.fail("the derivative of what is no function in direct style", app);
    auto& env = type.type.type().env;
    auto f    = function(m, m.tuple({m.eval(pi->dom(), env), m.eval(pi->codom(), env)}), m.group(1), app);
    return m.host_fn([f](Machine& m, Value x) {
        auto back = m.host_fn([f, x](Machine& m, Value s) { return pulled_back(m, f, x, s); });
        return m.tuple({m.call(f.code, x), with_environment(m, back)});
    });
}

Value mean_rule(Machine& m, const Def*) {
    auto f = m.group(1), back = m.group(2);
    return m.host_fn([f, back](Machine& m, Value x) {
        auto y = m.call(f, x);
        return m.tuple({y, with_environment(m, m.call(back, m.tuple({x, y})))});
    });
}

Value mean_custom(Machine& m, const Def* app) {
    return customized(m, function(m, m.group(0), m.group(1), app), m.group(2), m.group(3));
}

Value mean_checkpoint(Machine& m, const Def*) { return m.call(m.group(1), m.group(2)); }

Value mean_recorded(Machine& m, const Def*) { return m.call(m.group(1), m.group(2)); }

Value mean_accumulate(Machine& m, const Def* app) {
    auto f         = function(m, m.group(0), m.group(1), app);
    auto [x, s, a] = m.elems<3>(m.group(2));
    return sum_of_tangents(m, f.from, a, pulled_back(m, f, x, s));
}

/// ‹i: n; f i›
Value mean_array(Machine& m, const Def*) {
    auto [n, type] = m.elems<2>(m.group(0));
    auto f         = m.group(1);
    eval::Values parts;
    for (uint64_t i = 0, end = m.num(n); i != end; ++i) parts.push_back(m.call(f, Value::num(i)));
    return m.tuple(std::move(parts));
}

Value mean_lift(Machine& m, const Def*) { return m.call(m.group(1), m.call(m.group(2), m.group(3))); }
Value mean_lift_with(Machine& m, const Def*) {
    auto [c, x] = m.elems<2>(m.group(3));
    return m.call(m.call(m.group(1), m.call(m.group(2), c)), x);
}

/// The tape of n turns, in which x of this type is kept for turn k.
static Value with_kept(Machine& m, const Value& type, uint64_t n, const Value& all, uint64_t k, const Value& x) {
    auto view     = m.types().view(type);
    bool is_tuple = view.form == TypeView::Sigma;
    eval::Values parts;
    for (uint64_t i = 0, end = is_tuple ? view.size : n; i != end; ++i) {
        auto old = m.elem(all, i, end);
        if (!is_tuple) parts.push_back(i == k ? x : old);
        else parts.push_back(with_kept(m, m.types().elem_type(view.type, i, x), n, old, k, m.elem(x, i, end)));
    }
    return m.tuple(std::move(parts));
}

static Value kept_for(Machine& m, const Value& type, uint64_t n, const Value& all, uint64_t k) {
    auto view = m.types().view(type);
    if (view.form != TypeView::Sigma) return m.elem(all, k, n);
    eval::Values parts;
    for (uint64_t i = 0; i != view.size; ++i)
        parts.push_back(kept_for(m, m.types().elem_type(view.type, i), n, m.elem(all, i, view.size), k));
    return m.tuple(std::move(parts));
}

Value mean_keep(Machine& m, const Def*) {
    auto [n, type]   = m.elems<2>(m.group(0));
    auto [all, k, x] = m.elems<3>(m.group(1));
    return with_kept(m, type, m.force(n).bits, all, m.force(k).bits, x);
}

Value mean_kept(Machine& m, const Def*) {
    auto [n, type] = m.elems<2>(m.group(0));
    auto [all, k]  = m.elems<2>(m.group(1));
    return kept_for(m, type, m.force(n).bits, all, m.force(k).bits);
}

Value mean_stop(Machine& m, const Def*) { return constant(m, m.group(1)); }
Value mean_zero(Machine& m, const Def*) { return zero_tangent(m, m.group(0), {}); }

Value mean_add(Machine& m, const Def*) {
    auto [a, b] = m.elems<2>(m.group(1));
    return sum_of_tangents(m, m.group(0), a, b);
}

} // namespace mim::plug::autodiff
