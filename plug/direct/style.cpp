// SPDX-License-Identifier: MIT
// See style.h. `cps2ds (ds2cps f) ▷ f` and `ds2cps (cps2ds f) ▷ f`; the meanings are those of the text that people would write instead.
#include "style.h"

#include "eval/machine.h"
#include "kit/match.h"

namespace mim::plug::direct {

const Def* isa_restyled(const Def* def) {
    if (auto app = match<cps2ds_dep>(def)) return app.arg();
    if (auto app = match<ds2cps_dep>(def)) return app.arg();
    return nullptr;
}

bool is_cps2ds(const Def* def) { return match<cps2ds_dep>(def); }

const Def* normalize_cps2ds(const Redex& redex) { return cancel<ds2cps_dep>(redex); }
const Def* normalize_ds2cps(const Redex& redex) { return cancel<cps2ds_dep>(redex); }

namespace {

/// f (x, stop). Continuations get their arguments by value.
eval::Value mean_cps2ds(eval::Machine& m, const Def* app) {
    auto x = m.by_value(m.group(2), app);
    return m.call_cps(m.force(m.group(1)), &x);
}

/// k (f x)
eval::Value mean_ds2cps(eval::Machine& m, const Def*) {
    auto f      = m.group(1);
    auto [x, k] = m.elems<2>(m.group(2));
    return m.go_on(k, m.call(m.force(f), x));
}

} // namespace

void register_styles(PluginBuilder& p) {
    p.axiom("%direct.cps2ds_dep").speculatable().meaning(mean_cps2ds);
    p.axiom("%direct.ds2cps_dep").speculatable().meaning(mean_ds2cps);
}

} // namespace mim::plug::direct
