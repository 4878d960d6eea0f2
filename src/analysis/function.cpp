// SPDX-License-Identifier: MIT
// Builds the blocks of one function and the edges between them; see program.h.
#include <algorithm>

#include "analysis/program.h"

namespace mim {

class FunctionBuilder {
public:
    FunctionBuilder(Program& program, const Lam* lam, bool split)
        : program_(program)
        , world_(program.world())
        , split_(split)
        , fn_(std::make_unique<Function>()) {
        fn_->lam      = lam;
        fn_->view     = program.view(lam);
        fn_->captures = program.captures(lam);
    }

    std::unique_ptr<Function> build() {
        block_for(fn_->lam);
        while (!todo_.empty()) {
            auto block = todo_.back();
            todo_.pop_back();
            if (block->lam->is_set()) tail(block, block->lam->body());
        }
        order_blocks();
        loops();
        return std::move(fn_);
    }

private:
    BasicBlock* new_block(const Def* place) {
        blocks_.push_back(std::make_unique<BasicBlock>());
        blocks_.back()->place = place;
        return blocks_.back().get();
    }

    BasicBlock* block_for(const Lam* lam) {
        auto [i, fresh] = fn_->block_of.try_emplace(lam, nullptr);
        if (!fresh) return i->second;
        auto block     = new_block(lam);
        block->lam     = lam;
        block->is_cont = program_.is_cont(lam);
        todo_.push_back(block);
        return i->second = block;
    }

    /// Control of `block` is the expression def : ⊥.
    void tail(BasicBlock* block, const Def* def) {
        block->end = def;
        if (auto app = def->isa<App>()) return call(block, app->callee(), app->arg());
        if (auto match = def->isa<Match>()) {
            block->kind  = BasicBlock::Match;
            block->index = match->scrutinee();
            for (auto arm : match->arms()) {
                block->conts.push_back(resolve(block, arm));
                if (block->conts.back().kind == Cont::To) block->targets.push_back(block->conts.back().block);
            }
            return;
        }
        auto extract = def->isa<Extract>();
        if (!extract || !extract->tuple()->isa<Tuple>()) return;
        block->kind  = BasicBlock::Branch;
        block->index = extract->index();
        for (auto op : extract->tuple()->ops()) {
            auto arm = new_block(block->place);
            tail(arm, op);
            block->targets.push_back(arm);
        }
    }

    void call(BasicBlock* block, const Def* callee, const Def* arg) {
        block->arg = arg;
        if (program_.isa_ret(callee)) {
            block->kind = BasicBlock::Jump;
            block->next = resolve(block, callee);
            return;
        }
        auto lam = callee->isa<Lam>();
        if (lam && !program_.is_function(lam)) {
            block->kind = BasicBlock::Jump;
            block->next = {Cont::To, block_for(lam), nullptr};
            return;
        }
        if (auto extract = callee->isa<Extract>(); extract && extract->tuple()->isa<Tuple>()) {
            block->kind  = BasicBlock::Branch;
            block->index = extract->index();
            for (auto op : extract->tuple()->ops()) block->targets.push_back(arm(block, op, arg));
            return;
        }
        auto pi = callee->type()->isa<Pi>();
        if (!pi || !pi->is_cn()) throw ProgramError{ProgramError::Direct, callee, block->place};
        block->callee = callee;
        if (is_operation(callee) && head_axiom(callee)->axiom().kind == Axiom::Op) {
            block->kind = BasicBlock::Effect;
            return;
        }
        block->kind = BasicBlock::Call;
        auto view   = lam ? program_.view(lam) : view_cn(world_, pi->dom(), true);
        if (view.has_ret()) block->next = resolve(block, view.arity == 1 ? arg : world_.extract(arg, uint64_t(view.ret)));
    }

    BasicBlock* arm(BasicBlock* block, const Def* callee, const Def* arg) {
        if (auto lam = callee->isa<Lam>(); lam && !program_.is_function(lam) && !split_) return block_for(lam);
        auto arm = new_block(block->place);
        arm->end = block->end;
        call(arm, callee, arg);
        return arm;
    }

    /// The return continuation to which `cont` only passes its argument on; null if it does anything else.
    /// The variable of a λ over a singleton type ⦃e⦄ is e itself: such a λ passes on e, not its argument, which takes no room.
    const Def* forwards_to(const Def* cont) const {
        auto lam = cont->isa<Lam>();
        auto app = lam && lam->is_set() ? lam->body()->isa<App>() : nullptr;
        if (!app || app->arg() != lam->var() || !program_.isa_ret(app->callee())) return nullptr;
        auto to = app->callee()->type()->as<Pi>()->dom();
        return omits_singleton(world_, lam->dom(), to) ? nullptr : app->callee();
    }

    /// Where a return continuation leads. One that only passes its argument on is the one it passes it to.
    Cont resolve(BasicBlock* block, const Def* cont) {
        for (int i = 0; i != 100; ++i) {
            auto next = forwards_to(cont);
            if (!next) break;
            cont = next;
        }
        if (auto lam = cont->isa<Lam>()) return {Cont::To, block_for(lam), nullptr};
        auto owner = program_.isa_ret(cont);
        if (!owner) return {Cont::Value, nullptr, cont};
        if (auto i = program_.returns_to_.find(owner); i != program_.returns_to_.end()) {
            owner = i->second;
            if (program_.is_cont(owner)) return {Cont::To, block_for(owner), nullptr};
        }
        if (owner != fn_->lam) throw ProgramError{ProgramError::NonLocal, owner, block->place};
        return {Cont::Return, nullptr, nullptr};
    }

    void order_blocks() {
        auto entry = blocks_.front().get();
        std::vector<BasicBlock*> order;
        for (auto& block : blocks_) {
            auto add = [&](BasicBlock* succ) {
                if (std::find(block->succs.begin(), block->succs.end(), succ) == block->succs.end()) block->succs.push_back(succ);
            };
            for (auto target : block->targets) add(target);
            if (block->next.kind == Cont::To) add(block->next.block);
            block->number = ~0u;
        }
        std::vector<std::pair<BasicBlock*, size_t>> stack{{entry, 0}};
        entry->number = 0;
        while (!stack.empty()) {
            auto [block, next] = stack.back();
            if (next == block->succs.size()) {
                order.push_back(block);
                stack.pop_back();
                continue;
            }
            ++stack.back().second;
            // the last successor first: it then comes last in the order, as written
            auto succ = block->succs[block->succs.size() - 1 - next];
            if (succ->number == ~0u) succ->number = 0, stack.emplace_back(succ, 0);
        }
        std::reverse(order.begin(), order.end());
        std::vector<std::vector<uint32_t>> preds(order.size());
        for (uint32_t i = 0; i != order.size(); ++i) order[i]->number = i;
        for (auto block : order)
            for (auto succ : block->succs) succ->preds.push_back(block), preds[succ->number].push_back(block->number);
        std::sort(blocks_.begin(), blocks_.end(), [](auto& a, auto& b) { return a->number < b->number; });
        blocks_.resize(order.size());
        fn_->blocks = std::move(blocks_);
        fn_->doms   = std::make_unique<DomTree>(preds);
    }

    /// Natural loops: the depth of a block is the number of loop headers whose loops contain it.
    void loops() {
        auto& blocks = fn_->blocks;
        fn_->loop_depth.assign(blocks.size(), 0);
        fn_->loop_header.assign(blocks.size(), uint32_t(blocks.size()));
        fn_->hands_on.assign(blocks.size(), false);
        std::vector<uint32_t> mark(blocks.size(), ~0u), stack;
        for (uint32_t header = 0; header != blocks.size(); ++header) {
            for (auto pred : blocks[header]->preds)
                if (fn_->doms->dominates(header, pred->number)) stack.push_back(pred->number);
            if (stack.empty()) continue;
            mark[header]    = header;
            bool hands_on   = hands_on_suspensions(*blocks[header]);
            auto enter_loop = [&](uint32_t b) {
                ++fn_->loop_depth[b];
                fn_->loop_header[b] = header; // those of outer loops come first
                fn_->hands_on[b]    = fn_->hands_on[b] || hands_on;
            };
            enter_loop(header);
            while (!stack.empty()) {
                auto b = stack.back();
                stack.pop_back();
                if (mark[b] == header) continue;
                mark[b] = header;
                enter_loop(b);
                for (auto pred : blocks[b]->preds) stack.push_back(pred->number);
            }
        }
    }

    /// Whether the turns of the loop that begins here may hand suspended evaluations on.
    bool hands_on_suspensions(const BasicBlock& header) {
        auto lam = header.lam ? header.lam : fn_->lam;
        return std::ranges::any_of(program_.view(lam).params, [&](auto& p) { return program_.may_hold_suspension(p.type); });
    }

    Program& program_;
    World& world_;
    bool split_;
    std::unique_ptr<Function> fn_;
    std::vector<std::unique_ptr<BasicBlock>> blocks_;
    std::vector<BasicBlock*> todo_;
};

std::unique_ptr<Function> Program::build(const Lam* lam, bool split) { return FunctionBuilder(*this, lam, split).build(); }

} // namespace mim
