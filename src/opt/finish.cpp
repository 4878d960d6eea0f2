// SPDX-License-Identifier: MIT
// Applications are hash-consed, so building one again does not ask its normalizer again; this phase asks directly.
#include <algorithm>

#include "kit/selective.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Decide : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override { return decide(def); }
    const Def* rewrite_imm(const Def* def) override {
        auto now    = Rewriter::rewrite_imm(def);
        auto better = decide(now);
        return better ? rewrite(better) : now;
    }

private:
    const Def* decide(const Def* def) {
        auto app = def->isa<App>();
        auto axm = app ? saturated_axiom(app) : nullptr;
        if (!axm || !axm->axiom().normalizer) return nullptr;
        auto better = axm->axiom().normalizer({world(), app->type(), app->callee(), app->arg()});
        return better != def && !is_in_type_function(def) ? better : nullptr;
    }
    /// Functions that make types stay as they are: their calls that have been reduced to types, and those that wait, are equal or not by
    /// the same filter.
    bool is_in_type_function(const Def* def) {
        return std::ranges::any_of(free_vars(world(), def), [](auto var) {
            auto lam = var->template as<Var>()->binder()->template isa<Lam>();
            return lam && last_codom(lam->pi())->template isa<Sort>();
        });
    }
};

} // namespace

void finish(PhaseContext& c) {
    c.world.emitting = true;
    Decide(c).run();
}

} // namespace mim::opt
