// SPDX-License-Identifier: MIT
// What the operations of `mem` mean, for the reference evaluator. The machine keeps the memory and reports null, dangling and
// foreign pointers, double frees and reads of what was never stored. Each meaning forces its token first: all earlier effects.
#include "eval/machine.h"
#include "mem.h"

namespace mim::plug::mem {

namespace {

// Groups: 0 the type, 1 the address space, 2 the operands.

eval::Value eval_load(eval::Machine& m, const Def* app) {
    auto [token, ptr] = m.elems<2>(m.group(2));
    m.token(token);
    return m.tuple({eval::Value::token(), m.memory().load(m.force(ptr, app), m.group(0), app)});
}

eval::Value eval_store(eval::Machine& m, const Def* app) {
    auto [token, ptr, value] = m.elems<3>(m.group(2));
    m.token(token);
    m.memory().store(m.force(ptr, app), m.group(0), value, app);
    return eval::Value::token();
}

eval::Value eval_alloc(eval::Machine& m, const Def* app) {
    m.token(m.group(2));
    return m.tuple({eval::Value::token(), m.memory().alloc(m.group(0), app)});
}

eval::Value eval_malloc(eval::Machine& m, const Def*) {
    auto [token, bytes] = m.elems<2>(m.group(2));
    m.token(token);
    return m.tuple({eval::Value::token(), m.memory().malloc(m.num(bytes))});
}

eval::Value eval_free(eval::Machine& m, const Def* app) {
    auto [token, ptr] = m.elems<2>(m.group(2));
    m.token(token);
    m.memory().free(m.force(ptr, app), app);
    return eval::Value::token();
}

/// Two of one activation are the same only if they are the same operation.
eval::Value eval_local(eval::Machine& m, const Def* app) {
    m.token(m.group(2));
    return m.tuple({eval::Value::token(), m.activations().slot(m.group(0), app->id(), app)});
}

/// Only where nothing is normalized.
eval::Value eval_slot(eval::Machine& m, const Def* app) {
    m.token(m.elems<2>(m.group(2))[0]);
    return m.tuple({eval::Value::token(), m.activations().slot(m.group(0), app->id(), app)});
}

eval::Value eval_restrict(eval::Machine& m, const Def* app) {
    auto [token, ptr, others] = m.elems<3>(m.group(3));
    auto [n, types]           = m.elems<2>(m.group(2));
    m.token(token);
    auto count = m.size(n);
    for (uint64_t i = 0; i != count; ++i) {
        auto other = count == 1 ? others : m.extract(others, i, app);
        auto type  = count == 1 ? types : m.extract(types, i, app);
        if (m.memory().overlap(m.force(ptr, app), m.group(0), m.force(other, app), type, app))
            m.undefined("memory overlaps that is promised to be apart", app);
    }
    return eval::Value::token();
}

eval::Value eval_lea(eval::Machine& m, const Def* app) {
    auto [ptr, index] = m.elems<2>(m.group(2));
    auto [n, types]   = m.elems<2>(m.group(0));
    return m.memory().lea(m.force(ptr, app), n, types, m.num(index), app);
}

eval::Value eval_blank(eval::Machine& m, const Def* app) {
    auto memory = m.memory().alloc(m.group(0), app);
    return m.memory().load(memory, m.group(0), app);
}

} // namespace

void register_meanings(PluginBuilder& p) {
    p.axiom("%mem.load").meaning(eval_load);
    p.axiom("%mem.store").meaning(eval_store);
    p.axiom("%mem.alloc").meaning(eval_alloc);
    p.axiom("%mem.malloc").meaning(eval_malloc);
    p.axiom("%mem.free").meaning(eval_free);
    p.axiom("%mem.slot").meaning(eval_slot);
    p.axiom("%mem.local").meaning(eval_local);
    p.axiom("%mem.lea").meaning(eval_lea);
    p.axiom("%mem.restrict").meaning(eval_restrict);
    p.axiom("%mem.blank").meaning(eval_blank);
}

} // namespace mim::plug::mem
