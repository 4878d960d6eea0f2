// SPDX-License-Identifier: MIT
// See carry.h. One effect at a time, and the graph of uses anew for each: there are few.
#include "carry.h"

#include <algorithm>

#include "ir/rewrite.h"
#include "lazy.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

/// An effect, where its token goes, and what else it makes.
class Effect {
public:
    using Users = std::vector<std::vector<uint32_t>>;

    Effect(Facts& facts, Uses& uses, const Users& users, uint32_t effect)
        : facts_(facts)
        , uses_(uses)
        , effect_(effect)
        , users_(users) {}

    const Def* def() const { return uses_[effect_].def; }
    /// Indices of the elements that are no tokens.
    std::vector<uint64_t> values() {
        std::vector<uint64_t> result;
        auto type = def()->type();
        auto n    = type->isa<Sigma>() || type->isa<Arr>() ? facts_.world().lit_arity(type) : 0;
        for (int64_t i = 0; i < n; ++i)
            if (auto elem = facts_.world().extract(def(), uint64_t(i)); !facts_.is_effect(elem)) result.push_back(uint64_t(i));
        return result;
    }
    bool gets_token(uint32_t v) {
        if (token_.empty()) {
            token_.resize(uses_.size());
            spread([&](uint32_t user) { return token_[user] = true; });
        }
        return token_[v];
    }
    /// Whether evaluating vertex `from` makes it happen in any case.
    bool is_strict(uint32_t from) { return uses_.strict(from)[effect_]; }
    /// The selection or match that evaluating `from` needs in any case and that the token goes through first; 0 if there are several.
    uint32_t selection(uint32_t from) {
        auto needed    = uses_.strict(from);
        uint32_t found = 0;
        bool several   = false;
        spread([&](uint32_t user) {
            bool passes = uses_[user].kind == Vertex::Arm && needed[uses_[user].owner] && uses_[user].owner != from;
            if (!passes) return true;
            several = several || (found && found != uses_[user].owner);
            found   = uses_[user].owner;
            return false;
        });
        return several ? 0 : found;
    }

private:
    /// Calls go(v) for what needs the effect by way of its token; false: no further here.
    template<class F>
    void spread(F go) {
        std::vector<bool> seen(uses_.size());
        std::vector<uint32_t> todo{effect_};
        auto is_value = [&](uint32_t u) {
            auto ex = uses_[u].def->isa<Extract>();
            return uses_[u].kind == Vertex::Simple && ex && facts_.is_effect(ex->tuple()) && !facts_.is_effect(ex);
        };
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            for (auto u : users_[v]) {
                if (seen[u] || is_value(u)) continue;
                seen[u] = true;
                if (go(u)) todo.push_back(u);
            }
        }
    }

    Facts& facts_;
    Uses& uses_;
    uint32_t effect_;
    const Users& users_;      ///< by vertex
    std::vector<bool> token_; ///< what the token goes through
};

/// The effects that are below several selections, none of which decides alone whether they happen.
class Finder {
public:
    Finder(Facts& facts, Uses& uses, const Effect::Users& users)
        : facts_(facts)
        , uses_(uses)
        , users_(users)
        , selections_(uses.size()) {
        for (uint32_t v = 1; v != uses.size(); ++v)
            if (is_selection(v) && facts.is_effect(uses[v].def)) ++selections_[uses[v].home];
    }

    /// The first of them; 0: none.
    uint32_t run() {
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (is_shared(v)) return v;
        return 0;
    }
    /// Where all needs of v come from: what it is below, or the context of a selection whose arms need it.
    uint32_t top(uint32_t v) {
        auto dom = uses_.dominator(v);
        return is_selection(dom) ? uses_[dom].home : dom;
    }

private:
    bool is_selection(uint32_t v) { return uses_[v].kind == Vertex::Control && !facts_.is_call(uses_[v].def); }
    bool is_shared(uint32_t v) {
        auto& vertex = uses_[v];
        bool makes   = vertex.kind == Vertex::Control || (vertex.kind == Vertex::Simple && vertex.def->isa<App>());
        if (!makes || vertex.is_strict || !facts_.is_effect(vertex.def)) return false;
        auto dom = uses_.dominator(v);
        if (is_selection(dom) && selections_[uses_[dom].home] < 2) return false; // its arms
        if (strict(top(v))[v]) return false;                                     // all arms may need it
        Effect effect(facts_, uses_, users_, v);
        if (effect.values().empty()) return false;
        auto selection = effect.selection(top(v));
        return selection && selection != dom;
    }

    /// What evaluating `context` makes happen in any case.
    const std::vector<bool>& strict(uint32_t context) {
        auto [i, fresh] = strict_.try_emplace(context);
        if (fresh) i->second = uses_.strict(context);
        return i->second;
    }

    Facts& facts_;
    Uses& uses_;
    const Effect::Users& users_;
    std::vector<uint32_t> selections_;                       ///< of tokens, in a context
    std::unordered_map<uint32_t, std::vector<bool>> strict_; ///< by context
};

class Carrier {
public:
    Carrier(Facts& facts, Uses& uses, const Effect::Users& users, uint32_t effect)
        : facts_(facts)
        , world_(facts.world())
        , uses_(uses)
        , effect_(facts, uses, users, effect)
        , values_(effect_.values()) {
        find_changing();
    }

    const Def* run(uint32_t top) {
        Scope scope(*this, nullptr, effect_.selection(top));
        return scope.rewrite(uses_.body());
    }

private:
    /// A part of the body: all of it, or an arm that makes the effect happen.
    class Scope : public Rewriter {
    public:
        Scope(Carrier& carrier, Scope* outer, uint32_t selection)
            : Rewriter(carrier.world_)
            , carrier_(carrier)
            , outer_(outer)
            , selection_(selection) {}
        /// What the effect made, as seen from here.
        const Def* values() {
            if (selection_) return world().extract(carried(), uint64_t(1));
            std::vector<const Def*> elems;
            for (auto i : carrier_.values_) elems.push_back(rewrite(world().extract(carrier_.effect_.def(), i)));
            return world().tuple(elems);
        }

    private:
        bool needs(const Def* def) override { return !carrier_.facts_.is_closed(def); }
        const Def* rewrite_var(const Def* var) override { return outer_ ? outer_->rewrite(var) : var; }
        const Def* rewrite_imm(const Def* def) override {
            if (outer_ && !carrier_.changing_.contains(def)) return outer_->rewrite(def);
            if (selection_ && def == carrier_.uses_[selection_].def) return world().extract(carried(), uint64_t(0));
            if (auto i = selection_ ? carrier_.value_index(def) : -1; i >= 0) {
                auto made = values();
                return carrier_.values_.size() == 1 ? made : world().extract(made, uint64_t(i));
            }
            auto res = Rewriter::rewrite_imm(def);
            if (auto match = res->isa<Match>()) carrier_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            if (outer_ && (!carrier_.changing_.contains(def) || carrier_.around_.contains(def))) return outer_->rewrite(def);
            if (!outer_) carrier_.around_.insert(def);
            auto res = Rewriter::rewrite_mut(def);
            if (!outer_) carrier_.around_.erase(def);
            if (auto lam = def->isa<Lam>(); lam && lam != res) carrier_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        const Def* carried() {
            if (!carried_) carried_ = carrier_.carry(selection_, *this);
            return carried_;
        }

        Carrier& carrier_;
        Scope* outer_;
        uint32_t selection_; ///< through which the token goes; 0: the effect happens here in any case
        const Def* carried_ = nullptr;
    };

    /// The selection or match, whose arms are now pairs of what they were and of what the effect made.
    const Def* carry(uint32_t v, Scope& scope) {
        std::vector<uint32_t> arms;
        for (auto s : uses_[v].succs)
            if (uses_[s].kind == Vertex::Arm) arms.push_back(s);
        std::vector<const Def*> elems;
        if (auto selection = facts_.selection(uses_[v].def)) {
            for (size_t k = 0; k != arms.size(); ++k) elems.push_back(pair(arms[k], selection.elems[k], scope));
            return world_.extract(world_.tuple(elems), scope.rewrite(selection.index));
        }
        auto match = uses_[v].def->as<Match>();
        for (size_t k = 0; k != arms.size(); ++k) elems.push_back(arm(arms[k], match->arms()[k], scope));
        auto res = world_.match(scope.rewrite(match->scrutinee()), elems);
        if (auto made = res->isa<Match>()) facts_.add_match(made);
        return res;
    }

    const Def* arm(uint32_t a, const Def* function, Scope& scope) {
        auto inner = facts_.isa_inner_arm(function);
        auto dom   = scope.rewrite(function->type()->as<Pi>()->dom());
        auto type  = scope.rewrite(uses_[uses_[a].owner].def->type());
        auto lam   = world_.mut_lam(world_.pi(dom, world_.sigma({type, values_type(scope)})));
        world_.copy_info(function, lam);
        world_.set_filter(lam, world_.ff());
        if (inner) scope.map(inner->var(), lam->var());
        auto body = inner ? pair(a, inner->body(), scope)
                          : world_.tuple({world_.app(scope.rewrite(function), lam->var()), absent(scope)});
        world_.set_body(lam, body);
        world_.close({{lam}});
        return lam;
    }

    const Def* pair(uint32_t a, const Def* expr, Scope& scope) {
        if (!effect_.gets_token(a)) return world_.tuple({scope.rewrite(expr), absent(scope)});
        Scope inside(*this, &scope, effect_.is_strict(a) ? 0 : effect_.selection(a));
        auto value = inside.rewrite(expr);
        return world_.tuple({value, inside.values()});
    }

    const Def* values_type(Scope& scope) {
        std::vector<const Def*> types;
        for (auto i : values_) types.push_back(scope.rewrite(world_.extract(effect_.def(), i)->type()));
        return world_.sigma(types);
    }

    /// Which of the values that the effect makes this is; -1 if none.
    int64_t value_index(const Def* def) {
        auto ex  = def->isa<Extract>();
        auto lit = ex && ex->tuple() == effect_.def() ? isa_lit(ex->index()) : nullptr;
        auto i   = lit ? std::find(values_.begin(), values_.end(), lit->value()) : values_.end();
        return i == values_.end() ? -1 : i - values_.begin();
    }

    /// What the effect is somewhere in.
    void find_changing() {
        std::unordered_map<const Def*, std::vector<const Def*>> users;
        std::vector<const Def*> todo{uses_.body()};
        users[uses_.body()];
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (!def->is_set()) continue;
            for (auto op : def->ops()) {
                if (!op || facts_.is_closed(op)) continue;
                auto [i, fresh] = users.try_emplace(op);
                i->second.push_back(def);
                if (fresh) todo.push_back(op);
            }
        }
        todo.push_back(effect_.def());
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (changing_.insert(def).second) todo.insert(todo.end(), users[def].begin(), users[def].end());
        }
    }

    /// What stands for the values where the effect does not happen.
    const Def* absent(Scope& scope) { return world_.app(world_.annex(direct::absent(0)), values_type(scope)); }

    Facts& facts_;
    World& world_;
    Uses& uses_;
    Effect effect_;
    std::vector<uint64_t> values_;
    std::unordered_set<const Def*> around_; ///< binders that are being copied
    std::unordered_set<const Def*> changing_;
};

} // namespace

const Def* carry_effect(Facts& facts, Uses& uses) {
    auto users = uses.find_users();
    Finder finder(facts, uses, users);
    auto v = finder.run();
    return v ? Carrier(facts, uses, users, v).run(finder.top(v)) : nullptr;
}

} // namespace mim::plug::direct
