// SPDX-License-Identifier: MIT
// See merge.h. What the block needs of the effect is built anew inside of it; everybody else goes on with the effect itself.
#include "merge.h"

#include <algorithm>

#include "ir/rewrite.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

class Merger {
public:
    Merger(Facts& facts, Uses& uses)
        : facts_(facts)
        , world_(facts.world())
        , uses_(uses)
        , place_(uses.meeting().block)
        , block_(uses[place_].def->as<Lam>())
        , effect_(uses[uses.meeting().effect].def) {
        mention_ = world_.mut_lam(world_.cn(block_->type()))->var();
        find_mentioning();
        find_parts();
    }

    const Def* run() { return Outside(*this).rewrite_body(uses_.body()); }

private:
    /// What is done in the block and around it.
    class Copier : public Rewriter {
    public:
        explicit Copier(Merger& merger)
            : Rewriter(merger.world_)
            , merger_(merger) {
            map(merger.block_, merger.mention_);
        }
        const Def* rewrite_body(const Def* body) { return land(rewrite(body)); }

    protected:
        virtual const Lam* merged() = 0;
        bool needs(const Def* def) override { return !merger_.facts_.is_closed(def); }
        const Def* rewrite_imm(const Def* def) override {
            auto app = def->isa<App>();
            if (app && app->callee() == merger_.block_) return enter(rewrite(app->arg()));
            auto res = Rewriter::rewrite_imm(def);
            if (auto match = res->isa<Match>()) merger_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            auto lam = def->isa<Lam>();
            auto res = merger_.mentioning_.contains(lam) ? copy(lam) : Rewriter::rewrite_mut(def);
            if (lam && lam != res) merger_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        const Def* copy(const Lam* lam) {
            auto made = world().mut_lam(rewrite(lam->type()));
            map(lam, made);
            map(lam->var(), made->var());
            world().copy_info(lam, made);
            world().set_filter(made, rewrite(lam->filter()));
            world().set_body(made, land(rewrite(lam->body())));
            world().close({{made}});
            return made;
        }
        /// Goes to the block with the effect as it is here.
        const Def* enter(const Def* arg) {
            std::vector<const Def*> parts;
            for (auto part : merger_.parts_) parts.push_back(rewrite(part));
            return world().app(merged(), {arg, world().tuple(parts)});
        }
        /// Where a function mentions the block, and calls it not by name, it gets a block of its own.
        const Def* land(const Def* body) {
            auto mention = merger_.mention_;
            if (!world().is_free_in(mention, body)) return body;
            auto lam = world().mut_lam(rewrite(merger_.block_->type()));
            world().copy_info(merger_.block_, lam);
            world().set(lam, world().ff(), enter(lam->var()));
            world().close({{lam}});
            return world().subst(body, mention, lam);
        }
        Merger& merger_;
    };

    class Outside : public Copier {
    public:
        using Copier::Copier;
        const Lam* merged() override {
            if (!merged_) merged_ = merger_.merge(*this);
            return merged_;
        }

    private:
        friend class Merger;
        const Lam* merged_ = nullptr;
    };

    class Inside : public Copier {
    public:
        Inside(Merger& merger, Outside& outside)
            : Copier(merger)
            , outside_(outside) {}

    private:
        const Lam* merged() override { return outside_.merged(); }
        const Def* rewrite_var(const Def* var) override { return outside_.rewrite(var); }
        const Def* rewrite_mut(const Def* def) override {
            return merger_.is_inside(def) ? Copier::rewrite_mut(def) : outside_.rewrite(def);
        }
        Outside& outside_;
    };

    const Lam* merge(Outside& outside) {
        std::vector<const Def*> types;
        for (auto part : parts_) types.push_back(outside.rewrite(part->type()));
        auto lam        = world_.mut_lam(world_.cn(world_.sigma({outside.rewrite(block_->dom()), world_.sigma(types)})));
        outside.merged_ = lam;
        world_.copy_info(block_, lam);
        world_.set_filter(lam, world_.ff());
        Inside inside(*this, outside);
        inside.map(block_->var(), world_.extract(lam->var(), uint64_t(0)));
        auto values = world_.extract(lam->var(), uint64_t(1));
        for (size_t i = 0; i != parts_.size(); ++i)
            inside.map(parts_[i], parts_.size() == 1 ? values : world_.extract(values, uint64_t(i)));
        world_.set_body(lam, inside.rewrite_body(block_->body()));
        world_.close({{lam}});
        return lam;
    }

    /// Whether a binder is built anew inside of the block: what only that mentions, and what is no function of its own.
    bool is_inside(const Def* def) {
        auto v = uses_.vertex(def);
        return v < 0 || uses_.dominates(place_, uint32_t(v));
    }

    /// The functions of whose bodies the block is a part, not counting functions inside of them.
    void find_mentioning() {
        auto users = uses_.find_users();
        std::vector<bool> seen(uses_.size());
        auto todo = users[place_];
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            if (seen[v]) continue;
            seen[v] = true;
            if (uses_[v].kind != Vertex::Function) todo.insert(todo.end(), users[v].begin(), users[v].end());
            else if (auto lam = v == 0 ? nullptr : uses_[v].def->isa<Lam>()) mentioning_.insert(lam);
        }
    }

    /// The parts of the effect that the block asks for, or all of it.
    void find_parts() {
        std::unordered_set<const Def*> parts;
        std::vector<uint32_t> todo{place_};
        std::vector<bool> seen(uses_.size());
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            if (seen[v] || (uses_[v].kind == Vertex::Function && !uses_.dominates(place_, v))) continue;
            seen[v] = true;
            auto ex = uses_[v].kind == Vertex::Simple ? uses_[v].def->isa<Extract>() : nullptr;
            if (ex && ex->tuple() == effect_ && ex->index()->isa<Lit>()) parts.insert(ex);
            else if (uses_[v].def == effect_) parts.insert(effect_);
            else todo.insert(todo.end(), uses_[v].succs.begin(), uses_[v].succs.end());
        }
        if (parts.contains(effect_)) parts = {effect_};
        parts_.assign(parts.begin(), parts.end());
        std::ranges::sort(parts_, {}, [](auto part) { return part->id(); });
    }

    Facts& facts_;
    World& world_;
    Uses& uses_;
    uint32_t place_;
    const Lam* block_;
    const Def* effect_;
    const Def* mention_ = nullptr; ///< stands for the block until it is known which function mentions it
    std::unordered_set<const Lam*> mentioning_;
    std::vector<const Def*> parts_;
};

} // namespace

const Def* merge_effect(Facts& facts, Uses& uses) { return uses.meeting().effect ? Merger(facts, uses).run() : nullptr; }

} // namespace mim::plug::direct
