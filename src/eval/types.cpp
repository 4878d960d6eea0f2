// SPDX-License-Identifier: MIT
#include "eval/types.h"

#include <algorithm>

#include "eval/machine.h"

namespace mim::eval {

/// Whether a member may be a union, which is known at run time only.
static bool holds_unions(const Def* union_type) {
    if (!union_type->has(Def::HasDep)) return false;
    return std::ranges::any_of(union_type->ops(), [](const Def* member) {
        auto app     = member->isa<App>();
        bool is_call = app && app->callee()->node() != Node::Idx && !head_axiom(app);
        return is_call || member->isa<Var>() || member->isa<Extract>() || member->isa<Match>();
    });
}

TypeView Types::view(const Value& type) {
    TypeView v{TypeView::Other, without_arrays_of_one(type), 0, false, nullptr, {}};
    if (v.type.is(Kind::Axiom)) {
        auto& a = v.type.axiom();
        if (a.axm) {
            v.form = TypeView::Axiom, v.axiom = &a.axm->axiom(), v.groups = a.groups;
        } else if (a.groups.size() == 1) {
            auto n     = m_.force(a.groups[0]);
            v.form     = TypeView::Idx;
            v.size     = is_unknown(n) ? 0 : m_.size(n);
            v.is_empty = n.is(Kind::Num) && n.bits == 0;
        }
        return v;
    }
    if (!v.type.is(Kind::Type)) return v;
    auto& t = v.type.type();
    switch (t.def->node()) {
        case Node::Nat: v.form = TypeView::Nat; break;
        case Node::Pi: v.form = TypeView::Pi; break;
        case Node::Sigma: v.form = TypeView::Sigma, v.size = t.def->num_ops(); break;
        case Node::Union: {
            auto sole = sole_member(t.def, t.env);
            if (!sole.is(Kind::None)) return view(sole);
            v.form = TypeView::Union, v.size = holds_unions(t.def) ? members(t).size() : t.def->num_ops();
            break;
        }
        case Node::Sort: v.form = TypeView::Sort; break;
        case Node::Bot: v.form = TypeView::Bot; break;
        case Node::Top: v.form = TypeView::Top; break;
        case Node::Sing: v.form = TypeView::Sing; break;
        case Node::App: return view(m_.eval(m_.world().app(t.def->op(0), t.def->op(1)), t.env)); // a pointer that contains itself
        case Node::Arr: {
            auto n     = m_.eval(t.def->as<Arr>()->arity(), t.env);
            v.form     = TypeView::Arr;
            v.size     = m_.size(n);
            v.is_empty = n.is(Kind::Num) && n.bits == 0;
            break;
        }
        default: break;
    }
    return v;
}

/// T of «1; T», which is the same type.
Value Types::without_arrays_of_one(const Value& type) {
    auto v = m_.force(type);
    while (v.is(Kind::Type) && v.type().def->isa<Arr>()) {
        auto n = m_.eval(v.type().def->as<Arr>()->arity(), v.type().env);
        if (!n.is(Kind::Num) || n.bits != 1) break;
        v = m_.force(elem_type(v, 0));
    }
    return v;
}

Value Types::elem_shape(const Value& shape, uint64_t i) {
    auto v       = without_arrays_of_one(shape);
    bool depends = v.is(Kind::Type) && v.type().def->node() == Node::Sigma && v.type().def->is_mut();
    return depends ? elem_type(v, i, rigid(v, 0)) : elem_type(v, i);
}

Value Types::elem_type(const Value& type, uint64_t i, const Value& agg) {
    auto v = m_.force(type);
    if (!v.is(Kind::Type)) m_.fail("expected the type of an aggregate, got " + show(v), nullptr);
    auto def = v.type().def;
    auto env = v.type().env;
    if (auto arr = def->isa<Arr>()) return m_.eval(arr->body(), arr->is_mut() ? m_.bind(arr, Value::num(i), env) : env);
    if (def->node() != Node::Sigma && def->node() != Node::Union) m_.fail("expected the type of an aggregate", def);
    bool is_flat = !def->isa<mim::Union>() || !holds_unions(def);
    auto types   = is_flat ? Values() : members(v.type());
    if (i >= (is_flat ? def->num_ops() : types.size())) m_.undefined("index out of range", def);
    if (!is_flat) return types[i];
    return m_.eval(def->op(i), def->is_mut() ? m_.bind(def, agg, env) : env);
}

/// A union is flat: the members of one that is a member are its own. Each is there once.
Values Types::members(const TypeObj& union_type) {
    Values all;
    auto add = [&](const Value& member) {
        if (std::ranges::none_of(all, [&](auto& other) { return same_type(other, member); })) all.push_back(member);
    };
    for (auto op : union_type.def->ops()) {
        auto inner = view(m_.eval(op, union_type.env));
        if (inner.form != TypeView::Union) add(inner.type);
        for (uint64_t i = 0; inner.form == TypeView::Union && i != inner.size; ++i) add(elem_type(inner.type, i));
    }
    return in_order(std::move(all));
}

/// The order decides which number a member has in memory, where another part of the program may know the types: it is that of a union whose
/// members are written out. Types that depend on variables in other ways than by arguments stay as they are.
Values Types::in_order(Values types) {
    std::vector<const Def*> members;
    for (auto& type : types) {
        if (!is_reifiable(type)) return types;
        members.push_back(reify(type, nullptr));
    }
    auto all = m_.world().union_type(members);
    if (!all->isa<mim::Union>() || all->num_ops() != types.size()) return types;
    Values sorted;
    for (auto member : all->ops()) sorted.push_back(m_.eval(member));
    return sorted;
}

bool Types::is_reifiable(const Value& v) {
    auto n = m_.force(v);
    if (n.is(Kind::Type)) return is_closed(m_.world(), n.type().def);
    auto all = [&](const Values& values) { return std::ranges::all_of(values, [&](auto& e) { return is_reifiable(e); }); };
    if (n.is(Kind::Axiom)) return all(n.axiom().groups);
    if (n.is(Kind::Tuple)) return all(n.tuple().elems);
    return n.is(Kind::Num) || n.is(Kind::Size64);
}

Value Types::sole_member(const Def* type, const Env& env) {
    if (!type->isa<mim::Union>() || !type->has(Def::HasDep) || apart(m_.world(), type->op(0), type->op(1))) return {};
    auto first = m_.eval(type->op(0), env);
    for (auto member : type->ops().subspan(1))
        if (!same_type(first, m_.eval(member, env))) return {};
    return first;
}

bool Types::same_type(const Value& a, const Value& b) {
    struct Scope {
        TypePairs& pairs;
        size_t mark = pairs.mark();
        ~Scope() { pairs.retract(mark); }
    } scope{same_};
    return same(a, b);
}

/// A value that only equals itself; for an aggregate one for each element, so that projections work.
Value Types::rigid(const Value& type, unsigned depth) {
    auto v = view(type);
    if ((v.form == TypeView::Sigma || v.form == TypeView::Arr) && v.size != 1 && v.size <= 64 && depth < 8) {
        Ref<TupleObj> t(heap_.make<TupleObj>());
        Value res(Kind::Tuple, t.get());
        for (uint64_t i = 0; i != v.size; ++i) t->elems.push_back(rigid(elem_type(v.type, i, res), depth + 1));
        return res;
    }
    return m_.host_fn(nullptr);
}

bool Types::same_aggregate(const TypeView& a, const TypeView& b) {
    auto is_agg = [](const TypeView& v) { return v.form == TypeView::Sigma || v.form == TypeView::Arr; };
    if (!is_agg(a) || !is_agg(b) || a.size != b.size || a.is_empty != b.is_empty) return false;
    if (a.size == 0 && a.is_empty) return true;
    auto is_plain = [](const TypeView& v) { return v.form == TypeView::Arr && !v.type.type().def->is_mut(); };
    if (is_plain(a) && is_plain(b)) return same(elem_type(a.type, 0), elem_type(b.type, 0));
    if (a.size == 0 || a.size > 1024) return false;
    Ref<TupleObj> t(heap_.make<TupleObj>());
    Value var(Kind::Tuple, t.get());
    for (uint64_t i = 0; i != a.size; ++i) {
        auto elem = elem_type(a.type, i, var);
        if (!same(elem, elem_type(b.type, i, var))) return false;
        t->elems.push_back(rigid(elem, 0));
    }
    return true;
}

bool Types::same(const Value& x, const Value& y) {
    auto a = m_.force(x), b = m_.force(y);
    budget_.tick(nullptr);
    if (a.object() && a.object() == b.object()) return true;
    if (a.is(Kind::Type) && b.is(Kind::Type)) {
        if (a.type().def == b.type().def && a.type().env == b.type().env) return true;
        auto mark = same_.mark();
        if (!same_.assume(a, b)) return true;
        bool result = same_form(a, b);
        if (!result) same_.retract(mark);
        return result;
    }
    auto is_type = [](const Value& v) { return v.is(Kind::Type) || v.is(Kind::Axiom); };
    return is_type(a) && is_type(b) ? same_form(a, b) : same_value(a, b);
}

bool Types::same_values(const Values& a, const Values& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](auto& v, auto& w) { return same(v, w); });
}

/// Types, as they look outside.
bool Types::same_form(const Value& a, const Value& b) {
    if (a.is(Kind::Axiom) && b.is(Kind::Axiom)) {
        auto &p = a.axiom(), &q = b.axiom();
        return p.axm == q.axm && same_values(p.groups, q.groups);
    }
    auto v = view(a), w = view(b);
    if (same_aggregate(v, w)) return true;
    if (v.form != w.form) return false;
    switch (v.form) {
        case TypeView::Axiom:
        case TypeView::Idx: return same(v.type, w.type);
        case TypeView::Nat:
        case TypeView::Bot:
        case TypeView::Top: return true;
        case TypeView::Sort: return v.type.type().def == w.type.type().def;
        case TypeView::Sing: {
            auto &s = v.type.type(), &t = w.type.type();
            return same(m_.eval(s.def->op(0), s.env), m_.eval(t.def->op(0), t.env));
        }
        case TypeView::Pi: return same_function(v.type.type(), w.type.type());
        case TypeView::Union: return covers(v, w) && covers(w, v);
        default: return false;
    }
}

bool Types::same_function(const TypeObj& a, const TypeObj& b) {
    auto p = a.def->as<Pi>(), q = b.def->as<Pi>();
    auto dom = m_.eval(p->dom(), a.env);
    if (!same(dom, m_.eval(q->dom(), b.env))) return false;
    auto var   = p->is_mut() || q->is_mut() ? rigid(dom, 0) : Value();
    auto codom = [&](const Pi* pi, const Env& env) { return m_.eval(pi->codom(), pi->is_mut() ? m_.bind(pi, var, env) : env); };
    return same(codom(p, a.env), codom(q, b.env));
}

/// Each member of `b` is one of `a`.
bool Types::covers(const TypeView& a, const TypeView& b) {
    for (uint64_t i = 0; i != b.size; ++i) {
        auto member = elem_type(b.type, i);
        bool found  = false;
        for (uint64_t j = 0; j != a.size && !found; ++j) found = same(elem_type(a.type, j), member);
        if (!found) return false;
    }
    return true;
}

bool Types::same_value(const Value& a, const Value& b) {
    if (a.kind != b.kind) return false;
    switch (a.kind) {
        case Kind::Num: return a.bits == b.bits;
        case Kind::Size64:
        case Kind::Token: return true;
        case Kind::Tuple: return same_values(a.tuple().elems, b.tuple().elems);
        case Kind::Closure: return a.closure().lam == b.closure().lam && a.closure().env == b.closure().env;
        case Kind::Inj: return same(a.inj().type, b.inj().type) && same(a.inj().value, b.inj().value);
        case Kind::Ptr: return same_ptr(a, b);
        default: return false;
    }
}

uint64_t Types::member_of(const TypeView& u, const Value& value, const Def* where) {
    if (!value.is(Kind::Inj)) m_.fail("expected a member of a union, got " + show(value), where);
    for (uint64_t i = 0; i != u.size; ++i)
        if (same_type(elem_type(u.type, i), value.inj().type)) return i;
    m_.fail("a value that is no member of its union", where);
}

const Def* Types::reify(const Value& v, const Def* where) {
    auto n = m_.force(v);
    if (n.is(Kind::Num)) return m_.world().lit_nat(n.bits);
    if (n.is(Kind::Size64)) return m_.world().lit_2_64();
    if (n.is(Kind::Type) && is_closed(m_.world(), n.type().def)) return n.type().def;
    if (n.is(Kind::Axiom)) {
        const Def* type = n.axiom().axm ? static_cast<const Def*>(n.axiom().axm) : m_.world().idx();
        for (auto& g : n.axiom().groups) type = m_.world().app(type, reify(g, where));
        return type;
    }
    if (!n.is(Kind::Tuple)) m_.fail("a type without a layout", where);
    std::vector<const Def*> elems;
    for (size_t i = 0; i != n.tuple().elems.size(); ++i) elems.push_back(reify(n.tuple().elems[i], where));
    return m_.world().tuple(elems);
}

} // namespace mim::eval
