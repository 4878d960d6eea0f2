// SPDX-License-Identifier: MIT
#include "phase/resume.h"

#include <unordered_map>
#include <vector>

#include "core/annexes.h"
#include "kit/match.h"
#include "kit/selective.h"

namespace mim::plug::core {

namespace {

class Resume : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

    void run() {
        SelectiveRewriter::run();
        fill_copies();
    }

protected:
    bool wants(const Def* def) override { return match(pe::hlt, def) || match(pe::run, def); }

    const Def* rewrite_imm(const Def* def) override {
        if (!wants(def)) return SelectiveRewriter::rewrite_imm(def);
        auto halted = match(pe::hlt, def);
        auto e      = rewrite(arg_of(def));
        auto lam    = e->isa_mut<Lam>();
        return halted && lam ? never_evaluated(lam) : e;
    }

private:
    /// A copy that no call unfolds. It has no body yet: the function itself may be in the making, if it halts calls of its own.
    const Def* never_evaluated(Lam* lam) {
        auto& w = world();
        if (lam->filter() == w.ff()) return lam;
        auto [copy, fresh] = copies_.try_emplace(lam, nullptr);
        if (!fresh) return copy->second;
        copy->second = w.mut_lam(lam->pi());
        w.notes.copy_info(lam, copy->second);
        w.set_filter(copy->second, w.ff());
        copied_.push_back(lam);
        return copy->second;
    }

    void fill_copies() {
        auto& w = world();
        std::vector<Lam*> made;
        for (auto lam : copied_) {
            auto copy = copies_.at(lam);
            w.set_body(copy, w.subst(lam->body(), lam->var(), copy->var()));
            made.push_back(copy);
        }
        w.close(made);
    }

    std::unordered_map<const Lam*, Lam*> copies_;
    std::vector<const Lam*> copied_; ///< in the order in which they were found
};

} // namespace

void resume(PhaseContext& c) {
    if (occurs<pe>(c.program())) Resume(c).run();
}

} // namespace mim::plug::core
