// SPDX-License-Identifier: MIT
// Aggregates and unions: selection, functional update, packs, injection, and the arm of a match.
#include "eval/machine.h"

namespace mim::eval {

static constexpr uint64_t written_out = 65536; ///< packs up to this length become tuples

/// Whether `Idx n` has n = 1, so that an aggregate it indexes is its only element.
static bool is_one(Machine& m, const Def* type, const Env& env) {
    auto n = isa_idx(type);
    if (!n) return false;
    if (auto lit = n->isa<Lit>()) return !lit->is_2_64() && lit->value() == 1;
    return m.size(m.eval(n, env)) == 1;
}

/// e#i: either the expression to go on with (in def), or the result.
bool Machine::step_extract(const Extract* ex, const Def*& def, const Env& env, Value& result) {
    auto go_on = [&](const Def* d) {
        def = d;
        return true;
    };
    if (is_one(*this, ex->index()->type(), env)) return go_on(ex->tuple());
    auto i = num(eval(ex->index(), env));
    if (auto tuple = ex->tuple()->isa<Tuple>()) {
        if (i >= tuple->num_ops()) undefined("index out of range", ex);
        return go_on(tuple->op(i));
    }
    auto t = copy(ex->tuple(), env);
    if (t.is(Kind::Poison)) {
        result = t;
        return false;
    }
    auto e = extract(t, i, ex);
    result = copy(e);
    if (e.is(Kind::Thunk) && t.is(Kind::Tuple)) t.tuple().elems[i] = result;
    return false;
}

Value Machine::eval_insert(const Insert* ins, const Env& env) {
    if (is_one(*this, ins->index()->type(), env)) return copy(ins->value(), env);
    auto i = num(eval(ins->index(), env));
    auto t = eval(ins->tuple(), env);
    auto v = by_value(argument(ins->value(), env, true), ins);
    if (t.is(Kind::Pack)) {
        Ref<PackObj> copy(heap_.make<PackObj>());
        auto& p     = t.pack();
        copy->arity = p.arity, copy->def = p.def, copy->env = p.env, copy->changed = p.changed;
        copy->changed.emplace_back(i, v);
        heap_.charge(*copy, copy->changed.size() * sizeof(copy->changed[0]));
        return Value(Kind::Pack, copy.get());
    }
    if (!t.is(Kind::Tuple)) fail("expected a tuple, got " + show(t), ins);
    auto elems = t.tuple().elems;
    if (i >= elems.size()) undefined("index out of range", ins);
    elems[i] = v;
    return tuple(std::move(elems));
}

/// The element that all share is by value, also if there are none of them.
Value Machine::eval_pack(const Pack* pack, const Env& env) {
    auto n      = eval(pack->arity(), env);
    auto arity  = size(n);
    auto shared = pack->is_mut() ? Value() : by_value(argument(pack->body(), env, false), pack);
    auto elem   = [&](uint64_t i) {
        return pack->is_mut() ? thunk(pack->body(), bind(pack, Value::num(i), nodes_.home(pack, env))) : shared;
    };
    if (n.is(Kind::Num) && arity == 1) return copy(elem(0));
    if (n.is(Kind::Size64) || arity > written_out) {
        Ref<PackObj> p(heap_.make<PackObj>());
        p->arity = arity, p->def = pack, p->env = nodes_.home(pack, env);
        return Value(Kind::Pack, p.get());
    }
    Ref<TupleObj> t(heap_.make<TupleObj>());
    heap_.charge(*t, arity * sizeof(Value));
    if (pack->is_mut()) {
        for (uint64_t i = 0; i != arity; ++i) t->elems.push_back(elem(i));
    } else if (arity != 0) {
        t->elems.assign(arity, elem(0));
    }
    return Value(Kind::Tuple, t.get());
}

Value Machine::pack_elem(PackObj& p, uint64_t i) {
    for (auto it = p.changed.rbegin(); it != p.changed.rend(); ++it)
        if (it->first == i) return it->second;
    if (p.arity != 0 && i >= p.arity) undefined("index out of range", p.def);
    if (!p.def->is_mut()) return argument(p.def->body(), p.env, false);
    return thunk(p.def->body(), bind(p.def, Value::num(i), p.env));
}

Value Machine::eval_inj(const Inj* inj, const Env& env) {
    auto value = by_value(argument(inj->value(), env, true), inj);
    if (!types_.sole_member(inj->type(), env).is(Kind::None)) return value; // one member alone is itself
    auto member = eval(inj->member(), env);
    if (types_.view(member).form == TypeView::Union) return force(value, inj); // it has its member already
    return this->member(value, member);
}

/// The arm that the scrutinee's member selects, and in arg what to call it with.
Value Machine::select_arm(const Match* match, const Env& env, Value& arg) {
    auto v = eval(match->scrutinee(), env);
    if (!v.is(Kind::Inj)) {
        if (match->num_ops() != 2) fail("match on something that is no union", match);
        arg = v;
        return eval(match->op(1), env);
    }
    arg = v.inj().value;
    for (auto arm : match->arms())
        if (types_.same_type(eval(arm->type()->as<Pi>()->dom(), env), v.inj().type)) return eval(arm, env);
    fail("no arm of the match has the type of the value", match);
}

} // namespace mim::eval
