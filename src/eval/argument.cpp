// SPDX-License-Identifier: MIT
// What calls and aggregates get: a token at once, the rest by need, settled first; see machine.cpp.
#include "eval/machine.h"

namespace mim::eval {

static constexpr uint64_t speculative_steps = 64;

bool Machine::is_linear(const Def* type) {
    auto known = info(type).linear;
    if (known != 2) return known;
    info(type).linear = 0; // a recursive type has its token elsewhere too, if at all
    bool res          = false;
    if (auto axm = head_axiom(type)) {
        res = axm->axiom().has(Axiom::LinearType);
    } else if (auto sigma = type->isa<Sigma>()) {
        for (auto op : sigma->ops()) res |= op && is_linear(op);
    } else if (auto arr = type->isa<Arr>()) {
        res = is_linear(arr->body());
    }
    info(type).linear = res;
    return res;
}

/// def evaluated for a few steps, if it is that cheap and total; else its thunk.
Value Machine::settle(const Def* def, const Env& env) {
    if (speculation_ != ~uint64_t(0) || info(def).aborted >= 2) return thunk(def, env);
    speculation_ = steps_ + speculative_steps;
    Value res;
    try {
        res = copy(def, env);
    } catch (Abandon&) {
    } catch (UndefinedBehaviour&) {
    } catch (Failure&) {}
    speculation_ = ~uint64_t(0);
    if (res) return res;
    ++info(def).aborted;
    return thunk(def, env);
}

/// What a call or an aggregate holds for this operand.
Value Machine::argument(const Def* arg, const Env& env, bool speculate) {
    switch (arg->node()) {
        case Node::Lit:
        case Node::Lam:
        case Node::Axm:
        case Node::Nat:
        case Node::Bot: return eval(arg, env);
        case Node::Tuple: return eval_tuple(arg->as<Tuple>(), env, speculate);
        case Node::Var: {
            auto frame = home(arg, env);
            if (frame->arg.is(Kind::Thunk) && frame->arg.thunk().value) frame->arg = Value(frame->arg.thunk().value);
            return frame->arg;
        }
        case Node::App: {
            Env frame;
            Value v;
            if (find_memo(arg, env, frame, v)) return v;
            break;
        }
        default: break;
    }
    if (is_linear(arg->type())) {
        no_speculation(); // a call that left its effects for later would be over before they happen
        return eval(arg, env);
    }
    return speculate ? settle(arg, env) : thunk(arg, env);
}

Value Machine::eval_tuple(const Tuple* def, const Env& env, bool speculate) {
    auto n = def->num_ops();
    Ref<TupleObj> t(heap_.make<TupleObj>());
    heap_.charge(*t, n * sizeof(Value));
    t->elems.resize(n);
    for (size_t i = 0; i != n; ++i) // effects first: the rest may look at their results
        if (is_linear(def->op(i)->type())) t->elems[i] = argument(def->op(i), env, speculate);
    for (size_t i = 0; i != n; ++i)
        if (!t->elems[i]) t->elems[i] = argument(def->op(i), env, speculate);
    return Value(Kind::Tuple, t.get());
}

} // namespace mim::eval
