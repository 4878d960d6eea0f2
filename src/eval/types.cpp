// SPDX-License-Identifier: MIT
// Types at run time: a type is an expression with an environment, looked at one level at a time. Equality decides which arm of
// a match is taken and compares structurally; the layout is that of the World's data layout, written down here once more, so
// that it checks the back end's.
#include <algorithm>

#include "eval/machine.h"
#include "ir/hook.h"

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

Machine::TypeView Machine::view(const Value& type) {
    TypeView v{TypeView::Other, force(type), 0, false, nullptr, {}};
    if (v.type.is(Kind::Axiom)) {
        auto& a = v.type.axiom();
        if (a.axm) {
            v.form = TypeView::Axiom, v.axiom = &a.axm->axiom(), v.groups = a.groups;
        } else if (a.groups.size() == 1) {
            auto n     = force(a.groups[0]);
            v.form     = TypeView::Idx;
            v.size     = n.is(Kind::Host) ? 0 : size(n);
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
        case Node::App: return view(eval(world_.app(t.def->op(0), t.def->op(1)), t.env)); // a pointer that contains itself
        case Node::Arr: {
            auto n     = eval(t.def->as<Arr>()->arity(), t.env);
            v.form     = TypeView::Arr;
            v.size     = size(n);
            v.is_empty = n.is(Kind::Num) && n.bits == 0;
            if (n.is(Kind::Num) && n.bits == 1) return view(elem_type(v.type, 0)); // «1; T» is T
            break;
        }
        default: break;
    }
    return v;
}

/// The declared type of an element of a Σ, which decides the layout: earlier elements are unknown there, so an `Idx n` takes 64 bits.
Value Machine::elem_shape(const Value& shape, uint64_t i) {
    auto v       = force(shape);
    bool depends = v.is(Kind::Type) && v.type().def->node() == Node::Sigma && v.type().def->is_mut();
    return depends ? elem_type(v, i, rigid(v, 0)) : elem_type(v, i);
}

Value Machine::elem_type(const Value& type, uint64_t i, const Value& agg) {
    auto v = force(type);
    if (!v.is(Kind::Type)) fail("expected the type of an aggregate, got " + show(v), nullptr);
    auto def = v.type().def;
    auto env = v.type().env;
    if (auto arr = def->isa<Arr>()) return eval(arr->body(), arr->is_mut() ? bind(arr, Value::num(i), env) : env);
    if (def->node() != Node::Sigma && def->node() != Node::Union) fail("expected the type of an aggregate", def);
    bool is_flat = !def->isa<mim::Union>() || !holds_unions(def);
    auto types   = is_flat ? Values() : members(v.type());
    if (i >= (is_flat ? def->num_ops() : types.size())) undefined("index out of range", def);
    if (!is_flat) return types[i];
    return eval(def->op(i), def->is_mut() ? bind(def, agg, env) : env);
}

/// A union is flat: the members of one that is a member are its own. Each is there once.
Values Machine::members(const TypeObj& union_type) {
    Values all;
    auto add = [&](const Value& member) {
        if (std::ranges::none_of(all, [&](auto& other) { return same_type(other, member); })) all.push_back(member);
    };
    for (auto op : union_type.def->ops()) {
        auto inner = view(eval(op, union_type.env));
        if (inner.form != TypeView::Union) add(inner.type);
        for (uint64_t i = 0; inner.form == TypeView::Union && i != inner.size; ++i) add(elem_type(inner.type, i));
    }
    return in_order(std::move(all));
}

/// The order decides which number a member has in memory, where another part of the program may know the types: it is that of a union whose
/// members are written out. Types that depend on variables in other ways than by arguments stay as they are.
Values Machine::in_order(Values types) {
    std::vector<const Def*> members;
    for (auto& type : types) {
        if (!is_reifiable(type)) return types;
        members.push_back(reify(type, nullptr));
    }
    auto all = world_.union_type(members);
    if (!all->isa<mim::Union>() || all->num_ops() != types.size()) return types;
    Values sorted;
    for (auto member : all->ops()) sorted.push_back(eval(member));
    return sorted;
}

bool Machine::is_reifiable(const Value& v) {
    auto n = force(v);
    if (n.is(Kind::Type)) return is_closed(world_, n.type().def);
    auto all = [&](const Values& values) { return std::ranges::all_of(values, [&](auto& e) { return is_reifiable(e); }); };
    if (n.is(Kind::Axiom)) return all(n.axiom().groups);
    if (n.is(Kind::Tuple)) return all(n.tuple().elems);
    return n.is(Kind::Num) || n.is(Kind::Size64);
}

/// The type that all members of a union are with these values of the variables; None if there are several.
Value Machine::sole_member(const Def* type, const Env& env) {
    if (!type->isa<mim::Union>() || !type->has(Def::HasDep) || apart(world_, type->op(0), type->op(1))) return {};
    auto first = eval(type->op(0), env);
    for (auto member : type->ops().subspan(1))
        if (!same_type(first, eval(member, env))) return {};
    return first;
}

bool Machine::same_type(const Value& a, const Value& b) {
    struct Scope {
        TypePairs& pairs;
        size_t mark = pairs.mark();
        ~Scope() { pairs.retract(mark); }
    } scope{same_};
    return same(a, b);
}

/// A value that only equals itself; for an aggregate one for each element, so that projections work.
Value Machine::rigid(const Value& type, unsigned depth) {
    auto v = view(type);
    if ((v.form == TypeView::Sigma || v.form == TypeView::Arr) && v.size != 1 && v.size <= 64 && depth < 8) {
        Ref<TupleObj> t(heap_.make<TupleObj>());
        Value res(Kind::Tuple, t.get());
        for (uint64_t i = 0; i != v.size; ++i) t->elems.push_back(rigid(elem_type(v.type, i, res), depth + 1));
        return res;
    }
    return host_fn(nullptr);
}

bool Machine::same_aggregate(const TypeView& a, const TypeView& b) {
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

bool Machine::same(const Value& x, const Value& y) {
    auto a = force(x), b = force(y);
    tick(nullptr);
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

bool Machine::same_values(const Values& a, const Values& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](auto& v, auto& w) { return same(v, w); });
}

/// Types, as they look outside.
bool Machine::same_form(const Value& a, const Value& b) {
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
            return same(eval(s.def->op(0), s.env), eval(t.def->op(0), t.env));
        }
        case TypeView::Pi: return same_function(v.type.type(), w.type.type());
        case TypeView::Union: return covers(v, w) && covers(w, v);
        default: return false;
    }
}

bool Machine::same_function(const TypeObj& a, const TypeObj& b) {
    auto p = a.def->as<Pi>(), q = b.def->as<Pi>();
    auto dom = eval(p->dom(), a.env);
    if (!same(dom, eval(q->dom(), b.env))) return false;
    auto var   = p->is_mut() || q->is_mut() ? rigid(dom, 0) : Value();
    auto codom = [&](const Pi* pi, const Env& env) { return eval(pi->codom(), pi->is_mut() ? bind(pi, var, env) : env); };
    return same(codom(p, a.env), codom(q, b.env));
}

/// Each member of `b` is one of `a`.
bool Machine::covers(const TypeView& a, const TypeView& b) {
    for (uint64_t i = 0; i != b.size; ++i) {
        auto member = elem_type(b.type, i);
        bool found  = false;
        for (uint64_t j = 0; j != a.size && !found; ++j) found = same(elem_type(a.type, j), member);
        if (!found) return false;
    }
    return true;
}

bool Machine::same_value(const Value& a, const Value& b) {
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

/// Types of plugins: their own hook decides, on the type written out; tokens are nothing; all else are pointers.
Layout Machine::axiom_layout(const TypeView& v, const Def* where) {
    using mim::Axiom;
    if (v.axiom->has(Axiom::LinearType) || v.axiom->has(Axiom::Erased)) return {0, 1};
    if (!v.axiom->layout) return {world_.layout.pointer_size, world_.layout.pointer_align};
    Layout l{0, 1};
    auto type     = reify(v.type, where);
    auto is_known = call_hook(*v.axiom, "the layout of", where, [&] { return v.axiom->layout(world_, type, l.size, l.align); });
    if (!is_known) fail("a type without a layout", where);
    return l;
}

/// A number, a type that mentions no variable, a plugin's type or a tuple of such as an expression again.
const Def* Machine::reify(const Value& v, const Def* where) {
    auto n = force(v);
    if (n.is(Kind::Num)) return world_.lit_nat(n.bits);
    if (n.is(Kind::Size64)) return world_.lit_2_64();
    if (n.is(Kind::Type) && is_closed(world_, n.type().def)) return n.type().def;
    if (n.is(Kind::Axiom)) {
        const Def* type = n.axiom().axm ? static_cast<const Def*>(n.axiom().axm) : world_.idx();
        for (auto& g : n.axiom().groups) type = world_.app(type, reify(g, where));
        return type;
    }
    if (!n.is(Kind::Tuple)) fail("a type without a layout", where);
    std::vector<const Def*> elems;
    for (size_t i = 0; i != n.tuple().elems.size(); ++i) elems.push_back(reify(n.tuple().elems[i], where));
    return world_.tuple(elems);
}

/// Scalars are as large as they are aligned; a struct's fields follow each other, each at its alignment.
Layout Machine::compute_layout(const TypeView& v, const Def* where) {
    auto& dl = world_.layout;
    switch (v.form) {
        case TypeView::Nat: return {8, 8};
        case TypeView::Idx: {
            auto max = v.size - 1; // 2^64 - 1 for 2^64
            if (v.is_empty || max == 0) return {0, 1};
            if (max <= 0xff) return {1, 1};
            return max <= 0xffff ? Layout{2, 2} : max <= 0xffffffff ? Layout{4, 4} : Layout{8, 8};
        }
        case TypeView::Axiom: return axiom_layout(v, where);
        case TypeView::Sort:
        case TypeView::Bot:
        case TypeView::Top:
        case TypeView::Sing: return {0, 1};
        case TypeView::Pi: return {dl.pointer_size, dl.pointer_align};
        case TypeView::Arr: {
            if (v.is_empty) return {0, 1};
            auto e  = layout(elem_type(v.type, 0), where);
            auto sz = (unsigned __int128)e.size * (v.size ? (unsigned __int128)v.size : (unsigned __int128)1 << 64);
            if (sz >> 63) fail("a type that is larger than memory", where);
            return {uint64_t(sz), e.align};
        }
        case TypeView::Sigma: {
            Layout l{0, 1};
            for (uint64_t i = 0; i != v.size; ++i) {
                auto e = layout(elem_shape(v.type, i), where);
                l      = {round_up(l.size, e.align) + e.size, std::max(l.align, e.align)};
            }
            return {round_up(l.size, l.align), l.align};
        }
        case TypeView::Union: {
            auto tag = tag_size(v.size);
            Layout l{0, 1};
            for (uint64_t i = 0; i != v.size; ++i) {
                auto e = layout(elem_type(v.type, i), where);
                l      = {std::max(l.size, e.size), std::max(l.align, e.align)};
            }
            if (l.size == 0) return {tag, tag};
            auto align = std::max(tag, l.align);
            return {round_up(round_up(tag, l.align) + round_up(l.size, l.align), align), align};
        }
        default: fail("a type without a layout", where);
    }
}

/// The same, computed once for each type.
Layout Machine::layout(const Value& type, const Def* where) {
    tick(where);
    auto t     = force(type, where);
    auto known = t.is(Kind::Axiom) ? &t.axiom().layout : t.is(Kind::Type) ? &t.type().layout : nullptr;
    if (known && known->align) return *known;
    auto l = compute_layout(view(t), where);
    if (known) *known = l;
    return l;
}

/// Of what a union holds, behind its tag.
uint64_t Machine::payload_offset(const TypeView& u, const Def* where) {
    uint64_t align = 1;
    for (uint64_t i = 0; i != u.size; ++i) align = std::max(align, layout(elem_type(u.type, i), where).align);
    return round_up(tag_size(u.size), align);
}

uint64_t Machine::size_of(const Value& type, const Def* where) { return layout(type, where).size; }
uint64_t Machine::align_of(const Value& type, const Def* where) { return layout(type, where).align; }

} // namespace mim::eval
