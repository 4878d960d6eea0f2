// SPDX-License-Identifier: MIT
// Branches whose outcome does not matter or is known:
//
// * arms that all do the same are that;
// * a block that asks a question that a branch on the only way to it has asked gets the answer that led there;
// * a call of a block that only branches on what it is passed goes where it leads, if that is known.
//
// (`(e, e)#c` and literal indices are normal forms of their own.)
#include <algorithm>

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
        return app && (same_end(app) || settled(app) || threaded(app) || asks_again(app));
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        if (!app) return SelectiveRewriter::rewrite_imm(def);
        if (auto end = same_end(app)) return rewrite(end);
        if (auto end = settled(app)) return rewrite(end);
        if (auto end = threaded(app)) return rewrite(end);
        if (!asks_again(app)) return SelectiveRewriter::rewrite_imm(def);
        auto choice = isa_choice(app->callee());
        std::vector<const Def*> arms;
        for (size_t i = 0; i < choice->tuple()->num_ops(); ++i) {
            auto end = answered(choice, i);
            arms.push_back(rewrite(choice->tuple()->op(i)));
            if (end) arms.back() = block(choice->tuple()->op(i)->as<Lam>(), end);
        }
        auto arm = world().extract(world().tuple(arms), rewrite(choice->index()));
        return world().app(arm, rewrite(app->arg()));
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
                  && !is_free_in(world(), lam->var(), lam->body());
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

    /// Where a call leads whose callee does nothing but a branch or a match on a part of the argument that is known; null if that is not
    /// so, or if copies of the arms would have to be made.
    const Def* threaded(const App* app) {
        auto lam = app->callee()->isa<Lam>();
        if (!lam || !lam->is_cn() || !lam->is_set() || !lam->var()->isa<Var>()) return nullptr;
        if (auto match = lam->body()->isa<Match>()) {
            auto known = argument(app, lam, match->scrutinee());
            return known && known->isa<Inj>() && is_outside(lam, match->arms()) ? world().match(known, match->arms()) : nullptr;
        }
        auto body   = lam->body()->isa<App>();
        auto choice = body && body->arg() == world().unit() ? isa_choice(body->callee()) : nullptr;
        auto known  = choice ? argument(app, lam, choice->index()) : nullptr;
        auto lit    = known && is_outside(lam, choice->tuple()->ops()) ? isa_lit(known) : nullptr;
        return lit ? world().app(choice->tuple()->op(lit->value()), body->arg()) : nullptr;
    }

    bool is_outside(const Lam* lam, Defs arms) {
        return std::ranges::none_of(arms, [&](auto arm) { return is_free_in(world(), lam->var(), arm); });
    }

    /// What a call of lam passes for a parameter, if def is one.
    const Def* argument(const App* call, const Lam* lam, const Def* def) {
        if (def == lam->var()) return call->arg();
        auto extract = def->isa<Extract>();
        auto index   = extract && extract->tuple() == lam->var() ? isa_lit(extract->index()) : nullptr;
        return index ? world().extract(call->arg(), index->value()) : nullptr;
    }

    const Def* block(const Lam* old, const Def* end) {
        auto& w  = world();
        auto lam = w.mut_lam(rewrite(old->type()));
        map(lam, lam);
        w.notes.copy_info(old, lam);
        w.set_filter(lam, w.ff());
        w.set_body(lam, rewrite(end));
        w.close(std::span<Lam* const>(&lam, 1));
        return lam;
    }
};

} // namespace

void simplify_branches(PhaseContext& c) { Branch(c).run(); }

} // namespace mim::opt
