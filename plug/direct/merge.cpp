// SPDX-License-Identifier: MIT
// See merge.h. What a block needs of its effect is built anew inside of it; everybody else goes on with the effect itself.
#include "merge.h"

#include <algorithm>

#include "base/components.h"
#include "ir/rewrite.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;
using Users  = Uses::Users;

/// A block that takes over an effect.
struct Merge {
    uint32_t place = 0, effect = 0; ///< their vertices
    const Lam* block = nullptr;
    /// Stands for the block until it is known which function mentions it.
    const Def* mention = nullptr;
    /// The parts of the effect that the block asks for, or all of it.
    std::vector<const Def*> parts = {};
};

/// Which blocks take over an effect now, and what of it.
class MergeFinder {
public:
    MergeFinder(Facts& facts, Uses& uses, const Users& users)
        : facts_(facts)
        , uses_(uses)
        , users_(users) {}

    /// Of several effects the last one: what it is made of then happens with it. Others if they have nothing to do with that.
    std::vector<Merge> run() {
        auto meetings = uses_.meetings();
        std::ranges::sort(meetings, {}, [&](auto& meeting) { return ~uses_[meeting.effect].order; });
        std::vector<bool> used(uses_.size());
        std::unordered_set<uint32_t> blocks;
        std::vector<Merge> result;
        for (auto& meeting : meetings) {
            if (used[meeting.effect] || !blocks.insert(meeting.block).second) continue;
            uses_.mark_needs({meeting.effect}, used);
            result.push_back(merge(meeting));
        }
        return result;
    }

private:
    Merge merge(const Uses::Meeting& meeting) {
        auto& world = facts_.world();
        Merge result{meeting.block, meeting.effect, uses_[meeting.block].def->as<Lam>()};
        result.mention = world.mut_lam(world.cn(result.block->type()))->var();
        result.parts   = parts(meeting);
        return result;
    }

    std::vector<const Def*> parts(const Uses::Meeting& meeting) {
        auto effect = uses_[meeting.effect].def;
        std::vector<const Def*> result;
        for (auto u : users_[meeting.effect]) {
            auto ex      = uses_[u].kind == Vertex::Simple ? uses_[u].def->isa<Extract>() : nullptr;
            bool is_part = ex && ex->tuple() == effect && ex->index()->isa<Lit>();
            if (!asks(meeting.block, is_part ? users_[u] : std::vector{u})) continue;
            if (!is_part) return {effect};
            result.push_back(ex);
        }
        std::ranges::sort(result, {}, [](auto part) { return part->id(); });
        return result;
    }

    /// Whether a block needs one of these vertices itself, or a function inside of it does.
    bool asks(uint32_t block, std::vector<uint32_t> todo) {
        std::unordered_set<uint32_t> seen;
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            if (v == block) return true;
            if (!seen.insert(v).second || (uses_[v].kind == Vertex::Function && !uses_.dominates(block, v))) continue;
            todo.insert(todo.end(), users_[v].begin(), users_[v].end());
        }
        return false;
    }

    Facts& facts_;
    Uses& uses_;
    const Users& users_;
};

class Merger {
public:
    Merger(Facts& facts, Uses& uses, const Users& users, std::vector<Merge> merges)
        : facts_(facts)
        , world_(facts.world())
        , uses_(uses)
        , merges_(std::move(merges))
        , order_(components(uses.size(), [&](uint32_t v) -> auto& { return uses[v].succs; })) {
        for (auto& merge : merges_) {
            by_block_[merge.block] = &merge;
            find_mentioning(merge, users);
        }
    }

    const Def* run() { return Copier(*this, nullptr, nullptr).rewrite_body(uses_.body()); }

private:
    /// What is done in one of the blocks, or around all of them.
    class Copier : public Rewriter {
    public:
        Copier(Merger& merger, Copier* outer, const Merge* merge)
            : Rewriter(merger.world_)
            , merger_(merger)
            , outer_(outer)
            , merge_(merge) {}
        const Def* rewrite_body(const Def* body) { return land(nullptr, rewrite(body)); }

    private:
        bool needs(const Def* def) override { return !merger_.facts_.is_closed(def); }
        const Def* rewrite_var(const Def* var) override { return outer_ ? outer_->rewrite(var) : var; }
        const Def* rewrite_imm(const Def* def) override {
            if (merge_ && merger_.is_before(def, *merge_)) return outer_->rewrite(def);
            auto app = def->isa<App>();
            auto to  = app ? merger_.merge_of(app->callee()) : nullptr;
            if (to) return enter(*to, rewrite(app->arg()));
            auto res = Rewriter::rewrite_imm(def);
            if (auto match = res->isa<Match>()) merger_.facts_.add_match(match);
            return res;
        }
        const Def* rewrite_mut(const Def* def) override {
            if (auto m = merger_.merge_of(def)) return m->mention;
            if (merge_ && !merger_.is_inside(def, *merge_)) return outer_->rewrite(def);
            auto lam = def->isa<Lam>();
            auto res = lam && merger_.mentioned_in_.contains(lam) ? copy(lam) : Rewriter::rewrite_mut(def);
            if (lam && lam != res) merger_.facts_.copy_leaves(lam, res->as<Lam>());
            return res;
        }
        const Def* copy(const Lam* lam) {
            auto made = world().mut_lam(rewrite(lam->type()));
            map(lam, made);
            map(lam->var(), made->var());
            world().notes.copy_info(lam, made);
            world().set_filter(made, rewrite(lam->filter()));
            world().set_body(made, land(lam, rewrite(lam->body())));
            world().close({{made}});
            return made;
        }
        /// Goes to the block with the effect as it is here.
        const Def* enter(const Merge& merge, const Def* arg) {
            std::vector<const Def*> parts;
            for (auto part : merge.parts) parts.push_back(rewrite(part));
            return world().app(around(merge).merged(merge), {arg, world().tuple(parts)});
        }
        /// The one that copies what is around the block.
        Copier& around(const Merge& merge) {
            auto copier = this;
            while (copier->merge_ && (copier->merge_ == &merge || !merger_.uses_.dominates(copier->merge_->place, merge.place)))
                copier = copier->outer_;
            return *copier;
        }
        /// Where a function mentions blocks, and calls them not by name, it gets blocks of its own. `lam`: null for the function itself.
        const Def* land(const Lam* lam, const Def* body) {
            for (auto merge : merger_.mentioned_in_[lam]) {
                if (!is_free_in(world(), merge->mention, body)) continue;
                auto own = world().mut_lam(rewrite(merge->block->type()));
                world().notes.copy_info(merge->block, own);
                world().set(own, world().ff(), enter(*merge, own->var()));
                world().close({{own}});
                body = world().subst(body, merge->mention, own);
            }
            return body;
        }
        const Lam* merged(const Merge& merge) {
            auto& made = merged_[&merge];
            return made ? made : make(merge, made);
        }
        const Lam* make(const Merge& merge, const Lam*& made) {
            std::vector<const Def*> types;
            for (auto part : merge.parts) types.push_back(rewrite(part->type()));
            auto lam = world().mut_lam(world().cn(world().sigma({rewrite(merge.block->dom()), world().sigma(types)})));
            made     = lam;
            world().notes.copy_info(merge.block, lam);
            world().set_filter(lam, world().ff());
            Copier inside(merger_, this, &merge);
            inside.map(merge.block->var(), world().extract(lam->var(), uint64_t(0)));
            auto values = world().extract(lam->var(), uint64_t(1));
            for (size_t i = 0; i != merge.parts.size(); ++i)
                inside.map(merge.parts[i], merge.parts.size() == 1 ? values : world().extract(values, uint64_t(i)));
            world().set_body(lam, inside.land(merge.block, inside.rewrite(merge.block->body())));
            world().close({{lam}});
            return lam;
        }

        Merger& merger_;
        Copier* outer_;
        const Merge* merge_; ///< null: around all
        std::unordered_map<const Merge*, const Lam*> merged_;
    };

    const Merge* merge_of(const Def* def) const {
        auto i = by_block_.find(def);
        return i == by_block_.end() ? nullptr : i->second;
    }
    /// Whether a binder is built anew inside of the block: what only that mentions, and what is no function of its own.
    bool is_inside(const Def* def, const Merge& merge) {
        auto v = uses_.vertex(def);
        return v < 0 || uses_.dominates(merge.place, uint32_t(v));
    }
    /// Whether def is certainly neither in the block nor made of its effect.
    bool is_before(const Def* def, const Merge& merge) {
        auto v = uses_.vertex(def);
        return v >= 0 && !uses_.dominates(merge.place, uint32_t(v)) && order_[uint32_t(v)] < order_[merge.effect];
    }

    /// The functions of whose bodies the block is a part, not counting functions inside of them.
    void find_mentioning(const Merge& merge, const Users& users) {
        std::unordered_set<uint32_t> seen;
        auto todo = users[merge.place];
        while (!todo.empty()) {
            auto v = todo.back();
            todo.pop_back();
            if (!seen.insert(v).second) continue;
            if (uses_[v].kind != Vertex::Function) todo.insert(todo.end(), users[v].begin(), users[v].end());
            else if (v == 0) mentioned_in_[nullptr].push_back(&merge);
            else if (auto lam = uses_[v].def->isa<Lam>()) mentioned_in_[lam].push_back(&merge);
        }
    }

    Facts& facts_;
    World& world_;
    Uses& uses_;
    std::vector<Merge> merges_;
    std::vector<uint32_t> order_; ///< of vertices: operands have the same place or an earlier one
    std::unordered_map<const Def*, const Merge*> by_block_;
    std::unordered_map<const Lam*, std::vector<const Merge*>> mentioned_in_;
};

} // namespace

const Def* merge_effects(Facts& facts, Uses& uses) {
    if (uses.meetings().empty()) return nullptr;
    auto users = uses.find_users();
    return Merger(facts, uses, users, MergeFinder(facts, uses, users).run()).run();
}

} // namespace mim::plug::direct
