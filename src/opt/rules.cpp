// SPDX-License-Identifier: MIT
// One bottom-up pass: what a rule produces is visited again, so the pass ends at a program in which no rule fires. The World
// counts firings against the budget, so rules that run in circles end with an error.
#include <unordered_set>

#include "opt/opt.h"
#include "opt/selective.h"

namespace mim::opt {

namespace {

class Apply : public SelectiveRewriter {
public:
    explicit Apply(PhaseContext& c)
        : SelectiveRewriter(c) {
        for (auto& rule : c.world.rules())
            if (!rule->eager) heads_.insert(&head_axiom(rule->lhs)->axiom());
    }

    bool has_rules() const { return !heads_.empty(); }

protected:
    bool wants(const Def* def) override {
        auto head = def->isa<App>() ? head_axiom(def) : nullptr;
        return head && heads_.contains(&head->axiom());
    }
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        if (!wants(now)) return now;
        auto better = world().apply_rules(now, false);
        return better ? rewrite(better) : now;
    }

private:
    std::unordered_set<const Axiom*> heads_;
};

} // namespace

void apply_rules(PhaseContext& c) {
    Apply apply(c);
    if (apply.has_rules()) apply.run();
}

} // namespace mim::opt
