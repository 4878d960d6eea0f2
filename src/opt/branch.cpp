// SPDX-License-Identifier: MIT
// Branches whose outcome does not matter or is known: arms that all do the same are that; a block that asks a question that a branch on
// the only way to it has asked gets the answer that led there. (`(e, e)#c` and literal indices are normal forms of their own.) A call of one of several known
// functions is a branch between calls, so that each of them is known to be called with these arguments:
//
//     (f, g)#c x                          becomes        (cn () = f x, cn () = g x)#c ()
//     match (x inj U, y inj U)#c with …   becomes        (cn () = the arm for x, cn () = the arm for y)#c ()
#include <algorithm>
#include <functional>

#include "opt/opt.h"
#include "opt/signature.h"

namespace mim::opt {

namespace {

constexpr int MaxDepth = 64; ///< branches outside of a question that are looked at

class Branch : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        auto app = def->isa<App>();
        if (auto match = def->isa<Match>()) return selects(match);
        return app && (same_end(app) || settled(app) || asks_again(app) || selects(app));
    }

    const Def* rewrite_imm(const Def* def) override {
        auto match = def->isa<Match>();
        if (match && selects(match)) return branch(match);
        auto app = def->isa<App>();
        if (!app) return SelectiveRewriter::rewrite_imm(def);
        if (auto end = same_end(app)) return rewrite(end);
        if (auto end = settled(app)) return rewrite(end);
        if (selects(app)) return branch(app);
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

    /// The only thing that mentions def, or null.
    const Def* sole_user(const Def* def) {
        auto users = program().users(def);
        return users.size() == 1 ? users[0] : nullptr;
    }
    /// The function that ends with this, and nothing else does.
    const Lam* sole_owner(const Def* end) {
        auto user = sole_user(end);
        auto lam  = user ? user->isa<Lam>() : nullptr;
        return lam && lam->is_set() && lam->body() == end ? lam : nullptr;
    }
    /// The branch that alone leads to a block, or null.
    const App* sole_branch(const Lam* block) {
        auto tuple  = sole_user(block);
        auto choice = tuple && tuple->isa<Tuple>() ? sole_user(tuple) : nullptr;
        auto app    = choice && isa_choice(choice) ? sole_user(choice) : nullptr;
        return app && app->isa<App>() && app->as<App>()->callee() == choice ? app->as<App>() : nullptr;
    }

    /// What is done if a branch far enough outside has answered the question; null if none has. All ways lead past that branch, in the
    /// same activation of all that both questions mention, since blocks in between mention it as well.
    const Def* settled(const App* app) {
        auto choice = isa_choice(app->callee());
        auto block  = choice ? sole_owner(app) : nullptr;
        for (int depth = 0; block && depth < MaxDepth; ++depth) {
            auto outer = sole_branch(block);
            if (!outer) return nullptr;
            auto asked = isa_choice(outer->callee());
            if (asked->index() == choice->index()) {
                auto i = std::ranges::find(asked->tuple()->ops(), block) - asked->tuple()->ops().begin();
                return world().app(choice->tuple()->op(static_cast<size_t>(i)), app->arg());
            }
            block = sole_owner(outer);
        }
        return nullptr;
    }

    bool asks_again(const App* app) {
        auto choice = isa_choice(app->callee());
        for (size_t i = 0; choice && i < choice->tuple()->num_ops(); ++i)
            if (answered(choice, i)) return true;
        return false;
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
            w.set_span(lam, w.span(old));
            w.set_filter(lam, w.ff());
            w.set_body(lam, body(op));
            w.close(std::span<Lam* const>(&lam, 1));
            arms.push_back(lam);
        }
        return w.app(w.extract(w.tuple(arms), rewrite(choice->index())), w.unit());
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
