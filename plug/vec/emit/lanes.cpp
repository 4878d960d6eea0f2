// SPDX-License-Identifier: MIT
// Emitters of what makes vectors and works lane by lane.
#include <bit>

#include "emit/vector.h"
#include "ir/large_arrays.h"
#include "math/annexes.h"
#include "vec/diagnostics.h"

namespace mim::plug::vec {

namespace {

/// Why there is no code for a vector type; empty if there is.
std::string problem(Emit& e, const VecType& type) {
    auto n = type.lanes();
    if (!n) return "the number of lanes must be known when code is emitted";
    bool is_number = type.elem->isa<Nat>() || isa_idx(type.elem) || match<math::F>(type.elem);
    if (!is_number) return "lanes are numbers: `Idx s`, `Nat` or `%math.F (p, e)`";
    auto elem = e.type(type.elem);
    if (elem && *n > max_bits / e.bits(elem)) return "it has more than " + std::to_string(max_bits) + " bits";
    return {};
}

} // namespace

/// The one place that reports: the back end asks once for each type.
Type emit_type(Emit& e, const Def* def) {
    VecType type(e.world(), def);
    if (auto why = problem(e, type); !why.empty()) {
        e.error(def, diag::no_vector(def, why));
        return {};
    }
    auto elem = e.type(type.elem);
    return elem && *type.lanes() ? e.vector_type(elem, unsigned(*type.lanes())) : Type();
}

Vector::Vector(Emit& e, const Def* def)
    : e(e)
    , type(e.world(), def)
    , n(0)
    , rep(e.type(def)) {
    if (!problem(e, type).empty()) return;
    n    = unsigned(*type.lanes());
    elem = e.type(type.elem);
}

Value slice(Emit& e, Value v, unsigned n, unsigned first, unsigned k) {
    if (first == 0 && k == n) return v;
    std::vector<int> mask;
    for (unsigned i = 0; i != k; ++i) mask.push_back(first + i < n ? int(first + i) : -1);
    return e.shuffle(v, e.undef(e.type_of(v)), mask);
}

Value join(Emit& e, std::vector<Value> parts, unsigned k) {
    for (; parts.size() > 1; k *= 2) {
        std::vector<Value> next;
        std::vector<int> mask;
        for (unsigned i = 0; i != 2 * k; ++i) mask.push_back(int(i));
        if (parts.size() % 2) parts.push_back(e.undef(e.type_of(parts[0])));
        for (size_t i = 0; i != parts.size(); i += 2) next.push_back(e.shuffle(parts[i], parts[i + 1], mask));
        parts = std::move(next);
    }
    return parts[0];
}

/*
 * lifts
 */

namespace {

/// Sizes that are no powers of two are computed with in ways that need branches.
bool is_odd(const VecType& v) {
    auto size = isa_idx(v.elem);
    auto lit  = size ? isa_lit(size) : nullptr;
    return lit && lit->value() > 1 && !std::has_single_bit(lit->value());
}

/// The scalar operation with symbols for its operands, as it stands.
const Def* scalar_app(World& w, const Def* callee, const std::vector<Vector>& operands) {
    DefVec symbols;
    for (size_t k = 0; k != operands.size(); ++k) symbols.push_back(symbol(w, k, operands[k].type.elem));
    auto f = scalar_callee(w, callee);
    World::Frozen frozen(w);
    return w.app(f, w.tuple(symbols));
}

Value run(Emit& e, const Def* at, const Def* app, unsigned lanes, std::vector<Value> operands) {
    Lifted lifted(e, at, lanes, std::move(operands));
    return head_axiom(app)->axiom().emitter(e.target())->op(lifted, app);
}

} // namespace

Value emit_lift(Emit& e, const Def* app) {
    auto& w  = e.world();
    auto arg = arg_of(app);
    std::vector<Vector> operands;
    std::vector<Value> values;
    auto k = lit_arity(w, arg->type());
    for (int64_t i = 0; i < k; ++i) {
        operands.emplace_back(e, k == 1 ? arg->type() : operand(w, app, i)->type());
        values.push_back(k == 1 ? e.emit(arg) : e.elem(arg, size_t(i)));
    }
    Vector result(e, app->type());
    if (result.n == 0) return {};
    auto scalar = scalar_app(w, app->as<App>()->callee(), operands);
    if (!is_odd(operands[0].type) && !is_odd(result.type)) return run(e, app, scalar, result.n, values);
    auto all = result ? e.undef(result.rep) : Value();
    for (unsigned i = 0; i != result.n; ++i) {
        std::vector<Value> lanes;
        for (auto v : values) lanes.push_back(v ? e.extract_lane(v, e.i64(i)) : v);
        auto lane = run(e, app, scalar, 0, lanes);
        if (result) all = e.insert_lane(all, lane, e.i64(i));
    }
    return all;
}

/*
 * making vectors
 */

Value emit_from(Emit& e, const Def* app) {
    Vector v(e, app->type());
    auto array = arg_of(app);
    if (!v) return {};
    if (v.n == 1) return e.insert_lane(e.undef(v.rep), e.emit(array), e.i64(0));
    if (auto pack = array->isa<Pack>(); pack && !pack->var())
        return e.splat(e.convert(e.elem(array, 0), pack->body()->type(), v.type.elem), v.n);
    std::vector<Value> lanes;
    auto tuple   = array->isa<Tuple>();
    auto whole   = tuple ? Value() : e.emit(array);
    auto element = [&](unsigned i) {
        if (tuple) return e.convert(e.elem(array, i), tuple->op(i)->type(), v.type.elem);
        return is_large_array(array->type()) ? e.load(v.elem, e.gep(v.elem, whole, e.i64(i))) : e.extract_value(whole, i);
    };
    for (unsigned i = 0; i != v.n; ++i) lanes.push_back(element(i));
    return e.lanes(lanes);
}

Value emit_to(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, arg->type());
    if (!v) return {};
    auto value = e.emit(arg);
    if (v.n == 1) return v.get(value, 0);
    if (is_large_array(app->type())) {
        auto memory = e.unwritten(app->type());
        for (unsigned i = 0; i != v.n; ++i) e.store(v.get(value, i), e.gep(v.elem, memory, e.i64(i)));
        return memory;
    }
    auto array = e.undef(e.array_type(v.elem, v.n));
    for (unsigned i = 0; i != v.n; ++i) array = e.insert_value(array, v.get(value, i), i);
    return array;
}

namespace {

/// An index of n lanes: nothing, if there is only one.
Value index(Emit& e, Value i) { return i ? e.resize(i, e.int_type(64)) : e.i64(0); }

} // namespace

Value emit_get(Emit& e, const Def* app) {
    auto arg = arg_of(app);
    Vector v(e, e.world().extract(arg, 0)->type());
    if (!v) return {};
    auto [value, i] = e.elems<2>(arg);
    return e.extract_lane(value, index(e, i));
}

Value emit_set(Emit& e, const Def* app) {
    Vector v(e, app->type());
    if (!v) return {};
    auto [value, i, x] = e.elems<3>(arg_of(app));
    return e.insert_lane(value, x, index(e, i));
}

Value emit_select(Emit& e, const Def* app) {
    Vector v(e, app->type());
    if (!v) return {};
    auto [m, t, f] = e.elems<3>(arg_of(app));
    return e.select(m, t, f);
}

} // namespace mim::plug::vec
