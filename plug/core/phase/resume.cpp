// SPDX-License-Identifier: MIT
#include "phase/resume.h"

#include <algorithm>
#include <unordered_map>

#include "core/annexes.h"
#include "opt/selective.h"

namespace mim::plug::core {

namespace {

class Resume : public opt::SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override { return match(pe::hlt, def) || match(pe::run, def); }

    const Def* rewrite_imm(const Def* def) override {
        if (!wants(def)) return SelectiveRewriter::rewrite_imm(def);
        auto halted = match(pe::hlt, def);
        auto e      = rewrite(def->as<App>()->arg());
        auto lam    = e->isa_mut<Lam>();
        return halted && lam ? never_evaluated(lam) : e;
    }

private:
    const Def* never_evaluated(Lam* lam) {
        auto& w = world();
        if (lam->filter() == w.ff()) return lam;
        auto& copy = copies_[lam];
        if (copy) return copy;
        auto fresh = w.mut_lam(lam->pi());
        w.copy_info(lam, fresh);
        copy = fresh;
        w.set_filter(fresh, w.ff());
        w.set_body(fresh, w.subst(lam->body(), lam->var(), fresh->var()));
        return copy = w.seal(fresh);
    }

    std::unordered_map<const Def*, const Def*> copies_;
};

} // namespace

void resume(PhaseContext& c) {
    auto occurs = [](const Axiom* axiom) {
        return axiom->id.plugin == AnnexTraits<pe>::plugin && axiom->id.tag == AnnexTraits<pe>::tag;
    };
    if (std::ranges::any_of(c.program().axioms(), occurs)) Resume(c).run();
}

} // namespace mim::plug::core
