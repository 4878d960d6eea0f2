// SPDX-License-Identifier: MIT
// One bottom-up pass: what a rule produces is visited again, so the pass ends at a program in which no rule fires. The World
// counts firings against the budget, so rules that run in circles end with an error.
#include <algorithm>
#include <unordered_set>

#include "kit/selective.h"
#include "linear/tokens.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Apply : public SelectiveRewriter {
public:
    Apply(PhaseContext& c, bool norms)
        : SelectiveRewriter(c)
        , norms_(norms) {
        for (auto& rule : c.world.rules.all())
            if (rule->eager == norms && !rule->on_request) heads_.insert(&head_axiom(rule->lhs)->axiom());
    }

    bool has_rules() const { return !heads_.empty(); }

protected:
    bool wants(const Def* def) override {
        auto head = def->isa<App>() ? head_axiom(def) : nullptr;
        if (!head || !heads_.contains(&head->axiom())) return false;
        return !norms_ || world().rules.apply(def, true); // nearly always there is nothing to do
    }
    const Def* rewrite_imm(const Def* def) override {
        auto now = Rewriter::rewrite_imm(def);
        if (!wants(now)) return now;
        auto better = world().rules.apply(now, norms_, [&](const Def* result) { return rewrite(result); });
        return better ? better : now;
    }

private:
    bool norms_;
    std::unordered_set<const Axiom*> heads_;
};

/// The names of what an error is about, as far as they are known here.
DiagArgs texts(const World& world, const std::vector<Error::Arg>& args) {
    DiagArgs res;
    for (auto& arg : args) {
        auto text = std::get_if<std::string>(&arg);
        auto name = text ? Symbol() : world.notes.name(std::get<const Def*>(arg));
        res.push_back(text ? *text : name ? name.str() : "_");
    }
    return res;
}

/// A type variable of a rule may have become the type of a token, which the rule then may neither copy nor drop.
void check_tokens_after(PhaseContext& c) {
    for (auto& v : check_tokens(c.world)) {
        auto at = v.node ? c.world.notes.span(v.node) : Span();
        c.diags.report(v.id, at || !v.lam ? at : c.world.notes.span(v.lam), texts(c.world, v.args));
    }
}

} // namespace

void apply_rules(PhaseContext& c) {
    Apply apply(c, false);
    if (!apply.has_rules()) return;
    try {
        if (apply.run() && c.world.annexes.has_linear_types()) check_tokens_after(c);
    } catch (const Error& e) {
        if (e.id != Diag::token_dropped) throw;
        c.diags.report(e.id, c.world.here, texts(c.world, e.args)); // the program's fault, not that of the phase
    }
}

void apply_norms(PhaseContext& c) {
    if (std::ranges::none_of(c.world.rules.all(), [](auto& rule) { return rule->eager; })) return; // the search costs memory
    Apply apply(c, true);
    if (apply.has_rules()) apply.run();
}

} // namespace mim::opt
