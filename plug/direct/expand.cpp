// SPDX-License-Identifier: MIT
#include "expand.h"

#include <algorithm>

#include "ir/token_types.h"
#include "opt/selective.h"

namespace mim::plug::direct {

namespace {

/// An axiom in direct style that still takes values.
bool is_partial(const Def* def) {
    auto pi = def->type() ? def->type()->isa<Pi>() : nullptr;
    return pi && def->isa<App>() && head_axiom(def) && !saturated_axiom(def) && !is_static(def) && !pi->is_cn()
           && !binds_types(pi->dom());
}

class Expand : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        auto is_value = [&](const Def* user) { return !user->isa<App>() || user->as<App>()->callee() != def; };
        return is_partial(def) && std::ranges::any_of(program().users(def), is_value);
    }

    /// What is rewritten is a value: the callees of operations are rebuilt here.
    const Def* rewrite_imm(const Def* def) override {
        if (is_partial(def)) return opt::eta_expand(world(), rebuilt(def->as<App>()));
        auto app = def->isa<App>();
        return app && is_partial(app->callee()) ? rebuilt(app) : SelectiveRewriter::rewrite_imm(def);
    }

private:
    const Def* rebuilt(const App* app) {
        auto callee = is_partial(app->callee()) ? rebuilt(app->callee()->as<App>()) : rewrite(app->callee());
        auto res    = world().app(callee, rewrite(app->arg()));
        world().copy_place(app, res);
        return res;
    }
};

} // namespace

void expand_partial(PhaseContext& c) { Expand(c).run(); }

} // namespace mim::plug::direct
