// SPDX-License-Identifier: MIT
// Applications are hash-consed, so building one again does not ask its normalizer again; this phase asks directly.
#include "opt/externals.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Decide : public Rewriter {
public:
    using Rewriter::Rewriter;

protected:
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        auto app = now->isa<App>();
        auto axm = app ? saturated_axiom(app) : nullptr;
        if (!axm || !axm->axiom().normalizer) return now;
        auto better = axm->axiom().normalizer(world(), app->type(), app->callee(), app->arg());
        return better && better != now ? rewrite(better) : now;
    }
};

} // namespace

void finish(PhaseContext& c) {
    c.world.emitting = true;
    Decide decide(c.world);
    rewrite_externals(decide);
}

} // namespace mim::opt
