// SPDX-License-Identifier: MIT
// Commands to blocks.
#include "core/annexes.h"
#include "kit/match.h"
#include "loops.h"
#include "mem/annexes.h"
#include "vec/annexes.h"

namespace mim::plug::dpia {

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
    turns(count, name, w.lit_nat(0), nat(count), body);
}

void LoopCode::turns(const Polynomial& count, std::string_view name, const Def* first, const Def* bound, const Turn& body) {
    auto head = functions_.con(w.sigma({memory_type(), w.nat()}), "loop");
    auto turn = functions_.con(w.unit_type(), "turn");
    auto done = functions_.con(w.unit_type(), "done");
    go(w.app(head, {mem_, first}));
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
    auto in_level        = [&](const Def* arm) { rooms_.in_level([&] { command(arm); }); };
    either(condition, [&, c = holds] { in_level(c); }, [&, c = others] { in_level(c); });
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

/// At the entry, if the size is known there, before the rest of the function begins. One byte is added, since memory of
/// no bytes may have no address.
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
    auto& leaving       = is_inside ? leaving_ : entry_leaving_;
    w.set_body(lacks, w.app(leaving.back(), mem));
    leaving.push_back(leave_behind(at, leaving.back()));
    memories_[leaf.name] = {at, leaf.cell, count};
    (is_inside ? buffers_ : entry_buffers_).push_back(at);
}

void LoopCode::free_from(size_t first) {
    mem_ = freed(w, mem_, std::span(buffers_).subspan(first));
    buffers_.resize(first);
    leaving_.resize(first + 1);
}

void LoopCode::new_memory(const Def* c) {
    auto first = buffers_.size();
    CCode::new_memory(c);
    free_from(first);
}

} // namespace mim::plug::dpia
