// SPDX-License-Identifier: MIT
// What calls and aggregates get: a token at once, the rest by need, settled first; see machine.cpp.
#include "eval/machine.h"

namespace mim::eval {

static constexpr uint64_t settling_steps = 64;

/// def evaluated for a few steps, if it is that cheap and total; else its thunk.
Value Machine::settle(const Def* def, const Env& env) {
    if (budget_.is_attempt() || nodes_.info(def).aborted >= 2) return thunk(def, env);
    if (auto res = budget_.attempt(settling_steps, [&] { return copy(def, env); })) return res;
    ++nodes_.info(def).aborted;
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
            auto frame = nodes_.home(arg, env);
            if (frame->arg.is(Kind::Thunk) && frame->arg.thunk().value) frame->arg = Value(frame->arg.thunk().value);
            return frame->arg;
        }
        case Node::App: {
            Env frame;
            Value v;
            if (nodes_.find(arg, env, frame, v)) return v;
            break;
        }
        default: break;
    }
    if (nodes_.is_linear(arg->type())) {
        budget_.before_effect(); // a call that left its effects for later would be over before they happen
        return eval(arg, env);
    }
    return speculate ? settle(arg, env) : thunk(arg, env);
}

/// Evaluates what a function that the program names takes by value.
void Machine::fix_parts(const Lam* lam, const Value& arg, const Def* where) {
    for (auto& path : fixed_parts_.of(lam)) {
        try {
            auto part = arg;
            for (auto i : path) part = extract(force(part, where), i, where);
            by_value(part, where);
        } catch (UndefinedBehaviour&) {
            if (world_.checked) throw;
        }
    }
}

Value Machine::eval_tuple(const Tuple* def, const Env& env, bool speculate) {
    auto n = def->num_ops();
    Ref<TupleObj> t(heap_.make<TupleObj>());
    heap_.charge(*t, n * sizeof(Value));
    t->elems.resize(n);
    for (size_t i = 0; i != n; ++i) // effects first: the rest may look at their results
        if (nodes_.is_linear(def->op(i)->type())) t->elems[i] = argument(def->op(i), env, speculate);
    for (size_t i = 0; i != n; ++i)
        if (!t->elems[i]) t->elems[i] = argument(def->op(i), env, speculate);
    return Value(Kind::Tuple, t.get());
}

} // namespace mim::eval
