// SPDX-License-Identifier: MIT
// One bottom-up pass: what a rule produces is visited again, so the pass ends at a program in which no rule fires. The World
// counts firings against the budget, so rules that run in circles end with an error.
#include "opt/externals.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Apply : public Rewriter {
public:
    using Rewriter::Rewriter;

protected:
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        if (!now->isa<App>()) return now;
        auto better = world().apply_rules(now, false);
        return better ? rewrite(better) : now;
    }
};

bool has_lazy_rule(World& world) {
    for (auto& rule : world.rules())
        if (!rule->eager) return true;
    return false;
}

} // namespace

void apply_rules(PhaseContext& c) {
    if (!has_lazy_rule(c.world)) return;
    Apply apply(c.world);
    rewrite_externals(apply);
}

} // namespace mim::opt
