// SPDX-License-Identifier: MIT
// Commands to blocks.
#include <span>

#include "core/annexes.h"
#include "kit/match.h"
#include "loops.h"
#include "mem/annexes.h"
#include "vec/annexes.h"

namespace mim::plug::dpia {

const Def* LoopCode::memory_type() { return w.app(w.annex(mem::MAS(0)), w.lit_nat(0)); }

const Def* LoopCode::effect(const Def* pair) {
    mem_ = w.extract(pair, 0);
    return w.extract(pair, 1);
}

void LoopCode::choose_block(const Def* condition, Lam* holds, Lam* fails) { go(functions_.branch(condition, holds, fails)); }

// ---- commands

void LoopCode::assign(const Def* c) { write_all(collected(c), c); }

/// All parts are read before one is written.
void LoopCode::write_all(const Parts& all, const Def* where) {
    begin_statement();
    DefVec values, places;
    for (auto& [to, from] : all) values.push_back(def(from));
    for (auto& [to, from] : all) {
        auto cell = cells_.find(to);
        if (cell == cells_.end()) throw Refused{Refused::NoCode, "the result has no place in memory", {}, where};
        places.push_back(address(cell->second));
    }
    for (size_t i = 0; i != all.size(); ++i) store(places[i], cells_.at(all[i].first), values[i]);
}

void LoopCode::loop(const Def* n, std::string_view name, const std::function<void(const Polynomial&)>& body) {
    auto count = size(n);
    if (count.terms().empty()) return;
    if (count.value() == 1) return body({});
    begin_statement();
    auto bound = nat(count);
    auto head  = functions_.con(w.sigma({memory_type(), w.nat()}), "loop");
    auto turn  = functions_.con(w.unit_type(), "turn");
    auto done  = functions_.con(w.unit_type(), "done");
    go(w.app(head, {mem_, w.lit_nat(0)}));
    here_    = head;
    auto mem = w.extract(head->var(), uint64_t(0));
    auto k   = w.extract(head->var(), 1);
    choose_block(w.call(core::ncmp::l, {k, bound}), turn, done);
    here_                      = turn;
    mem_                       = mem;
    auto i                     = text_.unique(name.empty() ? "i" : name);
    auto index                 = sizes_.name(i, count);
    atoms_[sizes_.node(index)] = w.call<core::bitcast>(coder_.i64(), k);
    body(index);
    go(w.app(head, {mem_, w.call(core::nat::add, {k, w.lit_nat(1)})}));
    here_ = done;
    mem_  = mem;
}

void LoopCode::branch(const Def* c) {
    begin_statement();
    auto condition       = def(value(group(c, 0))->scalar);
    auto [holds, others] = elems<2>(w, arg_of(c));
    either(condition, [&, c = holds] { command(c); }, [&, c = others] { command(c); });
}

void LoopCode::either(const Def* condition, const Commands& holds, const Commands& otherwise) {
    auto first = functions_.con(w.unit_type(), "holds"), second = functions_.con(w.unit_type(), "fails");
    auto join   = functions_.con(memory_type(), "then");
    auto before = mem_;
    choose_block(condition, first, second);
    auto arm = [&](Lam* block, const Commands& commands) {
        here_ = block;
        mem_  = before;
        commands();
        go(w.app(join, mem_));
    };
    arm(first, holds);
    arm(second, otherwise);
    here_ = join;
    mem_  = join->var();
}

// ---- memory

const Def* number_type(World& w, const Def* type) {
    auto vector = rise::isa_vector(w, type);
    return vector ? vector.elem : type;
}

const Def* LoopCode::cell_type(const Def* cell, rise::Form form) {
    rise::Leaf leaf{{}, number_type(w, cell)};
    return coder_.leaf_type(leaf, form);
}

/// The pointer to the first element as one to an array.
const Def* LoopCode::array_of(const Def* pointer, const Def* cell, const Def* count, rise::Form form) {
    auto type = w.arr(count, cell_type(cell, form));
    return w.call<core::bitcast>(w.app(w.annex(mem::PtrAS(0)), {type, w.lit_nat(0)}), pointer);
}

void LoopCode::add_local(const std::string& name, const Def* cell, const Def* count) {
    auto type = cell_type(cell, rise::Form::Inside);
    if (auto vector = rise::isa_vector(w, cell); vector && !count) type = w.app(w.annex(vec::V(0)), {vector.size, type});
    auto local      = w.apply<mem::local>({count ? w.arr(count, type) : type}, {w.lit_nat(0)}, {entry_mem_});
    entry_mem_      = w.extract(local, 0);
    memories_[name] = {w.extract(local, 1), cell, count};
}

void LoopCode::variable(const CLeaf& leaf) { add_local(leaf.name, leaf.cell, nullptr); }
void LoopCode::private_array(const CLeaf& leaf, uint64_t count) {
    add_local(leaf.name, leaf.cell, w.lit_nat(count == 0 ? 1 : count));
}

/// The token behind these, which are freed.
static const Def* freed(World& w, const Def* mem, std::span<const Def* const> buffers) {
    for (auto buffer : buffers) mem = w.call<mem::free>({mem, buffer});
    return mem;
}

const Def* LoopCode::returned(const Def* mem, const DefVec& buffers, uint64_t status) {
    return w.app(w.extract(made_->var(), 1), w.tuple({freed(w, mem, buffers), rise::status_of(w, status)}));
}

std::array<Lam*, 2> LoopCode::leave_without(Lam* block, const Def* memory) {
    auto there = functions_.con(w.unit_type(), "there"), lacks = functions_.con(w.unit_type(), "lacks");
    auto address = w.call<core::bitcast>(coder_.i64(), memory);
    w.set_body(block, functions_.branch(w.call(core::icmp::xyglE, {address, coder_.word(0)}), lacks, there));
    return {there, lacks};
}

/// At the entry, if the size is known there. All memory of the entry is there when the rest of the function begins, so
/// `lacking_` frees it. One byte is added, since memory of no bytes may have no address.
void LoopCode::allocate(const CLeaf& leaf) {
    bool is_inside = sizes_.depends_on_later(leaf.count, heap_.first_local);
    auto& mem      = is_inside ? mem_ : entry_mem_;
    begin_statement();
    auto count          = leaf.count.terms().empty() ? w.lit_nat(1) : nat(leaf.count);
    auto type           = w.arr(count, cell_type(leaf.cell, rise::Form::Inside));
    auto bytes          = w.call(core::nat::mul, {count, w.apply(core::trait::size, {cell_type(leaf.cell, rise::Form::Inside)})});
    auto more           = w.call(core::nat::add, {bytes, w.lit_nat(1)});
    auto made           = w.apply<mem::malloc>({type}, {w.lit_nat(0)}, {mem, more});
    mem                 = w.extract(made, 0);
    auto at             = w.extract(made, 1);
    auto& block         = is_inside ? here_ : entry_;
    auto [there, lacks] = leave_without(block, at);
    block               = there;
    w.set_body(lacks, is_inside ? w.app(lacking_, freed(w, mem, buffers_)) : returned(mem, entry_buffers_, 2));
    memories_[leaf.name] = {at, leaf.cell, count};
    (is_inside ? buffers_ : entry_buffers_).push_back(at);
}

void LoopCode::free_from(size_t first) {
    mem_ = freed(w, mem_, std::span(buffers_).subspan(first));
    buffers_.resize(first);
}

void LoopCode::new_memory(const Def* c) {
    auto first = buffers_.size();
    CCode::new_memory(c);
    free_from(first);
}

} // namespace mim::plug::dpia
