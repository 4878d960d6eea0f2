// SPDX-License-Identifier: MIT
#include "open.h"

#include "kit/replace_vars.h"

namespace mim::plug::elevate {

namespace {

/// A function that is on the way and also beside it has two copies: what was made for one of them is not used for the other.
class Closing : public ReplaceVars {
public:
    Closing(World& world, const Values& around)
        : ReplaceVars(world, around)
        , around_(around) {}

    const Def* close(const Open& open) {
        auto lam = open.below.term()->isa<Lam>();
        if (!lam) return rebuilt(open);
        bool is_beside = is_replaced(lam->var());
        return is_beside ? Closing(world(), around_).closed(lam, open) : closed(lam, open);
    }

protected:
    const Def* rewrite_mut(const Def* def) override {
        auto var       = def->var();
        bool is_around = var && around_.contains(var);
        if (!is_around) return ReplaceVars::rewrite_mut(def);
        auto others = around_;
        others.erase(var);
        return Closing(world(), others).rewrite(def);
    }

private:
    const Def* child(const Open& open) { return open.now ? rewrite(open.now) : close(*open.open); }

    const Def* closed(const Lam* lam, const Open& open) {
        auto copy = world().mut_lam(rewrite(lam->type()));
        world().notes.copy_info(lam, copy);
        replace(lam->var(), copy->var());
        around_.emplace(lam->var(), copy->var());
        world().set(copy, rewrite(lam->filter()), child(open));
        return world().seal(copy);
    }

    const Def* rebuilt(const Open& open) {
        auto& below = open.below;
        DefVec now;
        for (size_t i = 0; i < below.size(); ++i) now.push_back(i == open.child ? child(open) : rewrite(below.at(i)));
        return below.rebuild(now, [&](const Def* other) { return rewrite(other); });
    }

    Values around_; ///< of functions on the way
};

} // namespace

bool may_stay_open(const Def* term) { return term->isa<App>(); }

const Def* close(World& world, const Open& open) { return Closing(world, {}).close(open); }

} // namespace mim::plug::elevate
