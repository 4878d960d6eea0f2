// SPDX-License-Identifier: MIT
// Inlining. A function that is called once, and of which nothing else is known outside, is its caller's: its body takes the place of
// the call, at no cost. A function that is called more often is copied if that costs no more than the call:
//
//     operations in its body, a call counting as CallCost      ≤ MaxCost + ArgBonus for each argument that is known
//
// A store of an array counts as StoreCost: an array can be made where it is stored if one place stores it. If nothing of the
// array was written, the store does nothing, and is copied.
//
// It must not call itself, and all copies of a phase together may add GrowthPercent of the program. Functions with memory for
// each activation stay functions, unless another one that does so ends in the only call.
//
// Calls are built again all over, so tuples among the arguments of what stays a function are taken apart in the same go (flatten.h).
#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "analysis/pointee.h"
#include "analysis/program.h"
#include "opt/flatten.h"
#include "opt/frames.h"
#include "opt/opt.h"

namespace mim::opt {

namespace {

constexpr size_t CallCost = 3, MaxCost = 6, ArgBonus = 2, StoreCost = 32, GrowthPercent = 50, MinGrowth = 1000;

class Inline : public SignatureRewriter {
public:
    explicit Inline(PhaseContext& c)
        : SignatureRewriter(c)
        , frames_(frames(c.world, program()))
        , growth_(std::max(MinGrowth, program().nodes().size() * GrowthPercent / 100)) {
        plans_ = flatten_plans(c.world, program(), [&](const Lam* lam) { return !is_called_once(lam); });
    }

protected:
    bool wants(const Def* def) override {
        if (auto app = def->isa<App>())
            if (auto lam = app->callee()->isa<Lam>()) return is_called_once(lam) || wants_copy(app, lam);
        auto lam = def->isa<Lam>();
        return lam && (is_called_once(lam) || plans_.contains(lam));
    }

    const Def* rewrite_imm(const Def* def) override {
        auto app = def->isa<App>();
        auto lam = app ? app->callee()->isa<Lam>() : nullptr;
        if (!lam || !program().contains(app)) return SignatureRewriter::rewrite_imm(def);
        if (is_called_once(lam)) {
            map(lam->var(), world().coerce(rewrite(lam->dom()), rewrite(app->arg())));
            std::optional<Inlining> text;
            if (ret_part(world(), lam->pi()) >= 0) text.emplace(*this, lam, world().notes.place(app));
            auto body = rewrite(lam->body());
            if (!text || text->is_shown()) keep_names(lam, text.has_value());
            return body;
        }
        if (!copied_.contains(app)) return SignatureRewriter::rewrite_imm(def);
        auto callee = rewrite(lam), arg = argument(lam, app->arg());
        auto copy = callee->isa<Lam>() && callee->is_sealed() ? inline_copy(callee->as<Lam>(), arg, app) : nullptr;
        return copy ? copy : world().app(callee, arg);
    }

private:
    const Def* argument(const Lam* lam, const Def* arg) {
        auto plan = plans_.find(lam);
        if (plan == plans_.end()) return rewrite(arg);
        std::vector<const Def*> args;
        kept(plan->second, arg, args);
        return world().tuple(args);
    }

    bool stays_function(const Lam* lam) { return frames_.contains(lam) && ret_part(world(), lam->pi()) >= 0; }

    bool is_called_once(const Lam* lam) {
        auto users = program().users(lam);
        return users.size() == 1 && program().users(users[0]).size() == 1 && is_only_called(program(), lam)
               && (!stays_function(lam) || is_called_by_function(lam, users[0]));
    }
    /// The call is all that a function does which stays one, and does not come back to it: their activations begin and end together.
    bool is_called_by_function(const Lam* lam, const Def* call) {
        auto caller = program().users(call)[0]->isa<Lam>();
        if (!caller || caller == lam || caller->body() != call || !stays_function(caller)) return false;
        auto n   = num_parts(world(), lam->pi());
        auto ret = part_of(world(), call->as<App>()->arg(), n, size_t(ret_part(world(), lam->pi())));
        return !is_free_in(world(), caller->var(), ret);
    }

    bool wants_copy(const App* app, const Lam* lam) {
        if (!lam->is_cn() || !lam->is_set() || !lam->var()->isa<Var>() || stays_function(lam)) return false;
        size_t bonus = 0;
        auto n       = num_parts(world(), lam->pi());
        for (size_t i = 0; i < n; ++i) {
            auto arg = part_of(world(), app->arg(), n, i);
            if (arg->isa<Lit>() || arg->isa<Lam>()) bonus += ArgBonus;
            if (is_unwritten(arg)) bonus += StoreCost;
        }
        auto cost = cost_of(lam);
        if (cost > MaxCost + bonus || cost > growth_) return false;
        growth_ -= cost;
        copied_.insert(app);
        return true;
    }

    /// Operations in the body, nested functions included; too much if it calls itself.
    size_t cost_of(const Lam* root) {
        constexpr size_t Enough = 64, TooMuch = ~size_t(0);
        auto [memo, fresh] = costs_.try_emplace(root, TooMuch);
        if (!fresh) return memo->second;
        std::vector<const Def*> work{root->body()};
        size_t cost = 0, seen = 0;
        ++search_;
        while (!work.empty()) {
            auto def = work.back();
            work.pop_back();
            if (def == root) return TooMuch;
            if (def->id() >= seen_in_.size()) seen_in_.resize(world().stats().nodes + 1);
            if (std::exchange(seen_in_[def->id()], search_) == search_) continue;
            if (++seen > Enough) return TooMuch;
            if (auto lam = def->isa<Lam>()) {
                if (!is_closed(world(), lam) && lam->is_set()) work.push_back(lam->body());
                continue;
            }
            bool is_call = def->type()->isa<Bot>();
            if (stores_array(def)) cost += StoreCost;
            else if (is_call) cost += CallCost;
            else if (def->isa<App>() && is_term(def) && !def->type()->isa<Pi>()) ++cost;
            run_time_ops(def, work);
        }
        return costs_[root] = cost;
    }

    bool stores_array(const Def* def) {
        auto store = isa_store(world(), def);
        return store && is_by_address(store->value->type());
    }

    std::unordered_set<const Lam*> frames_;
    std::unordered_set<const App*> copied_;
    std::unordered_map<const Lam*, size_t> costs_;
    std::vector<uint32_t> seen_in_; ///< by id: the last search that came by
    uint32_t search_ = 0;
    size_t growth_;
};

} // namespace

void inline_calls(PhaseContext& c) { Inline(c).run(); }

} // namespace mim::opt
