// SPDX-License-Identifier: MIT
#include <unordered_set>

#include "opt/externals.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Eta : public Rewriter {
public:
    explicit Eta(World& world)
        : Rewriter(world) {
        for (auto& e : world.externals()) externals_.insert(e.lam);
    }

protected:
    const Def* rewrite_mut(const Def* def) override {
        auto callee = forwards_to(def);
        if (!callee || !active_.insert(def).second) return Rewriter::rewrite_mut(def); // a ring of functions that only forward
        auto result = rewrite(callee);
        active_.erase(def);
        return result;
    }

private:
    /// f if def is λ x = f x of the same type as f.
    const Def* forwards_to(const Def* def) {
        auto lam = def->isa<Lam>();
        if (!lam || !lam->is_set() || externals_.contains(def)) return nullptr;
        auto app = lam->body()->isa<App>();
        if (!app || app->arg() != lam->var()) return nullptr;
        auto callee = app->callee();
        if (callee == lam || head_axiom(callee) || world().is_free_in(lam->var(), callee)) return nullptr;
        return world().equal(lam->type(), callee->type()) ? callee : nullptr;
    }

    std::unordered_set<const Def*> externals_, active_;
};

} // namespace

void eta_reduce(PhaseContext& c) {
    Eta eta(c.world);
    rewrite_externals(eta);
}

} // namespace mim::opt
