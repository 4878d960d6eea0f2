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
        find_parts();
    }

    const Def* run() { return Outside(*this).rewrite(uses_.body()); }

private:
    /// What is done in the block and around it.
    class Copier : public Rewriter {
    public:
        explicit Copier(Merger& merger)
            : Rewriter(merger.world_)
            , merger_(merger) {}

    protected:
        virtual const Lam* merged() = 0;
        bool needs(const Def* def) override { return !merger_.facts_.is_closed(def); }
        const Def* rewrite_imm(const Def* def) override {
            auto app = def->isa<App>();
            if (app && app->callee() == merger_.block_) return enter(rewrite(app->arg()));
            auto res = std::ranges::find(def->ops(), merger_.block_) == def->ops().end() ? Rewriter::rewrite_imm(def)
                                                                                         : mention(def);
            if (auto match = res->isa<Match>()) merger_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            if (def == merger_.block_) return landing();
            auto res = Rewriter::rewrite_mut(def);
            if (auto lam = def->isa<Lam>(); lam && lam != res) merger_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        /// Goes to the block with the effect as it is here.
        const Def* enter(const Def* arg) {
            std::vector<const Def*> parts;
            for (auto part : merger_.parts_) parts.push_back(rewrite(part));
            return world().app(merged(), {arg, world().tuple(parts)});
        }
        /// A block of its own for each expression that mentions the block: they belong to different paths.
        const Def* mention(const Def* def) {
            std::vector<const Def*> ops;
            for (auto op : def->ops()) ops.push_back(op == merger_.block_ ? landing() : rewrite(op));
            return rebuild(def, rewrite(def->type()), ops);
        }
        const Def* landing() {
            auto lam = world().mut_lam(rewrite(merger_.block_->type()));
            world().copy_info(merger_.block_, lam);
            world().set(lam, world().ff(), enter(lam->var()));
            world().close({{lam}});
            return lam;
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
            return def == merger_.block_ || merger_.is_inside(def) ? Copier::rewrite_mut(def) : outside_.rewrite(def);
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
        world_.set_body(lam, inside.rewrite(block_->body()));
        world_.close({{lam}});
        return lam;
    }

    /// Whether a binder is built anew inside of the block: what only that mentions, and what is no function of its own.
    bool is_inside(const Def* def) {
        auto v = uses_.vertex(def);
        return v < 0 || uses_.dominates(place_, uint32_t(v));
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
    std::vector<const Def*> parts_;
};

} // namespace

const Def* merge_effect(Facts& facts, Uses& uses) { return uses.meeting().effect ? Merger(facts, uses).run() : nullptr; }

} // namespace mim::plug::direct
