// SPDX-License-Identifier: MIT
// Loops for the evaluator, from what they say: the indices are counted in numbers that do not overflow, and each is compared with
// `stop`. Accumulators are passed by value, as to any continuation.
#include "affine.h"
#include "eval/machine.h"

namespace mim::plug::affine {

namespace {

using eval::Machine;
using eval::Value;
__extension__ typedef unsigned __int128 Wide;

struct Counter {
    Wide index, stop, step;
    bool more() const { return index < stop; }
};

Counter counter(Machine& m, const Value& range, const Def* app) {
    auto [start, stop, step] = m.nums<3>(range);
    if (step == 0) m.undefined("a step of 0", app);
    return {start, stop, step};
}

/// The turns from this one on. They may be entered again at any turn by whoever kept its `next`.
struct Turns {
    Value body, exit;
    const Def* app;
    Value run(Machine& m, Counter at, const Value& given) const {
        auto acc = m.by_value(given, app);
        if (!at.more()) return m.go_on(exit, acc);
        auto next = m.host_fn([turns = *this, at](Machine& machine, Value v) {
            return turns.run(machine, {at.index + at.step, at.stop, at.step}, v);
        });
        auto in   = m.tuple({Value::num(uint64_t(at.index)), acc});
        return m.go_on(body, m.tuple({in, next}));
    }
};

} // namespace

Value mean_trips(Machine& m, const Def* app) {
    uint64_t n = 0;
    auto at    = counter(m, m.group(0), app);
    if (at.more()) n = uint64_t((at.stop - at.index + at.step - 1) / at.step);
    return Value::num(n);
}

Value mean_For(Machine& m, const Def* app) {
    auto at          = counter(m, m.group(1), app);
    auto [acc, exit] = m.elems<2>(m.group(3));
    return Turns{m.force(m.group(2)), exit, app}.run(m, at, acc);
}

Value mean_fold(Machine& m, const Def* app) {
    auto at  = counter(m, m.group(1), app);
    auto f   = m.force(m.group(2));
    auto acc = m.group(3);
    for (; at.more(); at.index += at.step) acc = m.by_value(m.call(f, m.tuple({Value::num(uint64_t(at.index)), acc})), app);
    return acc;
}

} // namespace mim::plug::affine
