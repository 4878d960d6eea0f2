// SPDX-License-Identifier: MIT
// See join.h. With selections s and t that share a token, the *region* is what depends on one of them and what one of them depends on, they
// themselves included. It is built once for each arm of s; in it, a selection by the index of s is the chosen element. What is
// needed outside of the region comes out of the arms as a tuple. What the context needs in any case and what is not of the region is
// evaluated before, as it was; all the rest belongs to the arms.
#include "join.h"

#include <algorithm>
#include <optional>

#include "ir/rewrite.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

struct Pair {
    uint32_t home, first, second; ///< `first` does not depend on `second`
};

/// Looks for two selections of one context that share a token.
class SharedFinder {
public:
    SharedFinder(Facts& facts, Uses& uses)
        : facts_(facts)
        , uses_(uses) {}

    std::optional<Pair> run() {
        std::unordered_map<uint32_t, std::vector<uint32_t>> selections; // by home
        std::vector<uint32_t> homes;
        for (uint32_t v = 1; v != uses_.size(); ++v) {
            if (!is_selection(v) || !facts_.is_effect(uses_[v].def)) continue;
            auto& here = selections[uses_[v].home];
            if (here.push_back(v); here.size() == 2) homes.push_back(uses_[v].home);
        }
        for (auto home : homes)
            if (auto pair = find(home, selections[home])) return pair;
        return {};
    }

private:
    bool is_selection(uint32_t v) const {
        auto def = uses_[v].def;
        return uses_[v].kind == Vertex::Control && (facts_.selection(def) || def->isa<Match>());
    }

    std::optional<Pair> find(uint32_t home, std::vector<uint32_t>& selections) {
        strict_ = uses_.strict(home);
        std::erase_if(selections, [&](auto v) { return !strict_[v]; });
        std::sort(selections.begin(), selections.end(), [&](auto a, auto b) { return uses_[a].order < uses_[b].order; });
        owner_.clear();
        for (auto v : selections)
            if (auto other = spread(v)) return Pair{home, other, v};
        return {};
    }

    /// Marks the tokens that come to the arms of v; an earlier selection to which one comes as well, else 0.
    uint32_t spread(uint32_t v) {
        std::vector<const Def*> todo, ops;
        auto enter = [&](uint32_t u) {
            for (auto a : uses_.arms(u)) todo.push_back(uses_[a].def);
        };
        std::unordered_set<const Def*> seen;
        enter(v);
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (!facts_.is_effect(def) || def->isa<Lam>() || !seen.insert(def).second) continue;
            auto u         = uses_.vertex(def);
            bool is_before = u >= 0 && strict_[uint32_t(u)];
            bool is_tuple  = def->type()->isa<Sigma>() || def->type()->isa<Arr>();
            if (!is_tuple || (def->isa<App>() && !is_before))
                if (auto owner = owner_.try_emplace(def, v).first->second; owner != v) return owner;
            if (is_before) continue;
            if (u >= 0 && is_selection(uint32_t(u))) {
                enter(uint32_t(u));
                continue;
            }
            ops.clear();
            facts_.operands(def, ops);
            todo.insert(todo.end(), ops.begin(), ops.end());
        }
        return 0;
    }

    Facts& facts_;
    Uses& uses_;
    std::vector<bool> strict_;
    std::unordered_map<const Def*, uint32_t> owner_; ///< of a token: the selection to which it comes
};

class Joiner {
public:
    Joiner(Facts& facts, Uses& uses, Pair pair)
        : facts_(facts)
        , world_(facts.world())
        , uses_(uses)
        , pair_(pair)
        , strict_(uses.strict(pair.home)) {
        find_region();
        find_outputs();
    }

    const Def* run() { return Outside(*this).rewrite(uses_.body()); }

private:
    /// What both rewriters do.
    class Copier : public Rewriter {
    public:
        explicit Copier(Joiner& joiner)
            : Rewriter(joiner.world_)
            , joiner_(joiner) {}

    protected:
        bool needs(const Def* def) override { return !joiner_.facts_.is_closed(def); }
        const Def* rewrite_imm(const Def* def) override {
            auto res = Rewriter::rewrite_imm(def);
            if (auto match = res->isa<Match>()) joiner_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            auto res = Rewriter::rewrite_mut(def);
            if (auto lam = def->isa<Lam>(); lam && lam != res) joiner_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        Joiner& joiner_;
    };

    /// The body, with the outputs of the region taken from the arms.
    class Outside : public Copier {
    public:
        using Copier::Copier;
        bool is_around(const Def* def) const { return around_.contains(def); }

    private:
        const Def* rewrite_imm(const Def* def) override {
            auto i = std::find(joiner_.outputs_.begin(), joiner_.outputs_.end(), def);
            if (i == joiner_.outputs_.end()) return Copier::rewrite_imm(def);
            if (!joined_) joined_ = joiner_.join(*this);
            return world().extract(joined_, uint64_t(i - joiner_.outputs_.begin()));
        }
        const Def* rewrite_mut(const Def* def) override {
            around_.insert(def);
            auto res = Copier::rewrite_mut(def);
            around_.erase(def);
            return res;
        }
        const Def* joined_ = nullptr;
        std::unordered_set<const Def*> around_; ///< binders that are being copied
    };

    /// The region in one arm.
    class Inside : public Copier {
    public:
        Inside(Joiner& joiner, Outside& outside, size_t arm, const Def* member)
            : Copier(joiner)
            , outside_(outside)
            , arm_(arm)
            , member_(member) {}

    private:
        const Def* rewrite_var(const Def* var) override { return outside_.rewrite(var); }
        const Def* rewrite_imm(const Def* def) override {
            if (joiner_.is_outside(def)) return outside_.rewrite(def);
            return joiner_.is_decided(def) ? chosen(def) : Copier::rewrite_imm(def);
        }
        const Def* rewrite_mut(const Def* def) override {
            return joiner_.is_outside(def) || outside_.is_around(def) ? outside_.rewrite(def) : Copier::rewrite_mut(def);
        }
        /// The arm of a selection by the index that is known here.
        const Def* chosen(const Def* def) {
            if (auto& selection = joiner_.facts_.selection(def)) return rewrite(selection.elems[arm_]);
            auto arm   = def->as<Match>()->arms()[arm_];
            auto inner = joiner_.facts_.isa_inner_arm(arm);
            if (!inner) return world().app(rewrite(arm), member_);
            map(inner->var(), member_);
            return rewrite(inner->body());
        }
        Outside& outside_;
        size_t arm_;
        const Def* member_; ///< of a union, in an arm of a match
    };

    const Def* join(Outside& outside) {
        auto first = uses_[pair_.first].def;
        std::vector<const Def*> elems;
        auto values = [&](size_t arm, const Def* member) {
            Inside inside(*this, outside, arm, member);
            std::vector<const Def*> parts;
            for (auto def : outputs_) parts.push_back(inside.rewrite(def));
            return world_.tuple(parts);
        };
        if (auto selection = facts_.selection(first)) {
            for (size_t k = 0; k != selection.elems.size(); ++k) elems.push_back(values(k, nullptr));
            return world_.extract(world_.tuple(elems), outside.rewrite(selection.index));
        }
        std::vector<const Def*> types;
        for (auto def : outputs_) types.push_back(outside.rewrite(def->type()));
        auto match = first->as<Match>();
        for (auto arm : match->arms()) {
            auto lam = world_.mut_lam(world_.pi(outside.rewrite(arm->type()->as<Pi>()->dom()), world_.sigma(types)));
            world_.notes.copy_info(arm, lam);
            world_.set(lam, world_.ff(), values(elems.size(), lam->var()));
            world_.close({{lam}});
            elems.push_back(lam);
        }
        auto res = world_.match(outside.rewrite(match->scrutinee()), elems);
        if (auto made = res->isa<Match>()) facts_.add_match(made);
        return res;
    }

    bool is_decided(const Def* def) {
        auto first = uses_[pair_.first].def;
        if (auto index = facts_.selection(first).index) return facts_.selection(def).index == index;
        auto match = def->isa<Match>();
        return match && facts_.is_match(def) && match->scrutinee() == first->as<Match>()->scrutinee();
    }
    /// Whether def is evaluated before the region.
    bool is_outside(const Def* def) {
        auto v = uses_.vertex(def);
        return v < 0 ? def->isa<Var>() != nullptr : strict_[uint32_t(v)] && !region_[uint32_t(v)];
    }

    void find_region() {
        auto users  = uses_.find_users();
        auto spread = [&](auto next) {
            std::vector<bool> seen(uses_.size());
            std::vector<uint32_t> todo{pair_.first, pair_.second};
            while (!todo.empty()) {
                auto v = todo.back();
                todo.pop_back();
                if (v == pair_.home || seen[v]) continue;
                seen[v] = true;
                for (auto u : next(v)) todo.push_back(u);
            }
            return seen;
        };
        auto above = spread([&](auto v) { return users[v]; });
        region_    = spread([&](auto v) { return uses_[v].succs; });
        for (uint32_t v = 0; v != uses_.size(); ++v) region_[v] = region_[v] && above[v];
        users_ = std::move(users);
    }

    /// Whether v is a part of what makes tokens.
    bool is_part(uint32_t v) {
        auto ex = uses_[v].kind == Vertex::Simple ? uses_[v].def->isa<Extract>() : nullptr;
        return ex && ex->index()->isa<Lit>() && facts_.is_effect(ex->tuple());
    }

    /// Of what makes tokens only the parts that are needed: each token goes one way.
    void find_outputs() {
        std::vector<uint32_t> todo;
        for (uint32_t v = 1; v != uses_.size(); ++v) {
            bool makes = uses_[v].kind == Vertex::Control || (uses_[v].kind == Vertex::Simple && facts_.is_effect(uses_[v].def));
            if (region_[v] && strict_[v] && makes && !is_part(v)) todo.push_back(v);
        }
        std::vector<uint32_t> outputs;
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            bool is_used = false;
            for (auto u : users_[v]) {
                if (is_part(u)) todo.push_back(u);
                else is_used = is_used || !region_[u];
            }
            if (is_used) outputs.push_back(v);
        }
        for (auto v : outputs) outputs_.push_back(uses_[v].def), region_[v] = true;
    }

    Facts& facts_;
    World& world_;
    Uses& uses_;
    Pair pair_;
    std::vector<bool> strict_;
    std::vector<bool> region_;
    std::vector<std::vector<uint32_t>> users_;
    std::vector<const Def*> outputs_;
};

} // namespace

const Def* join_selections(Facts& facts, Uses& uses) {
    auto pair = SharedFinder(facts, uses).run();
    return pair ? Joiner(facts, uses, *pair).run() : nullptr;
}

} // namespace mim::plug::direct
