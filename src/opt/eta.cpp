// SPDX-License-Identifier: MIT
#include <unordered_set>
#include <vector>

#include "kit/selective.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Eta : public SelectiveRewriter {
public:
    explicit Eta(PhaseContext& c)
        : SelectiveRewriter(c) {
        for (auto& e : c.world.externals) externals_.insert(e.lam);
    }

protected:
    bool wants(const Def* def) override { return forwards_to(def); }

    const Def* rewrite_mut(const Def* def) override {
        auto callee = forwards_to(def);
        // Already under way: a ring of functions that only forward to each other.
        if (!callee || !active_.insert(def).second) return SelectiveRewriter::rewrite_mut(def);
        auto result = rewrite(callee);
        active_.erase(def);
        return result;
    }

    /// The arms of a match stay functions of their own: what they would become may be a value, such as the return continuation.
    const Def* rewrite_imm(const Def* def) override {
        if (def->node() != Node::Match) return SelectiveRewriter::rewrite_imm(def);
        std::vector<const Def*> ops;
        for (auto op : def->ops()) {
            auto result = rewrite(op);
            bool lost   = op->node() == Node::Lam && result->node() != Node::Lam;
            ops.push_back(lost ? SelectiveRewriter::rewrite_mut(op) : result);
        }
        return rebuild(def, rewrite(def->type()), ops);
    }

private:
    /// A function or a parameter. A selection `(f, g)#c` is a branch and needs the block that it ends.
    static bool is_target(const Def* callee) {
        while (auto extract = callee->isa<Extract>()) {
            if (!extract->index()->isa<Lit>()) return false;
            callee = extract->tuple();
        }
        return callee->isa<Lam>() || callee->isa<Var>();
    }

    /// f if def is λ x = f x of the same type as f.
    const Def* forwards_to(const Def* def) {
        auto lam = def->isa<Lam>();
        if (!lam || !lam->is_set() || externals_.contains(def)) return nullptr;
        auto app = lam->body()->isa<App>();
        if (!app || app->arg() != lam->var()) return nullptr;
        auto callee = app->callee();
        if (callee == lam || !is_target(callee) || is_free_in(world(), lam->var(), callee)) return nullptr;
        return equal(world(), lam->type(), callee->type()) ? callee : nullptr;
    }

    std::unordered_set<const Def*> externals_, active_;
};

} // namespace

void eta_reduce(PhaseContext& c) { Eta(c).run(); }

} // namespace mim::opt
