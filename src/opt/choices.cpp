// SPDX-License-Identifier: MIT
// A call of one of several known functions becomes a branch between calls, so that each of them is known to be called with these
// arguments. Likewise for a match on one of several values of which some are known to be injected:
//
//     (f, g)#c x                          becomes        (cn () = f x, cn () = g x)#c ()
//     match (x inj U, y inj U)#c with …   becomes        (cn () = the arm for x, cn () = the arm for y)#c ()
#include <algorithm>
#include <functional>

#include "kit/selective.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

class Choices : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        if (auto match = def->isa<Match>()) return selects(match);
        auto app = def->isa<App>();
        return app && selects(app);
    }

    const Def* rewrite_imm(const Def* def) override {
        auto match = def->isa<Match>();
        if (match && selects(match)) return branch(match);
        auto app = def->isa<App>();
        return app && selects(app) ? branch(app) : SelectiveRewriter::rewrite_imm(def);
    }

private:
    static const Extract* isa_choice(const Def* def) {
        auto extract = def->isa<Extract>();
        return extract && extract->tuple()->isa<Tuple>() && !isa_lit(extract->index()) ? extract : nullptr;
    }

    /// A call, with an argument, of one of several functions of the same type of which one is known.
    bool selects(const App* app) {
        auto choice = isa_choice(app->callee());
        if (!choice || !app->type()->isa<Bot>() || app->arg()->type() == world().unit_type()) return false;
        auto arms = choice->tuple()->ops();
        auto same = [&](auto arm) { return arm->type() == arms[0]->type(); };
        return std::ranges::all_of(arms, same) && std::ranges::any_of(arms, [](auto arm) { return arm->template isa<Lam>(); });
    }

    const Def* branch(const App* app) {
        auto arg = rewrite(app->arg());
        return branch(app, isa_choice(app->callee()), [&](const Def* callee) { return world().app(rewrite(callee), arg); });
    }

    /// It takes one of several values apart of which one is known to be injected.
    bool selects(const Match* match) {
        auto choice = isa_choice(match->scrutinee());
        return choice && match->type()->isa<Bot>()
               && std::ranges::any_of(choice->tuple()->ops(), [](auto value) { return value->template isa<Inj>(); });
    }

    const Def* branch(const Match* match) {
        std::vector<const Def*> arms;
        for (auto arm : match->arms()) arms.push_back(rewrite(arm));
        auto body = [&](const Def* value) { return world().match(rewrite(value), arms); };
        return branch(match, isa_choice(match->scrutinee()), body);
    }

    /// A branch in place of `old`, with a block for each thing that is chosen from.
    const Def* branch(const Def* old, const Extract* choice, const std::function<const Def*(const Def*)>& body) {
        auto& w = world();
        std::vector<const Def*> arms;
        for (auto op : choice->tuple()->ops()) {
            auto lam = w.mut_lam(w.cn(w.unit_type()));
            map(lam, lam);
            w.notes.set_span(lam, w.notes.span(old));
            w.set_filter(lam, w.ff());
            w.set_body(lam, body(op));
            w.close(std::span<Lam* const>(&lam, 1));
            arms.push_back(lam);
        }
        return w.app(w.extract(w.tuple(arms), rewrite(choice->index())), w.unit());
    }
};

} // namespace

void branch_on_choices(PhaseContext& c) { Choices(c).run(); }

} // namespace mim::opt
