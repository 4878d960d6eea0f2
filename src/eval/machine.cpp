// SPDX-License-Identifier: MIT
// Evaluation by need over the graph, with environments instead of substitution.
//
// An environment is a chain of frames, one for each binder around the expression, innermost first. The *home* of a node is the frame
// of the innermost binder whose variable is free in it: there its value is kept, so it is evaluated once for each activation of
// what it depends on (which is what makes an effect happen once), and to it a closure's or thunk's environment is cut, so that
// a loop of continuations does not grow its environment. `eval` iterates over calls in tail position: continuation-passing
// programs, and direct-style tail calls, need no stack.
//
// Arguments of direct-style functions that the program names are by need. As a recursion would then pile up thunks (i
// + 1 + 1 + …), an argument is *settled* first: evaluated for a few steps, without effects, and left as a thunk if
// that does not suffice or is undefined. The call evaluates arguments that the function always needs first, as compiled
// code does, and those that types in the function mention (fixed_parts.h).
// Tokens are forced at once: a call consumes its token. By value are also the arguments of continuations and of
// functions that are only known at run time, results, and the parts of aggregates that are made at run time, as in
// compiled code: so it shows here if a program relies on something that it must not rely on.
#include "eval/machine.h"

#include <algorithm>

#include "eval/needed.h"
#include "ir/hook.h"
#include "ir/token_types.h"

namespace mim::eval {

namespace {
constexpr size_t max_groups = 16;

bool yields_type(const Def* type) { return last_codom(type)->node() == Node::Sort; }
bool is_c(const Axiom& a) { return a.kind != Axiom::Op; }

/// The axiom at the head if `app` has exactly the groups that it takes; their number.
const Axm* static_axiom(const Def* app, size_t& groups) {
    groups = 0;
    while (auto a = app->isa<App>()) app = a->callee(), ++groups;
    auto axm = app->isa<Axm>();
    return axm && !is_c(axm->axiom()) && groups <= max_groups && num_params(axm->type()) == groups ? axm : nullptr;
}

bool is_aggregate(const Value& v) { return v.is(Kind::Tuple) || v.is(Kind::Closure) || v.is(Kind::Inj) || v.is(Kind::Type); }

bool is_atom(const Value& v) { return v.is(Kind::Num) || v.is(Kind::Size64) || v.is(Kind::Token) || v.is(Kind::Ptr); }

std::string misfit(World&, const Value&, const Def* type);

std::string misfit_of_number(const Value& v, const Def* type) {
    if (is_aggregate(v)) return show(v) + ", which is no number";
    auto size      = isa_idx(type);
    auto n         = size ? size->isa<Lit>() : nullptr;
    bool is_inside = !n || n->is_2_64() || !v.is(Kind::Num) || v.bits < n->value();
    return is_inside ? "" : show(v) + ", which is not below " + std::to_string(n->value());
}

std::string misfit_of_elements(World& world, const Values& elems, const Def* type) {
    for (size_t i = 0; i != elems.size(); ++i) {
        auto sigma = type->isa<Sigma>();
        auto wrong = misfit(world, elems[i], sigma ? sigma->op(i) : type->as<Arr>()->body());
        if (!wrong.empty()) return wrong + ", as element " + std::to_string(i);
    }
    return {};
}

/// Why this value, as far as it is evaluated, is none of the type; empty if it is one. A size that depends on a variable is not
/// known here.
std::string misfit(World& world, const Value& v, const Def* type) {
    if (type->node() == Node::Nat || isa_idx(type)) return misfit_of_number(v, type);
    if (type->isa<Pi>()) return is_atom(v) || v.is(Kind::Tuple) ? show(v) + ", which is no function" : "";
    bool has_elements = type->isa<Sigma>() || type->isa<Arr>();
    auto n            = has_elements ? lit_arity(world, type) : -1;
    if (n < 0 || n == 1) return {};
    if (is_atom(v)) return show(v) + ", which has no elements";
    if (!v.is(Kind::Tuple)) return {};
    auto& elems = v.tuple().elems;
    if (elems.size() != static_cast<size_t>(n)) return show(v) + ", which does not have " + std::to_string(n) + " elements";
    return misfit_of_elements(world, elems, type);
}

/// Whether a call evaluates its argument first: it jumps to a continuation, or to a function that the program does not name, such as what
/// another call returns.
bool is_by_value(const Def* callee) {
    if (auto pi = callee->type()->isa<Pi>(); pi && pi->is_cn()) return true;
    if (auto choice = callee->isa<Extract>()) return !choice->tuple()->isa<Tuple>();
    size_t groups;
    if (static_axiom(callee, groups)) return true; // an operation that yields a function
    auto head = callee;
    while (auto app = head->isa<App>()) head = app->callee();
    return !callee->isa<Lam>() && !head->isa<Axm>();
}
} // namespace

Machine::Machine(World& world, const Limits& limits)
    : world_(world)
    , budget_(limits.steps)
    , heap_(limits.memory)
    , needed_(std::make_unique<NeededArguments>(*this, world))
    , hosts_(budget_, limits.output)
    , root_(heap_.make<Frame>()) {}

Machine::~Machine() = default;

/// An operation that is called through a variable is the one whose meaning is running.
void Machine::undefined(std::string_view what, const Def* where) {
    bool by_name = !where || !where->isa<App>() || head_axiom(where);
    throw UndefinedBehaviour{undefined_text(what, by_name ? where : axm_), where};
}
void Machine::fail(std::string_view what, const Def* where) { throw Failure{std::string(what), where}; }

Env Machine::bind(const Def* binder, const Value& arg, const Env& env) {
    auto f    = heap_.make<Frame>();
    f->binder = binder;
    f->arg    = arg;
    f->parent = env;
    f->depth  = depth_;
    return f;
}

Value Machine::thunk(const Def* def, const Env& env) {
    Ref<ThunkObj> t(heap_.make<ThunkObj>());
    t->def = def;
    t->env = nodes_.home(def, env);
    return Value(Kind::Thunk, t.get());
}

Value Machine::type_value(const Def* def, const Env& env) {
    Ref<TypeObj> t(heap_.make<TypeObj>());
    t->def = def;
    t->env = nodes_.home(def, env);
    return Value(Kind::Type, t.get());
}

Value Machine::run_axiom(const Axm* axm, const Value* groups, size_t n, const Def* where, const Env& at) {
    auto& axiom   = axm->axiom();
    auto as_value = [&] {
        Ref<AxiomObj> v(heap_.make<AxiomObj>());
        v->axm = axm;
        v->groups.assign(groups, groups + n);
        return Value(Kind::Axiom, v.get());
    };
    if (!axiom.meaning) {
        if (yields_type(axm->type())) return as_value();
        fail("`" + axiom.name.str() + "` has no meaning for the evaluator", where);
    }
    if (used) used->insert(&axiom);
    struct Restore {
        Machine& m;
        const Value* groups = m.groups_;
        size_t n            = m.num_groups_;
        const Axm* axm      = m.axm_;
        Env env             = m.env_;
        bool reads_dual     = m.reads_dual_;
        ~Restore() { m.groups_ = groups, m.num_groups_ = n, m.axm_ = axm, m.env_ = env, m.reads_dual_ = reads_dual; }
    } restore{*this};
    groups_ = groups, num_groups_ = n, axm_ = axm, env_ = at, reads_dual_ = false;
    Value value;
    try {
        value = call_hook(axiom, "the meaning of", where, [&] { return axiom.meaning(*this, where); });
    } catch (const Unknown&) { // it waits for a binder of a type
        return as_value();
    }
    bool has_value = !value.is(Kind::None) || !next_.is(Kind::None); // none: it leaves a call to be made
    if (!has_value) hook_broke(axiom, "the meaning of", where, "gives no value");
    value = copy(value);
    if (reads_dual_ && derive_ && value) value = derive_(*this, axm, Values(groups, groups + n), value, where);
    bool is_typed = where && head_axiom(where) == axm; // else it is called through a variable
    auto wrong    = is_typed ? misfit(world_, value, where->type()) : std::string();
    if (!wrong.empty()) hook_broke(axiom, "the meaning of", where, "gives " + wrong);
    return value;
}

/// An application of an axiom that is written with all its groups: no partial applications are built.
Value Machine::eval_axiom_app(const Axm* axm, const Def* app, const Env& env) {
    Value groups[max_groups];
    size_t n = 0;
    for (auto d = app; d->node() == Node::App; d = d->as<App>()->callee()) ++n;
    auto i = n;
    for (auto d = app; d->node() == Node::App; d = d->as<App>()->callee())
        groups[--i] = argument(d->as<App>()->arg(), env, false);
    return run_axiom(axm, groups, n, app, env);
}

/// The declaration of a C function says whether a token comes out: what a host has returned gets that form.
Value Machine::as_declared(const Value& result, const Def* type, const std::string& name, const Def* where) {
    bool is_token = !type->isa<Sigma>() && TokenTypes(world_).contains(type);
    if (is_token) return Value::token();
    auto number = result.is(Kind::Tuple) && !result.tuple().elems.empty() ? result.tuple().elems.back() : result;
    for (auto& form : {result, number, tuple({Value::token(), number})})
        if (misfit(world_, form, type).empty()) return form;
    fail("the evaluator knows the C function `" + name + "` with another result", where);
}

/// A C function: evaluates its arguments, does it, and goes on with the return continuation.
void Machine::call_c(const mim::Axiom& c, const Def* type, Value& fn, Value& arg, const Def* where) {
    budget_.before_effect();
    auto host = hosts_.find(c.name.str());
    if (!host) fail("the evaluator does not know the C function `" + c.name.str() + "`", where);
    auto dom     = type->as<Pi>()->dom();
    auto k       = lit_arity(world_, dom);
    auto last    = dom->isa<Sigma>() && k > 0 ? dom->op(k - 1)->isa<Pi>() : nullptr;
    auto returns = c.kind == Axiom::CFun || (last && last->is_cn());
    if (!returns) {
        (*host)(*this, deep(arg, where));
        fail("the C function `" + c.name.str() + "` has returned", where);
    }
    auto all = force(arg, where);
    Values args;
    for (int64_t i = 0; i + 1 < k; ++i) args.push_back(extract(all, i, where));
    auto ret    = force(extract(all, k - 1, where), where);
    auto result = (*host)(*this, deep(tuple(std::move(args)), where));
    fn = ret, arg = as_declared(result, last->dom(), c.name.str(), where);
}

/// Calls fn with arg: either the body to go on with (in def and env), or the result.
bool Machine::enter(Value fn, Value arg, const Def* where, const Env& at, const Def*& def, Env& env, Value& result) {
    for (;;) {
        switch (fn.kind) {
            case Kind::Closure: {
                auto& c = fn.closure();
                if (!c.lam->is_set()) fail("call of a function without a body", where);
                activations_.end_waiting(c);
                env = bind(c.lam, arg, c.env);
                def = c.lam->body();
                return true;
            }
            case Kind::Host: {
                if (!fn.host().fn) fail("a variable of a type was called", where);
                auto f = fn; // the handle keeps it alive
                activations_.end_waiting(f.host());
                result = copy(f.host().fn(*this, arg));
                if (goes_on(fn, arg)) continue;
                return false;
            }
            case Kind::Axiom: {
                auto& a = fn.axiom();
                if (a.axm && is_c(a.axm->axiom())) {
                    budget_.tick(where);
                    call_c(a.axm->axiom(), a.axm->type(), fn, arg, where);
                    continue;
                }
                auto groups = a.groups;
                groups.push_back(arg);
                auto n = groups.size();
                if (a.axm && n == num_params(a.axm->type())) {
                    groups.resize(std::max(n, max_groups)); // a meaning may read more
                    result = run_axiom(a.axm, groups.data(), n, where, at);
                    if (goes_on(fn, arg)) continue;
                } else {
                    Ref<AxiomObj> more(heap_.make<AxiomObj>());
                    more->axm    = a.axm;
                    more->groups = std::move(groups);
                    result       = Value(Kind::Axiom, more.get());
                }
                return false;
            }
            default: fail("call of something that is no function: " + show(fn), where);
        }
    }
}

Value Machine::call(const Value& fn, const Value& arg) {
    const Def* def = nullptr;
    Env env;
    Value result;
    if (enter(force(fn), arg, nullptr, env_ ? env_ : root_, def, env, result)) return copy(def, std::move(env));
    return result;
}

Value Machine::go_on(Value fn, Value arg) {
    next_ = force(fn), next_arg_ = std::move(arg);
    return {};
}

/// What a meaning or host function left to be called.
bool Machine::goes_on(Value& fn, Value& arg) {
    if (next_.is(Kind::None)) return false;
    fn = std::exchange(next_, {}), arg = std::exchange(next_arg_, {});
    return true;
}

/// A function ends in an effect of the code around it, and other code looks at the effect, too: the value must be kept.
bool Machine::is_shared_effect(const Def* def, const Def* first, const Frame& home, const Frame& at) {
    bool is_at_end = def != first && &home != &at && def->type()->node() != Node::Bot;
    return is_at_end && nodes_.may_be_effect(def) && nodes_.is_shared(def);
}

Value Machine::copy(const Def* def, Env env) {
    struct Nested {
        Machine& m;
        ~Nested() { --m.depth_; }
    } nested{*this};
    ++depth_;
    Env target; // where the value of `first` is kept
    const Def* first = def;
    Value result;
    bool is_whole = false; // made by a call or a choice
    for (bool done = false; !done;) {
        budget_.tick(def);
        switch (def->node()) {
            case Node::Lit:
                result = def->as<Lit>()->is_2_64() ? Value::size64() : Value::num(def->as<Lit>()->value()), done = true;
                break;
            case Node::Var: {
                auto frame = nodes_.home(def, env);
                result     = copy(frame->arg);
                if (frame->arg.is(Kind::Thunk)) frame->arg = result;
                done = true;
                break;
            }
            case Node::Lam: {
                Ref<ClosureObj> c(heap_.make<ClosureObj>());
                c->lam = def->as<Lam>();
                c->env = nodes_.home(def, env);
                result = Value(Kind::Closure, c.get());
                done   = true;
                break;
            }
            case Node::Axm: {
                auto axm = def->as<Axm>();
                if (axm->axiom().meaning && num_params(axm->type()) == 0) {
                    result = run_axiom(axm, nullptr, 0, def, env);
                } else {
                    Ref<AxiomObj> a(heap_.make<AxiomObj>());
                    a->axm = axm;
                    result = Value(Kind::Axiom, a.get());
                }
                done = true;
                break;
            }
            case Node::Idx: result = Value(Kind::Axiom, Ref<AxiomObj>(heap_.make<AxiomObj>()).get()), done = true; break;
            case Node::Sort:
            case Node::Bot:
            case Node::Top:
            case Node::Nat:
            case Node::Pi:
            case Node::Sigma:
            case Node::Arr:
            case Node::Union:
            case Node::Sing: result = type_value(def, env), done = true; break;
            case Node::Tuple: result = eval_tuple(def->as<Tuple>(), env, false), done = true; break;
            case Node::Hole: {
                auto solution = def->as<Hole>()->solution();
                if (!solution) fail("an unsolved placeholder cannot be evaluated", def);
                def = solution;
                break;
            }
            case Node::Inj: result = eval_inj(def->as<Inj>(), env), done = true; break;
            case Node::Extract: {
                // not kept itself: the index and the chosen element are, and a kept closure would refer to its own frame
                bool is_first = def == first && !target;
                is_whole      = is_whole || def->as<Extract>()->tuple()->isa<Tuple>();
                done          = !step_extract(def->as<Extract>(), def, env, result);
                if (!done && is_first) first = def;
                break;
            }
            case Node::Insert:
            case Node::Pack: {
                Env frame;
                done = true;
                if (nodes_.find(def, env, frame, result)) break;
                if (def == first && !target) target = frame;
                result = def->node() == Node::Pack ? eval_pack(def->as<Pack>(), env) : eval_insert(def->as<Insert>(), env);
                break;
            }
            case Node::Match:
            case Node::App: {
                if (def->is_mut()) {
                    result = type_value(def, env), done = true;
                    break;
                }
                Env frame;
                if (nodes_.find(def, env, frame, result)) {
                    done = true;
                    break;
                }
                if (def == first && !target && def->type()->node() != Node::Bot) target = frame;
                if (is_shared_effect(def, first, *frame, *env)) {
                    result = copy(def, env);
                    done   = true;
                    break;
                }
                size_t n;
                Value fn, arg;
                auto where = def;
                if (auto axm = static_axiom(def, n)) {
                    result = eval_axiom_app(axm, def, env);
                    if (!goes_on(fn, arg)) {
                        done = true;
                        break;
                    }
                } else if (auto match = def->isa<Match>()) {
                    fn       = select_arm(match, env, arg);
                    is_whole = true;
                } else {
                    fn          = eval(def->as<App>()->callee(), env);
                    auto strict = is_by_value(def->as<App>()->callee());
                    arg         = argument(def->as<App>()->arg(), env, !strict);
                    if (strict) arg = by_value(arg, def);
                    else if (auto lam = def->as<App>()->callee()->isa<Lam>()) fix_parts(lam, arg, def);
                    if (fn.is(Kind::Closure)) needed_->evaluate(fn.closure(), arg);
                    is_whole = is_whole || fn.is(Kind::Closure);
                }
                auto at = env;
                done    = !enter(std::move(fn), std::move(arg), where, at, def, env, result);
                break;
            }
        }
    }
    if (is_whole) result = by_value(result, first);
    activations_.end_from(depth_);
    if (target) nodes_.keep(first, *target, result);
    return result;
}

} // namespace mim::eval
