// SPDX-License-Identifier: MIT
// For the evaluator: code is the value of its expression, and a check evaluates its condition. Questions about terms have no meaning
// at run time: they are answered while the program is compiled.
#include "eval/machine.h"
#include "refly.h"

namespace mim::plug::refly {

namespace {

using eval::Machine;
using eval::Value;

Value mean_itself(Machine& m, const Def*) { return m.group(1); }

Value mean_check(Machine& m, const Def* app) {
    auto n                      = m.size(m.group(1));
    auto [cond, value, message] = m.elems<3>(m.group(2));
    if (m.flag(cond)) return value;
    std::string text;
    for (uint64_t i = 0; i != n; ++i) text += printable(m.num(m.elem(message, i, n)));
    m.undefined("the check `" + text + "` failed", app);
}

} // namespace

void register_meanings(PluginBuilder& p) {
    for (auto axiom : {"%refly.reify", "%refly.reflect", "%refly.dbg"}) p.axiom(axiom).meaning(mean_itself);
    p.axiom("%refly.check").meaning(mean_check);
}

} // namespace mim::plug::refly
