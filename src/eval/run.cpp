// SPDX-License-Identifier: MIT
// Running on a big stack: direct-style recursion nests on the C++ stack; Budget::tick turns its end into a failure.
#include "eval/eval.h"

#include "base/stack.h"

namespace mim::eval {

Result run(World& world, const std::function<int(Machine&)>& body, const Limits& limits) {
    Result res;
    auto work = [&] {
        Machine m(world, limits);
        add_c_functions(m);
        auto stop = [&](Result::Status status, std::string message, const Def* where) {
            res.status = status, res.message = std::move(message), res.where = where;
        };
        try {
            res.exit_code = body(m) & 0xff;
        } catch (Exit& e) {
            res.exit_code = e.code & 0xff;
        } catch (UndefinedBehaviour& e) {
            stop(Result::Undefined, e.message, e.where);
        } catch (Failure& e) {
            stop(Result::Failed, e.message, e.where);
        } catch (Error& e) {
            if (e.id == Diag::plugin_fault) throw; // of a meaning
            stop(Result::Failed, e.what(), nullptr);
        } catch (std::bad_alloc&) {
            stop(Result::Failed, "out of memory", nullptr);
        }
        res.output = m.hosts().output();
        res.steps  = m.budget().steps();
    };
    run_on_big_stack(work);
    return res;
}

Result evaluate(World& world, const Def* closed, const std::function<void(Machine&, const Value&)>& see, const Limits& limits) {
    return run(world, [&](Machine& m) { return see(m, m.deep(m.eval(closed))), 0; }, limits);
}

/// Calls fn, whatever its style, with one argument value.
static Value call_any(Machine& m, const Def* fn, const Value& arg) {
    auto f  = m.eval(fn);
    auto pi = fn->type()->isa<Pi>();
    if (!pi) m.fail("this is no function", fn);
    if (!pi->is_cn()) return m.call(f, arg);
    auto dom         = pi->dom();
    bool only_return = dom->isa<Pi>();
    return m.call_cps(f, only_return ? nullptr : &arg);
}

Result call(World& world, const Def* fn, Defs args, const std::function<void(Machine&, const Value&)>& see,
            const Limits& limits) {
    auto body = [&](Machine& m) {
        Values values;
        for (auto a : args) values.push_back(m.eval(a));
        see(m, m.deep(call_any(m, fn, m.tuple(std::move(values)))));
        return 0;
    };
    return run(world, body, limits);
}

namespace {
Value make_argv(Machine& m, const std::vector<std::string>& args) {
    Values ptrs;
    for (auto& a : args) ptrs.push_back(m.memory().c_string(a));
    ptrs.push_back(Value::null_ptr());
    return m.memory().c_array(ptrs);
}

bool is_token(const Def* type) {
    auto axm = head_axiom(type);
    return axm && axm->axiom().has(Axiom::LinearType);
}

/// The arguments that this domain of `main` asks for: a token, argc, argv.
Value main_args(Machine& m, const Def* dom, const std::vector<std::string>& args) {
    if (is_token(dom)) return Value::token();
    if (isa_idx(dom)) return Value::num(args.size());
    if (head_axiom(dom)) return make_argv(m, args);
    Values values;
    if (auto sigma = dom->isa<Sigma>())
        for (auto op : sigma->ops()) values.push_back(main_args(m, op, args));
    else if (auto arr = dom->isa<Arr>(); !arr || lit_arity(m.world(), dom) != 0)
        m.fail("`main` has a type the evaluator cannot call", dom);
    return m.tuple(std::move(values));
}

int exit_code(Machine& m, const Value& result) {
    auto v = m.force(m.deep(result));
    if (v.is(Kind::Num)) return static_cast<int>(v.bits & 0xff);
    if (v.is(Kind::Tuple))
        for (auto& e : v.tuple().elems)
            if (m.force(e).is(Kind::Num)) return static_cast<int>(m.num(e) & 0xff);
    return 0;
}
} // namespace

Result run_main(World& world, const std::vector<std::string>& args, const Limits& limits) {
    auto body = [&](Machine& m) {
        auto main = world.externals.find("main");
        if (!main) m.fail("the program has no `main`", nullptr);
        auto dom = main->dom();
        if (!main->is_cn()) return exit_code(m, m.call(m.eval(main), main_args(m, dom, args)));
        if (dom->isa<Pi>()) return exit_code(m, m.call_cps(m.eval(main), nullptr));
        // Cn [T, Cn U]; the group T may be empty, and a Σ of two equal types would be an array
        if (lit_arity(world, dom) != 2 || !dom->isa<Sigma>()) m.fail("`main` has a type the evaluator cannot call", main);
        auto arg = main_args(m, dom->op(0), args);
        return exit_code(m, m.call_cps(m.eval(main), &arg));
    };
    return run(world, body, limits);
}

} // namespace mim::eval
