// SPDX-License-Identifier: MIT
// See meaning.h. A base is the function that takes its result. All calls between `enter` and `put` are jumps, so a function that has nobody
// to return to ends the evaluation that `enter` began, and `enter` finds the result.
#include "meaning.h"

#include <functional>
#include <memory>

#include "eval/machine.h"

namespace mim::plug::clos {

/// The functions are known only when `code` has returned, so it gets some that ask later. It makes them of λs and calls none.
eval::Value mean_make(eval::Machine& m, const Def*) {
    auto n         = m.num(m.elem(m.group(0), 1, 3));
    auto functions = std::make_shared<eval::Value>();
    eval::Values later;
    for (uint64_t i = 0; i != n; ++i)
        later.push_back(m.host_fn([=](eval::Machine& m, eval::Value arg) { return m.call(m.elem(*functions, i, n), arg); }));
    auto env   = m.elem(m.group(1), 0);
    auto code  = m.elem(m.group(1), 1);
    *functions = m.call(code, m.tuple({env, m.tuple(std::move(later))}));
    return *functions;
}

/// Returning to it ends the evaluation of a program in continuation-passing style.
static eval::Value nobody(eval::Machine& m) {
    return m.host_fn([](eval::Machine&, eval::Value result) { return result; });
}

/// `arg_for` says for a base what `body` gets.
static eval::Value wait_for(eval::Machine& m, const Def* app, eval::Value body,
                            const std::function<eval::Value(eval::Value)>& arg_for) {
    auto result = std::make_shared<eval::Value>();
    auto base   = m.host_fn([result, app](eval::Machine& m, eval::Value value) {
        if (*result) m.fail("a call from outside gets a second result", app);
        return *result = value;
    });
    m.call(m.force(body), m.tuple({arg_for(base), nobody(m)}));
    if (!*result) m.fail("a call from outside is left without a result", app);
    return *result;
}

eval::Value mean_enter(eval::Machine& m, const Def* app) {
    auto [arg, body] = m.elems<2>(m.group(1));
    return wait_for(m, app, body, [&](auto base) { return m.tuple({base, arg}); });
}

eval::Value mean_wait(eval::Machine& m, const Def* app) {
    return wait_for(m, app, m.group(1), [](auto base) { return base; });
}

eval::Value mean_put(eval::Machine& m, const Def*) {
    auto [base, result] = m.elems<2>(m.group(1));
    m.call(m.force(base), m.force(result));
    return m.tuple({});
}

/// A function that returns, for those who call it without saying where to.
eval::Value mean_as(eval::Machine& m, const Def*) {
    auto function = m.force(m.group(1));
    return m.host_fn([function](eval::Machine& m, eval::Value arg) { return m.go_on(function, m.tuple({arg, nobody(m)})); });
}

} // namespace mim::plug::clos
