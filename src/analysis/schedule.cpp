// SPDX-License-Identifier: MIT
// See schedule.h. One walk over the operands in post-order finds the earliest block and whether a node may be speculated; one walk
// backwards, users first, places it.
#include "analysis/schedule.h"

#include <algorithm>

#include "analysis/once.h"
#include "analysis/pointee.h"

namespace mim {

void end_uses(Program& program, const Function& fn, const BasicBlock& block, std::vector<const Def*>& out) {
    auto& world = program.world();
    auto params = [&](const CnView& view) {
        for (auto& p : view.params) out.push_back(param_of(world, view, p, block.arg));
    };
    if (block.index) out.push_back(block.index);
    switch (block.kind) {
        case BasicBlock::Jump:
            if (block.next.kind == Cont::To) params(program.view(block.next.block->lam));
            else out.push_back(block.arg);
            if (block.next.kind == Cont::Value) out.push_back(block.next.value);
            break;
        case BasicBlock::Call: {
            auto lam = block.callee->isa<Lam>();
            params(lam ? program.view(lam) : view_cn(world, block.callee->type()->as<Pi>()->dom(), true));
            if (lam)
                for (auto def : program.captures(lam)) out.push_back(def);
            else out.push_back(block.callee);
            if (block.next.kind == Cont::Value) out.push_back(block.next.value);
            break;
        }
        case BasicBlock::Branch:
            for (auto target : block.targets)
                if (target->lam) params(program.view(target->lam));
            break;
        case BasicBlock::Effect:
            out.push_back(block.callee);
            out.push_back(block.arg);
            break;
        case BasicBlock::Match:
            for (auto& cont : block.conts)
                if (cont.kind == Cont::Value) out.push_back(cont.value);
            break;
        case BasicBlock::Unreachable: break;
    }
    (void)fn;
}

namespace {

class Scheduler {
public:
    Scheduler(Program& program, Function& fn)
        : program_(program)
        , fn_(fn)
        , placement_(fn)
        , captures_(fn.captures.begin(), fn.captures.end()) {}

    bool run() {
        std::vector<const Def*> uses;
        for (auto& block : fn_.blocks) {
            uses.clear();
            end_uses(program_, fn_, *block, uses);
            for (auto def : uses) {
                visit(def);
                if (auto i = infos_.find(def); i != infos_.end()) i->second.uses.push_back(block->number);
            }
        }
        for (size_t i = order_.size(); i-- != 0;) place(order_[i]);
        for (auto def : order_)
            for (auto b : infos_[def].blocks) fn_.blocks[b]->nodes.push_back(def);
        return all_asked_;
    }

private:
    struct Info {
        std::vector<uint32_t> uses, blocks;
        std::vector<uint32_t> asks; ///< blocks in which what is evaluated by need may ask for it
        uint32_t early  = 0;
        bool is_spec    = true;
        bool is_op      = false; ///< placed and evaluated; else transparent
        bool is_effect  = false; ///< ordered by tokens, and only by them
        bool is_by_need = false; ///< Axiom::ByNeed
        bool is_inner   = false; ///< mentions the index of a pack around it: evaluated inside of the pack
    };

    bool is_leaf(const Def* def) {
        return def->isa<Lam>() || def->isa<Lit>() || def->isa<Axm>() || (def->isa<App>() && captures_.contains(def));
    }

    /// The values that a type mentions, such as the `n` of `Idx n`, but for those that it binds.
    void add_values_in(const Def* type, std::vector<const Def*>& out) {
        auto& world  = program_.world();
        auto is_free = [&](const Def* var) { return is_free_in(world, var, type); };
        DefSet seen;
        std::vector<const Def*> todo{type};
        while (!todo.empty()) {
            auto def = todo.back();
            todo.pop_back();
            if (!def->has(Def::HasDep) || !seen.insert(def)) continue;
            if (!is_term(def)) todo.insert(todo.end(), def->ops().begin(), def->ops().end());
            else if (std::ranges::all_of(free_vars(world, def), is_free)) out.push_back(def);
        }
    }

    /// The values that def is computed from: of a function that becomes a closure, those that it captures. An
    /// operation on a type, such as its size, is computed from the values in the type.
    void operands(const Def* def, std::vector<const Def*>& ops) {
        ops.clear();
        run_time_ops(def, ops);
        if (!def->isa<App>()) return;
        if (auto arg = def->as<App>()->arg(); !is_term(arg) && saturated_axiom(def)) add_values_in(arg, ops);
        for (size_t i = 0, n = ops.size(); i != n; ++i)
            if (auto lam = ops[i]->isa<Lam>(); lam && program_.is_function(lam)) {
                auto& captures = program_.captures(lam);
                ops.insert(ops.end(), captures.begin(), captures.end());
            }
    }

    /// Operands first, without recursion.
    void visit(const Def* root) {
        std::vector<std::pair<const Def*, bool>> stack{{root, false}};
        std::vector<const Def*> ops;
        while (!stack.empty()) {
            auto [def, finished] = stack.back();
            stack.pop_back();
            if (finished) {
                finish(def);
                continue;
            }
            if (is_leaf(def) || !infos_.try_emplace(def).second) continue;
            stack.emplace_back(def, true);
            operands(def, ops);
            for (size_t i = ops.size(); i-- != 0;) stack.emplace_back(ops[i], false);
        }
    }

    void finish(const Def* def) {
        auto& info = infos_[def];
        order_.push_back(def);
        if (auto var = def->isa<Var>()) {
            info.is_inner = !var->binder()->isa<Lam>();
            if (auto lam = var->binder()->isa<Lam>())
                if (auto i = fn_.block_of.find(lam); i != fn_.block_of.end()) info.early = i->second->number;
            return;
        }
        std::vector<const Def*> ops;
        operands(def, ops);
        for (auto op : ops) {
            auto i = infos_.find(op);
            if (i == infos_.end()) continue;
            info.is_spec &= i->second.is_spec;
            info.is_inner |= i->second.is_inner;
            if (fn_.doms->depth(i->second.early) > fn_.doms->depth(info.early)) info.early = i->second.early;
        }
        if (info.is_inner && def->isa<Pack>()) info.is_inner = mentions_pack(def);
        if (!info.is_inner) classify(def, info);
    }

    bool mentions_pack(const Def* def) {
        for (auto var : free_vars(program_.world(), def))
            if (!var->as<Var>()->binder()->isa<Lam>()) return true;
        return false;
    }

    void classify(const Def* def, Info& info) {
        if (auto app = def->isa<App>()) {
            auto axm = head_axiom(app);
            // an application of function type that is not saturated is part of the operation it belongs to
            info.is_op = is_term(app) && !(axm && app->type()->isa<Pi>() && !saturated_axiom(app));
            if (info.is_op) info.is_spec &= axm && axm->axiom().is_speculatable(program_.world().checked);
            info.is_effect  = is_effect(app);
            info.is_by_need = is_op_by_need(app);
            if (info.is_by_need) info.is_op = info.is_spec = false;
            return;
        }
        if (auto extract = def->isa<Extract>())
            info.is_op = !extract->index()->isa<Lit>() || is_by_address(extract->tuple()->type());
        else info.is_op = def->isa<Insert>() || def->isa<Match>() || fills_memory(def);
        if (def->isa<Match>()) info.is_spec = false;
    }

    /// An array is not made again wherever it is used if that takes a loop.
    static bool fills_memory(const Def* def) {
        if (auto pack = def->isa<Pack>(); pack && pack->var()) return true;
        bool is_literal = def->isa<Tuple>() || def->isa<Pack>();
        return is_literal && is_by_address(def->type()) && !is_constant_array(def);
    }

    static bool is_op_by_need(const App* app) {
        auto axm = saturated_axiom(app);
        return axm && axm->axiom().has(Axiom::ByNeed);
    }

    /// A use by need counts like any other if the operand is an effect, which happens anyway, or speculatable. Other operands are evaluated
    /// only when the operation that uses them is.
    static void count_asks(Info& info) {
        auto move = [](std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
            to.insert(to.end(), from.begin(), from.end());
            from.clear();
        };
        if (info.is_by_need) move(info.uses, info.asks);
        else if (info.is_op && (info.is_spec || info.is_effect)) move(info.asks, info.uses);
    }

    static void unique(std::vector<uint32_t>& blocks) {
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    }

    void place(const Def* def) {
        auto& info = infos_[def];
        auto& uses = info.uses;
        count_asks(info);
        unique(info.asks);
        unique(uses);
        if (info.is_op && !uses.empty()) {
            if (is_suspension(def)) uses = {best(uses, info.early)};
            else if (info.is_spec) uses = best_of_each(uses, info.early);
            else topmost(uses, info);
            if (info.is_effect && uses.size() > 1) happen_once(def, info);
            info.blocks = uses;
        }
        std::vector<const Def*> ops;
        operands(def, ops);
        for (auto op : ops)
            if (auto i = infos_.find(op); i != infos_.end()) {
                i->second.uses.insert(i->second.uses.end(), uses.begin(), uses.end());
                i->second.asks.insert(i->second.asks.end(), info.asks.begin(), info.asks.end());
            }
        if (!info.is_op) info.blocks.clear();
    }

    /// What a loop computes in each turn and what is behind it, too, would be in the way of the loop where both meet, that is in front
    /// of the question whether there is another turn. It is computed once more behind the loop instead, which takes no longer.
    std::vector<uint32_t> best_of_each(std::vector<uint32_t> uses, uint32_t early) {
        std::vector<uint32_t> result;
        for (;;) {
            auto block = best(uses, early);
            auto depth = fn_.loop_depth[block];
            auto inner = std::partition(uses.begin(), uses.end(), [&](auto b) { return fn_.loop_depth[b] < depth; });
            std::vector<uint32_t> inside(inner, uses.end());
            uses.erase(inner, uses.end());
            auto split = uses.empty() || inside.empty() ? block : best(inside, early);
            result.push_back(split);
            if (split == block) return result;
        }
    }

    /// The nearest common dominator, moved out of loops as far as `early` allows.
    uint32_t best(const std::vector<uint32_t>& uses, uint32_t early) {
        auto late = uses.front();
        for (auto b : uses) late = fn_.doms->lca(late, b);
        auto result = late;
        for (auto b = late; b != early && b != 0 && fn_.loop_depth[result] != 0;) {
            b = fn_.doms->idom(b);
            if (fn_.loop_depth[b] < fn_.loop_depth[result]) result = b;
        }
        return result;
    }

    /// Keeps blocks that no other use dominates. If there are several, a block from which every path asks, asks itself, up to their
    /// common dominator: so nothing happens twice on a path. What has no effect does not move before a call, which may never return. An effect
    /// for which all turns of a loop ask happens in front of it.
    void topmost(std::vector<uint32_t>& uses, const Info& info) {
        undominated(uses);
        auto top = uses.front();
        for (auto b : uses) top = fn_.doms->lca(top, b);
        bool is_in_loop = is_in_later_loop(top, info.early);
        if (uses.size() == 1 && !(info.is_effect && is_in_loop)) return;
        while (info.is_effect && is_in_later_loop(top, info.early)) top = fn_.doms->idom(top);
        std::unordered_map<uint32_t, uint32_t> asked;
        std::unordered_set<uint32_t> asks(uses.begin(), uses.end());
        std::vector<uint32_t> todo = uses;
        while (!todo.empty()) {
            auto b = todo.back();
            todo.pop_back();
            if (b == top) continue;
            for (auto pred : fn_.blocks[b]->preds) {
                if (asks.contains(pred->number) || (pred->kind == BasicBlock::Call && !info.is_effect)) continue;
                if (++asked[pred->number] != pred->succs.size()) continue;
                asks.insert(pred->number);
                todo.push_back(pred->number);
            }
        }
        uses.assign(asks.begin(), asks.end());
        undominated(uses);
        auto happens_again = [&](auto b) { return is_in_later_loop(b, info.early); };
        if (info.is_effect && std::ranges::any_of(uses, happens_again)) all_asked_ = false; // nothing is between two loops
    }

    /// Whether the block is in a loop that is entered when control has passed `early`, which dominates the block.
    bool is_in_later_loop(uint32_t block, uint32_t early) const {
        auto header = fn_.loop_header[block];
        return header != fn_.blocks.size() && !fn_.doms->dominates(header, early);
    }

    void happen_once(const Def* def, Info& info) {
        auto once = placement_.place(info.uses, info.early);
        for (auto b : once.merges) fn_.blocks[b]->merges.push_back(def);
        info.uses = once.happens;
        all_asked_ &= once.is_asked;
    }

    void undominated(std::vector<uint32_t>& blocks) {
        if (blocks.size() < 2) return;
        std::sort(blocks.begin(), blocks.end(), [&](auto a, auto b) {
            return fn_.doms->depth(a) != fn_.doms->depth(b) ? fn_.doms->depth(a) < fn_.doms->depth(b) : a < b;
        });
        std::unordered_set<uint32_t> kept;
        for (auto b : blocks) {
            bool covered = false;
            for (auto d = b; !covered; d = fn_.doms->idom(d)) {
                covered = kept.contains(d);
                if (d == 0) break;
            }
            if (!covered) kept.insert(b);
        }
        blocks.assign(kept.begin(), kept.end());
        std::sort(blocks.begin(), blocks.end());
    }

    Program& program_;
    Function& fn_;
    Placement placement_;
    std::unordered_set<const Def*> captures_;
    std::unordered_map<const Def*, Info> infos_;
    std::vector<const Def*> order_;
    bool all_asked_ = true;
};

} // namespace

bool schedule(Program& program, Function& fn) { return Scheduler(program, fn).run(); }

} // namespace mim
