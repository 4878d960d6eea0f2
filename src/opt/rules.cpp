// SPDX-License-Identifier: MIT
// One bottom-up pass: what a rule produces is visited again, so the pass ends at a program in which no rule fires. The World
// counts firings against the budget, so rules that run in circles end with an error.
#include <algorithm>
#include <unordered_set>

#include "opt/opt.h"
#include "opt/selective.h"

namespace mim::opt {

namespace {

class Apply : public SelectiveRewriter {
public:
    Apply(PhaseContext& c, bool norms)
        : SelectiveRewriter(c)
        , norms_(norms) {
        for (auto& rule : c.world.rules())
            if (rule->eager == norms) heads_.insert(&head_axiom(rule->lhs)->axiom());
    }

    bool has_rules() const { return !heads_.empty(); }

protected:
    bool wants(const Def* def) override {
        auto head = def->isa<App>() ? head_axiom(def) : nullptr;
        if (!head || !heads_.contains(&head->axiom())) return false;
        return !norms_ || world().apply_rules(def, true); // nearly always there is nothing to do
    }
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        if (!wants(now)) return now;
        auto better = world().apply_rules(now, norms_);
        return better ? rewrite(better) : now;
    }

private:
    bool norms_;
    std::unordered_set<const Axiom*> heads_;
};

} // namespace

void apply_rules(PhaseContext& c) {
    Apply apply(c, false);
    if (apply.has_rules()) apply.run();
}

void apply_norms(PhaseContext& c) {
    if (std::ranges::none_of(c.world.rules(), [](auto& rule) { return rule->eager; })) return; // the search costs memory
    Apply apply(c, true);
    if (apply.has_rules()) apply.run();
}

} // namespace mim::opt
