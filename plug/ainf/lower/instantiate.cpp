// SPDX-License-Identifier: MIT
// A list as code: a binding is what its operation makes of its operands, for each value of what its frames bind.
// Nothing is computed twice for the same ones, since equal nodes are one.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "ainf/annexes.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/lower.h"
#include "math/annexes.h"
#include "mem/annexes.h"
#include "tensor/annexes.h"

namespace mim::plug::ainf {

Instance::Instance(World& w, Coder& coder, const List& list)
    : w(w)
    , coder_(coder)
    , list_(list) {
    for (size_t i = 0; i != list.bindings.size(); ++i) positions_.emplace(list.bindings[i].number, i);
    uses_.resize(list.bindings.size());
    for (auto& b : list.bindings) {
        for (size_t i = 0; i != b.p.args.size(); ++i) {
            auto& x = b.p.args[i];
            if (!x.is_index) uses_[positions_.at(x.number)].push_back(&b);
        }
    }
    if (!list.result.is_index) uses_[positions_.at(list.result.number)].push_back(nullptr);
    keep_elements();
}

static bool is_expensive(Op op) {
    switch (op) {
        case Op::Exp:
        case Op::Log:
        case Op::Sqrt:
        case Op::NormCdf:
        case Op::FltDiv:
        case Op::NatDiv:
        case Op::Sum:
        case Op::Fold:
        case Op::App: return true;
        default: return false;
    }
}

static bool is_within(const Binding& b, uint32_t loop) {
    return std::ranges::any_of(b.env, [&](auto& f) { return f.kind == Kind::For && f.index == loop; });
}

/// Whether the array is the loop over these elements, numbers that others ask for as well.
bool Instance::is_kept_by(const Binding& element, const Binding& array) const {
    auto env = array.env;
    env.push_back(array.p.body.front());
    bool is_number = !isa_array(w, element.p.type) && !isa_pair(w, element.p.type) && !coder_.has_function(element.p.type);
    bool is_shared = uses_[positions_.at(element.number)].size() > 1;
    return is_number && is_shared && std::ranges::equal(env, element.env, is_same);
}

/// Loops that cannot be one would compute the elements again: `for i. exp (x[i] - m)` is an array, also where each use
/// of it is an element, if it is summed up before.
void Instance::keep_elements() {
    std::set<uint32_t> costly; // to compute again in another loop
    for (auto& b : list_.bindings) {
        if (b.p.op == Op::For && !b.p.args[0].is_index) {
            auto& element = list_.bindings[positions_.at(b.p.args[0].number)];
            bool is_kept  = costly.contains(element.number) && is_kept_by(element, b);
            if (is_kept) kept_.emplace(element.number, &b);
        }
        bool is_in_loop = !b.env.empty() && b.env.back().kind == Kind::For;
        if (!is_in_loop) continue;
        auto repeats = [&](auto& x) {
            bool is_costly = !x.is_index && costly.contains(x.number) && !kept_.contains(x.number);
            return is_costly && is_within(list_.bindings[positions_.at(x.number)], b.env.back().index);
        };
        if (is_expensive(b.p.op) || std::ranges::any_of(b.p.args, repeats)) costly.insert(b.number);
    }
}

CodeRef Instance::run() {
    for (auto& b : list_.bindings) // in order, so that a long chain needs no stack
        if (b.env.empty()) operand({false, b.number}, nullptr);
    return operand(list_.result, nullptr);
}

CodeRef Instance::lookup(uint32_t index, const ScopeRef& scope) const {
    for (auto s = scope.get(); s; s = s->outer.get())
        if (s->index == index) return s->value;
    throw std::runtime_error("an index of the list has no value");
}

CodeRef Instance::operand(const Operand& x, const ScopeRef& scope) {
    if (x.is_index) return lookup(x.number, scope);
    auto kept = kept_.find(x.number);
    if (kept == kept_.end()) return computed(list_.bindings[positions_.at(x.number)], scope);
    auto array = operand({false, kept->second->number}, scope);
    return array->element(lookup(kept->second->p.body.front().index, scope)->scalar);
}

CodeRef Instance::computed(const Binding& b, const ScopeRef& scope) {
    Key key{b.number, {}};
    for (auto& f : b.env) {
        if (f.is_condition()) continue;
        key.second.push_back(lookup(f.index, scope));
        if (f.kind == Kind::Fold) key.second.push_back(lookup(f.index + 1, scope));
    }
    auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    auto result = primitive(b, scope);
    known_.emplace(std::move(key), result);
    return result;
}

/// Whether all elements of an array are computed where it stands: if they may be asked for more than once.
bool Instance::is_stored(const Binding& b) const {
    auto elem = isa_array(w, b.p.type)->second;
    if (coder_.has_function(elem)) return false;
    auto& uses   = uses_[positions_.at(b.number)];
    bool is_kept = !b.p.args[0].is_index && kept_.contains(b.p.args[0].number);
    if (uses.size() > 1 || is_kept) return true;
    if (uses.empty() || !uses[0]) return false;
    auto op = uses[0]->p.op;
    return op != Op::For && op != Op::Sum;
}

CodeRef Instance::table(const Binding& b, const ScopeRef& scope) {
    auto index   = b.p.body.front().index;
    auto body    = b.p.args[0];
    auto kept    = body.is_index ? kept_.end() : kept_.find(body.number);
    bool is_kept = kept != kept_.end() && kept->second == &b;
    auto element = [=, this](const Def* i) {
        auto inner = bound(index, coder_.scalar(i), scope);
        return is_kept ? computed(list_.bindings[positions_.at(body.number)], inner) : operand(body, inner);
    };
    auto array = coder_.make({.element = element});
    return is_stored(b) ? coder_.stored(b.p.type, array) : array;
}

CodeRef Instance::function(const Binding& b, const ScopeRef& scope) {
    auto index = b.p.body.front().index;
    auto body  = b.p.args[0];
    return coder_.make({.call = [=, this](const CodeRef& arg) { return operand(body, bound(index, arg, scope)); }});
}

// ---- numbers

const Def* Instance::flt(math::arith op, uint64_t mode, const Def* a, const Def* b) {
    return w.apply(op, {w.lit_nat(52), w.lit_nat(11)}, {w.lit_nat(mode)}, {a, b});
}

/// In the order of operations of the specification.
const Def* Instance::norm_cdf(uint64_t mode, const Def* d) {
    auto format = w.tuple({w.lit_nat(52), w.lit_nat(11)});
    auto number = [&](double x) { return float_literal(w, x); };
    auto add    = [&](auto a, auto b) { return flt(math::arith::add, mode, a, b); };
    auto mul    = [&](auto a, auto b) { return flt(math::arith::mul, mode, a, b); };
    auto abs    = w.apply<math::abs>(format, {w.lit_nat(mode)}, {d});
    auto k      = flt(math::arith::div, mode, number(1), add(number(1), mul(number(0.2316419), abs)));
    auto p      = number(1.330274429);
    for (double x : {-1.821255978, 1.781477937, -.356563782, .31938153}) p = add(number(x), mul(k, p));
    p            = mul(k, p);
    auto square  = mul(mul(number(-0.5), d), d);
    auto exp     = w.apply(math::exp::exp, format, {w.lit_nat(mode)}, {square});
    auto c       = mul(mul(number(0.3989422804014327), exp), p);
    auto is_plus = w.apply(math::cmp::g, format, {w.lit_nat(mode)}, {d, number(0)});
    return w.select(is_plus, flt(math::arith::sub, mode, number(1), c), c);
}

const Def* Instance::unary(const Primitive& p, const Def* a) {
    auto format = w.tuple({w.lit_nat(52), w.lit_nat(11)});
    auto mode   = w.lit_nat(p.mode);
    switch (p.op) {
        case Op::Exp: return w.apply(math::exp::exp, format, {mode}, {a});
        case Op::Log: return w.apply(math::exp::log, format, {mode}, {a});
        case Op::Sqrt: return w.apply(math::rt::sq, format, {mode}, {a});
        case Op::NormCdf: return norm_cdf(p.mode, a);
        case Op::Real: return w.apply(math::conv::u2f, {w.lit_2_64()}, format, {a});
        default: return coder_.as_word(a); // Val
    }
}

/// The difference of `Nat`s is not negative.
const Def* Instance::difference(const Def* a, const Def* b) {
    auto less = w.call(core::icmp::XygLe, {a, b});
    return w.select(less, coder_.word(0), w.call(core::wrap::sub, 0, {a, b}));
}

const Def* Instance::compared(const Primitive& p, const Def* a, const Def* b) {
    bool is_less = p.op == Op::Less;
    if (!is_float(w, a->type())) return w.call(is_less ? core::icmp::XygLe : core::icmp::xyglE, {a, b});
    auto format = w.tuple({w.lit_nat(52), w.lit_nat(11)});
    return w.apply(is_less ? math::cmp::l : math::cmp::e, format, {w.lit_nat(0)}, {a, b});
}

const Def* Instance::binary(const Primitive& p, const Def* a, const Def* b) {
    switch (p.op) {
        case Op::NatAdd: return w.call(core::wrap::add, 0, {a, b});
        case Op::NatSub: return difference(a, b);
        case Op::NatMul: return w.call(core::wrap::mul, 0, {a, b});
        case Op::NatDiv: return w.call(core::quot::div, {a, b});
        case Op::FltAdd: return flt(math::arith::add, p.mode, a, b);
        case Op::FltSub: return flt(math::arith::sub, p.mode, a, b);
        case Op::FltMul: return flt(math::arith::mul, p.mode, a, b);
        case Op::FltDiv: return flt(math::arith::div, p.mode, a, b);
        case Op::FltMax: return w.apply(math::extrema::fmax, {w.lit_nat(52), w.lit_nat(11)}, {w.lit_nat(p.mode)}, {a, b});
        case Op::Plus: {
            auto sum = w.call(core::wrap::add, 0, {coder_.as_word(a), coder_.as_word(b)});
            return w.call<core::bitcast>(p.type, sum);
        }
        default: return compared(p, a, b);
    }
}

const Def* Instance::literal(const Primitive& p) {
    auto def = p.literal;
    if (p.type == w.nat()) return coder_.word(*value(def));
    auto number = match<index>(def) ? value(arg_of(def)) : std::nullopt;
    return number ? w.call<core::bitcast>(p.type, coder_.word(*number)) : def;
}

// ---- the rest

CodeRef Instance::sum(const Primitive& p, const CodeRef& array, const Def* type) {
    auto [size, elem] = *isa_array(w, type);
    auto leaf         = coder_.store(type, array)[0];
    auto ring         = is_float(w, elem) ? w.apply<tensor::real>({w.lit_nat(52), w.lit_nat(11), w.lit_nat(p.mode)})
                                          : w.call<tensor::int_>(coder_.word(0));
    return coder_.scalar(w.apply<tensor::sum>(ring, {w.lit_nat(1), size}, {leaf}));
}

CodeRef Instance::turn(const Binding& b, const ScopeRef& scope, const CodeRef& state, const Def* index) {
    auto& f    = b.p.body.front();
    auto inner = bound(f.index + 1, coder_.scalar(index), bound(f.index, state, scope));
    return operand(b.p.args[1], inner);
}

CodeRef Instance::fold(const Binding& b, const ScopeRef& scope) {
    auto& f    = b.p.body.front();
    auto state = memory_type(w, f.type);
    auto step  = w.lam(w.pi(w.sigma({state, f.turn}), state), [&](const Def* var) {
        auto before = coder_.parts(f.type, w.extract(var, 0));
        return coder_.all_of(f.type, turn(b, scope, before, w.extract(var, 1)));
    });
    return coder_.parts(f.type, folded(f.turn, step, coder_.all_of(f.type, operand(b.p.args[0], scope))));
}

/// A fold whose state has the arrays of all steps as well, one for each leaf: in memory, no element is a pair with
/// arrays.
CodeRef Instance::scan(const Binding& b, const ScopeRef& scope) {
    auto& f     = b.p.body.front();
    auto rows   = leaves(w, b.p.type);
    auto types  = map_defs(rows, [&](auto& row) { return leaf_type(w, row, Form::Inside); });
    auto arrays = w.sigma(types);
    auto state  = w.sigma({memory_type(w, f.type), arrays});
    auto step   = w.lam(w.pi(w.sigma({state, f.turn}), state), [&](const Def* var) {
        auto [acc, index]  = elems<2>(w, var);
        auto [last, steps] = elems<2>(w, acc);
        auto after         = coder_.stored(f.type, turn(b, scope, coder_.parts(f.type, last), index));
        auto parts         = coder_.element(f.type, after);
        auto set           = [&](size_t i) {
            auto array = types.size() == 1 ? steps : elem(w, steps, i);
            return w.apply<tensor::set>({w.lit_nat(1), isa_idx(f.turn), parts[i]->type()}, {array, index, parts[i]});
        };
        return w.tuple({coder_.all_of(f.type, after), w.tuple(def_vec(types.size(), set))});
    });
    auto blank  = w.tuple(map_defs(types, [&](auto type) { return w.apply<mem::blank>(type); }));
    auto start  = w.tuple({coder_.all_of(f.type, operand(b.p.args[0], scope)), blank});
    return coder_.parts(b.p.type, w.extract(folded(f.turn, step, start), 1));
}

/// A fold over all indices.
const Def* Instance::folded(const Def* turn, const Def* step, const Def* start) {
    auto turns = coder_.generate({isa_idx(turn)}, turn, [](const DefVec& i) { return i[0]; });
    return w.apply<tensor::fold>({start->type(), turn}, {step}, {isa_idx(turn)}, {start, turns});
}

/// A branch computes nothing but what it needs. What has functions is chosen part by part.
CodeRef Instance::choose(const Def* type, const Def* condition, const Branch& holds, const Branch& fails) {
    if (!coder_.has_function(type)) {
        auto result = memory_type(w, type);
        auto branch = [&](const Branch& b) {
            return w.lam(w.pi(w.unit_type(), result), [&](const Def*) { return coder_.all_of(type, b()); });
        };
        auto yes = branch(holds);
        return coder_.parts(type, w.app(w.select(condition, yes, branch(fails)), w.unit()));
    }
    if (auto pi = type->isa<Pi>()) {
        return coder_.make({.call = [=, this](const CodeRef& arg) {
            return choose(pi->codom(), condition, [=] { return holds()->call(arg); }, [=] { return fails()->call(arg); });
        }});
    }
    if (auto array = isa_array(w, type)) {
        return coder_.make({.element = [=, this, elem = array->second](const Def* i) {
            return choose(elem, condition, [=] { return holds()->element(i); }, [=] { return fails()->element(i); });
        }});
    }
    auto [left, right] = *isa_pair(w, type);
    auto first         = choose(left, condition, [=] { return holds()->first; }, [=] { return fails()->first; });
    return coder_.pair(first, choose(right, condition, [=] { return holds()->second; }, [=] { return fails()->second; }));
}

CodeRef Instance::choice(const Binding& b, const ScopeRef& scope) {
    auto number = operand(b.p.args[0], scope)->scalar;
    auto zero   = number->type() == coder_.i64() ? coder_.word(0) : w.call<core::bitcast>(number->type(), coder_.word(0));
    auto is     = number->type() == w.bool_type() ? number : w.call(core::icmp::XYGLe, {number, zero});
    auto holds  = b.p.args[1];
    auto fails  = b.p.args[2];
    if (auto known = isa_lit(is)) return operand(known->value() != 0 ? holds : fails, scope);
    return choose(b.p.type, is, [=, this] { return operand(holds, scope); }, [=, this] { return operand(fails, scope); });
}

CodeRef Instance::primitive(const Binding& b, const ScopeRef& scope) {
    auto& p  = b.p;
    auto arg = [&](size_t i) { return operand(p.args[i], scope); };
    switch (p.op) {
        case Op::Literal: return coder_.scalar(literal(p));
        case Op::Fun: return function(b, scope);
        case Op::For: return table(b, scope);
        case Op::Ite: return choice(b, scope);
        case Op::Fold: return fold(b, scope);
        case Op::Scan: return scan(b, scope);
        case Op::Pair: {
            auto first = arg(0);
            return coder_.pair(first, arg(1));
        }
        case Op::Fst: return arg(0)->first;
        case Op::Snd: return arg(0)->second;
        case Op::App: {
            auto f = arg(0);
            return f->call(arg(1));
        }
        case Op::Get: {
            auto array = arg(0);
            return array->element(arg(1)->scalar);
        }
        case Op::Sum: return sum(p, arg(0), type_of(p.args[0], b));
        default: break;
    }
    if (p.args.size() == 1) return coder_.scalar(unary(p, arg(0)->scalar));
    auto left = arg(0);
    return coder_.scalar(binary(p, left->scalar, arg(1)->scalar));
}

const Def* Instance::type_of(const Operand& x, const Binding& b) const {
    if (!x.is_index) return list_.bindings[positions_.at(x.number)].p.type;
    for (auto& f : b.env) {
        if (f.is_condition() || !f.binds(x.number)) continue;
        return x.number == f.index ? f.type : f.turn;
    }
    throw std::runtime_error("an index of the list is bound by no frame");
}

} // namespace mim::plug::ainf
