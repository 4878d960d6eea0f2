// SPDX-License-Identifier: MIT
// Looking at values: forced as far as asked for, in depth, as numbers, element by element.
#include "eval/machine.h"

#include <stdexcept>

namespace mim::eval {

Value Machine::host_fn(HostFn fn) {
    Ref<HostObj> h(heap_.make<HostObj>());
    h->fn = std::move(fn);
    return Value(Kind::Host, h.get());
}

Value Machine::dual(const Value& number, const Value& change, uint64_t direction) {
    Ref<DualObj> d(heap_.make<DualObj>());
    d->number    = number;
    d->change    = change;
    d->direction = direction;
    return Value(Kind::Dual, d.get());
}

Value Machine::member(const Value& value, const Value& type) {
    Ref<InjObj> v(heap_.make<InjObj>());
    v->value = value;
    v->type  = type;
    return Value(Kind::Inj, v.get());
}

Value Machine::tuple(Values elems) {
    if (elems.size() == 1) return elems[0];
    Ref<TupleObj> t(heap_.make<TupleObj>());
    heap_.charge(*t, elems.size() * sizeof(Value));
    t->elems = std::move(elems);
    return Value(Kind::Tuple, t.get());
}

Value Machine::force(const Value& v, const Def* where) {
    auto r = copy(v);
    if (!r.is(Kind::Poison)) return r;
    undefined("use of an uninitialised value", where ? where : r.left);
}

Value Machine::copy(const Value& v) {
    if (!v.is(Kind::Thunk)) return v;
    Ref<ThunkObj> t(&v.thunk());
    if (!t->value) {
        auto value = copy(t->def, t->env);
        t->value   = value;
        t->env     = {};
    }
    return copy(t->value);
}

Value Machine::eval(const Def* def, Env env) { return force(copy(def, std::move(env)), def); }

Value Machine::deep(const Value& v, const Def* where) {
    auto r = copy(v);
    budget_.tick(where);
    if (r.is(Kind::Tuple) && !r.tuple().is_deep) {
        for (size_t i = 0, n = r.tuple().elems.size(); i != n; ++i) {
            auto e             = deep(r.tuple().elems[i], where);
            r.tuple().elems[i] = e;
        }
        r.tuple().is_deep = true;
    } else if (r.is(Kind::Inj) && !r.inj().is_deep) {
        auto e          = deep(r.inj().value, where);
        r.inj().value   = e;
        r.inj().is_deep = true;
    }
    return r;
}

Value Machine::by_value(const Value& v, const Def* where) {
    if (world_.checked) return deep(v, where);
    Value r;
    try {
        r = copy(v);
    } catch (UndefinedBehaviour&) {
        return v;
    }
    if (r.is(Kind::Tuple) && !r.tuple().is_known) {
        for (size_t i = 0, n = r.tuple().elems.size(); i != n; ++i) {
            auto e             = by_value(r.tuple().elems[i], where);
            r.tuple().elems[i] = e;
        }
        r.tuple().is_known = true;
    } else if (r.is(Kind::Inj) && !r.inj().is_known) {
        auto e           = by_value(r.inj().value, where);
        r.inj().value    = e;
        r.inj().is_known = true;
    }
    return r;
}

bool is_unknown(const Value& v) {
    bool is_rigid = v.is(Kind::Host) && !v.host().fn;
    bool is_stuck = v.is(Kind::Axiom) && v.axiom().axm && v.axiom().axm->axiom().meaning;
    return is_rigid || is_stuck;
}

/// A meaning that reads more groups than its axiom has gets nothing there.
static void check_is_there(const Value& v) {
    if (v.is(Kind::None)) throw std::out_of_range("it reads a group that is not there");
}

uint64_t Machine::num(const Value& v) {
    auto n = force(v);
    while (n.is(Kind::Dual)) reads_dual_ = true, n = Value(n.dual().number);
    if (n.is(Kind::Num)) return n.bits;
    check_is_there(n);
    if (is_unknown(n)) throw Unknown("expected a number, got what a binder of a type decides", nullptr);
    if (n.is(Kind::Size64)) fail("2^64 is a size, not a number to compute with", nullptr);
    fail("expected a number, got " + show(n), nullptr);
}

uint64_t Machine::size(const Value& v) {
    auto n = force(v);
    return n.is(Kind::Size64) ? 0 : num(n);
}

Value Machine::elem(const Value& v, uint64_t i, uint64_t arity) {
    if (arity == 1) return v;
    return extract(force(v), i, nullptr);
}

/// An element of a forced aggregate, maybe a thunk.
Value Machine::extract(const Value& t, uint64_t i, const Def* where) {
    if (t.is(Kind::Pack)) return pack_elem(t.pack(), i);
    check_is_there(t);
    if (!t.is(Kind::Tuple)) fail("expected a tuple, got " + show(t), where);
    if (i >= t.tuple().elems.size()) undefined("index out of range", where);
    auto& e = t.tuple().elems[i];
    if (e.is(Kind::Thunk) && e.thunk().value) e = Value(e.thunk().value);
    return e;
}

} // namespace mim::eval
