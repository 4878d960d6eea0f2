// SPDX-License-Identifier: MIT
#include "expand.h"

#include "analysis/axiom_param.h"
#include "analysis/program.h"
#include "ir/token_types.h"
#include "opt/expand.h"
#include "style.h"

namespace mim::plug::direct {

namespace {

/// An axiom in direct style that still takes values, and computes one.
bool is_partial(const Def* def) {
    auto pi = def->type() ? def->type()->isa<Pi>() : nullptr;
    if (!pi || pi->is_cn() || is_static(def)) return false;
    if (!is_operation(def) || saturated_axiom(def)) return false;
    return !binds_types(pi->dom()) && !holds_types(pi);
}

class Expand : public opt::AxiomExpander {
public:
    using AxiomExpander::AxiomExpander;

protected:
    bool expands(const Def* def) override { return is_partial(def); }

    const Def* argument(const App* app) override {
        auto tuple = app->arg()->isa<Tuple>();
        if (!tuple) return argument(app, app->arg(), -1);
        std::vector<const Def*> elems;
        for (size_t i = 0; i != tuple->num_ops(); ++i) elems.push_back(argument(app, tuple->op(i), int(i)));
        return world().tuple(elems);
    }

private:
    /// An axiom whose own type asks for a function in direct style goes on to do so.
    const Def* argument(const App* app, const Def* arg, int i) {
        if (!is_partial(arg) || isa_restyled(app)) return rewrite(arg);
        auto param = declared_param(world(), app->callee(), i);
        return param && param->isa<Pi>() ? operation(arg) : rewrite(arg);
    }
};

} // namespace

void expand_partial(PhaseContext& c) { Expand(c).run(); }

} // namespace mim::plug::direct
