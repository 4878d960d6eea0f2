// SPDX-License-Identifier: MIT
// Branches whose outcome does not matter or is known: arms that all do the same are that; an arm that asks the same question again
// gets the answer that led to it. (`(e, e)#c` and literal indices are normal forms of their own.)
#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

class Branch : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        auto app = def->isa<App>();
        return app && (same_end(app) || asks_again(app));
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        if (!app) return SelectiveRewriter::rewrite_imm(def);
        if (auto end = same_end(app)) return rewrite(end);
        if (!asks_again(app)) return SelectiveRewriter::rewrite_imm(def);
        auto choice = isa_choice(app->callee());
        std::vector<const Def*> arms;
        for (size_t i = 0; i < choice->tuple()->num_ops(); ++i) {
            auto end = answered(choice, i);
            arms.push_back(rewrite(choice->tuple()->op(i)));
            if (end) arms.back() = block(choice->tuple()->op(i)->as<Lam>(), end);
        }
        return world().app(world().extract(world().tuple(arms), rewrite(choice->index())), rewrite(app->arg()));
    }

private:
    static const Extract* isa_choice(const Def* def) {
        auto extract = def->isa<Extract>();
        return extract && extract->tuple()->isa<Tuple>() && !isa_lit(extract->index()) ? extract : nullptr;
    }

    /// The body of a block that does not look at its argument.
    const Def* end_of(const Def* arm) {
        auto lam = arm->isa<Lam>();
        bool is  = lam && lam->is_cn() && lam->is_set() && !program().is_external(lam)
                  && !world().is_free_in(lam->var(), lam->body());
        return is ? lam->body() : nullptr;
    }

    /// What all arms do.
    const Def* same_end(const App* app) {
        auto choice = isa_choice(app->callee());
        if (!choice) return nullptr;
        auto end = end_of(choice->tuple()->op(0));
        for (auto arm : choice->tuple()->ops())
            if (end_of(arm) != end) return nullptr;
        return end;
    }

    /// What arm i does if its first question has just been answered; null if that is another question.
    const Def* answered(const Extract* choice, size_t i) {
        auto end   = end_of(choice->tuple()->op(i));
        auto app   = end ? end->isa<App>() : nullptr;
        auto again = app ? isa_choice(app->callee()) : nullptr;
        return again && again->index() == choice->index() ? world().app(again->tuple()->op(i), app->arg()) : nullptr;
    }

    bool asks_again(const App* app) {
        auto choice = isa_choice(app->callee());
        for (size_t i = 0; choice && i < choice->tuple()->num_ops(); ++i)
            if (answered(choice, i)) return true;
        return false;
    }

    const Def* block(const Lam* old, const Def* end) {
        auto& w  = world();
        auto lam = w.mut_lam(rewrite(old->type()));
        map(lam, lam);
        w.copy_info(old, lam);
        w.set_filter(lam, w.ff());
        w.set_body(lam, rewrite(end));
        w.close(std::span<Lam* const>(&lam, 1));
        return lam;
    }
};

} // namespace

void simplify_branches(PhaseContext& c) { Branch(c).run(); }

} // namespace mim::opt
