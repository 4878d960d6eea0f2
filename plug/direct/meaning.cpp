// SPDX-License-Identifier: MIT
// Lazy values for the evaluator: a pair of the code, or a token once it has run, and the value.
#include "eval/machine.h"
#include "lazy.h"

namespace mim::plug::direct {

namespace {

eval::Value mean_done(eval::Machine& m, const Def*) { return m.tuple({eval::Value::token(), m.group(1)}); }
eval::Value mean_delay(eval::Machine& m, const Def*) { return m.tuple({m.group(1), eval::Value::token()}); }

eval::Value mean_force(eval::Machine& m, const Def*) {
    auto lazy = m.force(m.group(1));
    auto code = m.force(lazy.tuple().elems[0]);
    if (!code.is(eval::Kind::Token)) {
        auto value            = m.call_cps(code, nullptr);
        lazy.tuple().elems[0] = eval::Value::token();
        lazy.tuple().elems[1] = value;
    }
    return lazy.tuple().elems[1];
}

eval::Value mean_fill(eval::Machine& m, const Def*) {
    auto n    = m.size(m.group(0));
    auto code = m.force(m.group(2));
    eval::Values elems;
    for (uint64_t i = 0; i != n; ++i) {
        auto index = eval::Value::num(i);
        elems.push_back(m.call_cps(code, &index));
    }
    return m.tuple(std::move(elems));
}

} // namespace

void register_meanings(PluginBuilder& p) {
    p.axiom("%direct.done").meaning(mean_done);
    p.axiom("%direct.delay").meaning(mean_delay);
    p.axiom("%direct.once").meaning(mean_delay);
    p.axiom("%direct.force").meaning(mean_force);
    p.axiom("%direct.fill").meaning(mean_fill);
}

} // namespace mim::plug::direct
