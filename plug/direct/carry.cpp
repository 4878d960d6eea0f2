// SPDX-License-Identifier: MIT
// See carry.h. Effects that have nothing to do with each other are carried at once; then the graph of uses is made anew.
#include "carry.h"

#include <algorithm>

#include "carried.h"
#include "ir/rewrite.h"
#include "lazy.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

class Carrier {
public:
    Carrier(Facts& facts, Uses& uses)
        : facts_(facts)
        , world_(facts.world())
        , uses_(uses) {}

    const Def* run(std::vector<Effect>& effects) {
        Scope scope(*this, nullptr, nullptr);
        for (auto& effect : effects) scope.add(effect, effect.first());
        return scope.rewrite(uses_.body());
    }

private:
    /// A part of the body: all of it, or an arm that makes an effect happen.
    class Scope : public Rewriter {
    public:
        /// `effect` happens in the arm.
        Scope(Carrier& carrier, Scope* outer, Effect* effect)
            : Rewriter(carrier.world_)
            , carrier_(carrier)
            , outer_(outer)
            , effect_(effect) {}
        /// The token of `effect` goes through `selection`, which carries what else it makes.
        void add(Effect& effect, uint32_t selection) {
            carried_.push_back({&effect, selection});
            by_effect_[effect.def()]                     = carried_.size() - 1;
            by_selection_[carrier_.uses_[selection].def] = carried_.size() - 1;
        }
        /// What the effect of this arm made, as seen from here.
        const Def* values() {
            if (!carried_.empty()) return world().extract(made(carried_[0]), uint64_t(1));
            std::vector<const Def*> elems;
            for (auto i : effect_->values()) elems.push_back(rewrite(world().extract(effect_->def(), i)));
            return world().tuple(elems);
        }

    private:
        struct Carried {
            Effect* effect     = nullptr;
            uint32_t selection = 0;
            const Def* made    = nullptr; ///< what the selection has become
        };

        bool needs(const Def* def) override { return !carrier_.facts_.is_closed(def); }
        const Def* rewrite_var(const Def* var) override { return outer_ ? outer_->rewrite(var) : var; }
        const Def* rewrite_imm(const Def* def) override {
            if (is_outside(def)) return outer_->rewrite(def);
            if (auto i = by_selection_.find(def); i != by_selection_.end())
                return world().extract(made(carried_[i->second]), uint64_t(0));
            if (auto value = carried_value(def)) return value;
            auto res = Rewriter::rewrite_imm(def);
            if (auto match = res->isa<Match>()) carrier_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            if (is_outside(def) || (outer_ && carrier_.around_.contains(def))) return outer_->rewrite(def);
            if (!outer_) carrier_.around_.insert(def);
            else copied_.push_back(def->var());
            auto res = Rewriter::rewrite_mut(def);
            if (!outer_) carrier_.around_.erase(def);
            else copied_.pop_back();
            if (auto lam = def->isa<Lam>(); lam && lam != res) carrier_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        bool is_outside(const Def* def) {
            if (!outer_ || effect_->dependent().contains(def)) return false;
            return std::ranges::none_of(copied_, [&](auto var) { return var && is_free_in(world(), var, def); });
        }
        /// A value that an effect made, if a selection carries it here; else null.
        const Def* carried_value(const Def* def) {
            auto ex  = def->isa<Extract>();
            auto lit = ex ? isa_lit(ex->index()) : nullptr;
            auto i   = lit ? by_effect_.find(ex->tuple()) : by_effect_.end();
            if (i == by_effect_.end()) return nullptr;
            auto& carried = carried_[i->second];
            auto& indices = carried.effect->values();
            auto place    = std::ranges::find(indices, lit->value());
            if (place == indices.end()) return nullptr;
            auto values = world().extract(made(carried), uint64_t(1));
            return indices.size() == 1 ? values : world().extract(values, uint64_t(place - indices.begin()));
        }
        const Def* made(Carried& carried) {
            if (!carried.made) carried.made = carrier_.carry(*carried.effect, carried.selection, *this);
            return carried.made;
        }

        Carrier& carrier_;
        Scope* outer_;
        Effect* effect_;
        std::vector<const Def*> copied_; ///< variables of what is being copied for this arm
        std::vector<Carried> carried_;
        std::unordered_map<const Def*, size_t> by_effect_, by_selection_; ///< places in carried_
    };

    /// The selection or match, whose arms are now pairs of what they were and of what the effect made.
    const Def* carry(Effect& effect, uint32_t v, Scope& scope) {
        auto arms = uses_.arms(v);
        std::vector<const Def*> elems;
        if (auto selection = facts_.selection(uses_[v].def)) {
            for (size_t k = 0; k != arms.size(); ++k) elems.push_back(pair(effect, arms[k], selection.elems[k], scope));
            return world_.extract(world_.tuple(elems), scope.rewrite(selection.index));
        }
        auto match = uses_[v].def->as<Match>();
        for (size_t k = 0; k != arms.size(); ++k) elems.push_back(arm(effect, arms[k], match->arms()[k], scope));
        auto res = world_.match(scope.rewrite(match->scrutinee()), elems);
        if (auto made = res->isa<Match>()) facts_.add_match(made);
        return res;
    }

    const Def* arm(Effect& effect, uint32_t a, const Def* function, Scope& scope) {
        auto inner = facts_.isa_inner_arm(function);
        auto dom   = scope.rewrite(function->type()->as<Pi>()->dom());
        auto type  = scope.rewrite(uses_[uses_[a].owner].def->type());
        auto lam   = world_.mut_lam(world_.pi(dom, world_.sigma({type, values_type(effect, scope)})));
        world_.notes.copy_info(function, lam);
        world_.set_filter(lam, world_.ff());
        if (inner) scope.map(inner->var(), lam->var());
        auto body = inner ? pair(effect, a, inner->body(), scope)
                          : world_.tuple({world_.app(scope.rewrite(function), lam->var()), absent(effect, scope)});
        world_.set_body(lam, body);
        world_.close({{lam}});
        return lam;
    }

    const Def* pair(Effect& effect, uint32_t a, const Def* expr, Scope& scope) {
        if (!effect.comes_to(a)) return world_.tuple({scope.rewrite(expr), absent(effect, scope)});
        Scope inside(*this, &scope, &effect);
        if (auto selection = effect.is_strict(a) ? 0 : effect.selection_in(a)) inside.add(effect, selection);
        auto value = inside.rewrite(expr);
        return world_.tuple({value, inside.values()});
    }

    const Def* values_type(Effect& effect, Scope& scope) {
        std::vector<const Def*> types;
        for (auto i : effect.values()) types.push_back(scope.rewrite(world_.extract(effect.def(), i)->type()));
        return world_.sigma(types);
    }

    /// What stands for the values where the effect does not happen.
    const Def* absent(Effect& effect, Scope& scope) {
        return world_.app(world_.annex(direct::absent(0)), values_type(effect, scope));
    }

    Facts& facts_;
    World& world_;
    Uses& uses_;
    std::unordered_set<const Def*> around_; ///< binders that are being copied
};

} // namespace

const Def* carry_effects(Facts& facts, Uses& uses) {
    auto users   = uses.find_users();
    auto effects = find_carried(facts, uses, users);
    return effects.empty() ? nullptr : Carrier(facts, uses).run(effects);
}

} // namespace mim::plug::direct
