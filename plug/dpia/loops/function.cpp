// SPDX-License-Identifier: MIT
// See function.h.
#include "function.h"

#include "core/annexes.h"
#include "ir/questions.h"
#include "kit/match.h"
#include "mem/annexes.h"

namespace mim::plug::dpia {

const Def* pointer_type(World& w, const Def* type) { return w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}); }

Lam* LoopFunction::begin_function(const Def* domain, std::string_view name) {
    made_          = blocks_->lam(world_->fn(domain, world_->sigma({memory_type(), rise::status_type(*world_)})), name);
    entry_         = made_;
    leaving_       = {blocks_->con(memory_type(), "lacking")};
    entry_leaving_ = {blocks_->con(memory_type(), "lacking")};
    auto start     = blocks_->con(memory_type(), "start");
    parameters_    = world_->extract(made_->var(), 0);
    next_          = 0;
    entry_mem_     = next_parameter();
    here_          = start;
    mem_           = start->var();
    return start;
}

void LoopFunction::end_function(Lam* start) {
    go(returned(mem_, entry_buffers_, 0));
    world_->set_body(leaving_[0], world_->app(entry_leaving_.back(), leaving_[0]->var()));
    world_->set_body(entry_leaving_[0], returned(entry_leaving_[0]->var(), {}, 2));
    world_->set_body(entry_, world_->app(start, entry_mem_));
}

// ---- blocks

const Def* LoopFunction::memory_type() { return world_->app(world_->annex(mem::MAS(0)), world_->lit_nat(0)); }

const Def* LoopFunction::effect(const Def* pair) {
    mem_ = world_->extract(pair, 0);
    return world_->extract(pair, 1);
}

void LoopFunction::choose_block(const Def* condition, Lam* holds, Lam* fails) { go(blocks_->branch(condition, holds, fails)); }

const Def* freed(World& w, const Def* mem, std::span<const Def* const> buffers) {
    for (auto buffer : buffers) mem = w.call<mem::free>({mem, buffer});
    return mem;
}

const Def* LoopFunction::returned(const Def* mem, const DefVec& buffers, uint64_t status) {
    auto result = world_->tuple({freed(*world_, mem, buffers), rise::status_of(*world_, status)});
    return world_->app(world_->extract(made_->var(), 1), result);
}

std::array<Lam*, 2> LoopFunction::leave_without(Lam* block, const Def* memory) {
    auto there = blocks_->con(world_->unit_type(), "there"), lacks = blocks_->con(world_->unit_type(), "lacks");
    auto address = world_->call<core::bitcast>(coder_of_types_->i64(), memory);
    world_->set_body(block, blocks_->branch(world_->call(core::icmp::xyglE, {address, coder_of_types_->word(0)}), lacks, there));
    return {there, lacks};
}

Lam* LoopFunction::leave_behind(const Def* buffer, Lam* next) {
    auto block = blocks_->con(memory_type(), "lacking");
    world_->set_body(block, world_->app(next, freed(*world_, block->var(), std::span(&buffer, 1))));
    return block;
}

// ---- values

const Def* number_type(World& w, const Def* type) {
    auto vector = rise::isa_vector(w, type);
    return vector ? vector.elem : type;
}

const Def* LoopFunction::cell_type(const Def* cell, rise::Form form) {
    rise::Leaf leaf{{}, number_type(*world_, cell)};
    return coder_of_types_->leaf_type(leaf, form);
}

/// The pointer to the first element as one to an array.
const Def* LoopFunction::array_of(const Def* pointer, const Def* cell, const Def* count, rise::Form form) {
    auto type = world_->arr(count, cell_type(cell, form));
    return world_->call<core::bitcast>(pointer_type(*world_, type), pointer);
}

// ---- values of the function around

static const Def* record_of(World& w, const DefVec& values) {
    return w.sigma(map_defs(values, [](auto value) { return value->type(); }));
}

/// Fields that are added behind it do not move the last one.
const Def* LoopFunction::taken(const Def* outer) {
    auto& w = *world_;
    if (is_closed(w, outer)) return outer;
    auto [found, is_new] = in_record_.try_emplace(outer, nullptr);
    if (!is_new) return found->second;
    taken_.push_back(outer);
    auto at = w.call<core::bitcast>(pointer_type(w, record_of(w, taken_)), record_);
    if (taken_.size() > 1) at = w.call<mem::lea>({at, w.lit_idx(uint64_t(taken_.size()), uint64_t(taken_.size() - 1))});
    auto read            = w.call<mem::load>({entry_mem_, at});
    entry_mem_           = w.extract(read, 0);
    return found->second = w.extract(read, 1);
}

const Def* LoopFunction::atom(CRef node) {
    if (auto found = atoms_.find(node); found != atoms_.end()) return found->second;
    auto outer = around_ ? around_->atom(node) : nullptr;
    return outer ? atoms_[node] = taken(outer) : nullptr;
}

/// The type of a pointer to an array mentions how long it is, and so the function around: what is taken is a pointer to
/// the first element.
const LoopMemory& LoopFunction::memory(const std::string& name) {
    auto found = memories_.find(name);
    if (found != memories_.end() || !around_) return memories_.at(name);
    auto inner = around_->memory(name);
    if (!inner.count) {
        inner.pointer          = taken(inner.pointer);
        return memories_[name] = inner;
    }
    auto first             = world_->call<core::bitcast>(pointer_type(*world_, cell_type(inner.cell, inner.form)), inner.pointer);
    inner.count            = taken(inner.count);
    inner.pointer          = array_of(taken(first), inner.cell, inner.count, inner.form);
    return memories_[name] = inner;
}

void LoopFunction::give_literals() {
    for (auto& [node, value] : atoms_)
        if (is_closed(*world_, value)) around_->atoms_.emplace(node, value);
}

} // namespace mim::plug::dpia
