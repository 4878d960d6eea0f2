// SPDX-License-Identifier: MIT
// `mapPar`: its turns become a function of their own, of which threads do ranges (runtime/threads.cpp). A record has the
// values of the function around that the turns use. Each range reads them at its beginning, and has its own buffers, so
// that threads share none.
#include "core/annexes.h"
#include "dpia/annexes.h"
#include "loops.h"
#include "mem/annexes.h"

namespace mim::plug::dpia {

/// A range of turns: from the token, the record, and two numbers to the token and a status.
Lam* LoopCode::function_of_turns(const Polynomial& count, const Turn& turn) {
    auto start = begin_function(w.sigma({memory_type(), pointer_type(w, w.idx(256)), w.nat(), w.nat()}), "turns");
    take_from(next_parameter());
    auto first        = next_parameter();
    auto bound        = next_parameter();
    heap_.first_local = sizes_.num_vars();
    turns(count, "i", first, bound, turn);
    end_function(start);
    return made_;
}

void LoopCode::threads(const Def* n, const Turn& turn) {
    auto count = size(n);
    begin_statement();
    auto bound   = nat(count);
    auto& now    = static_cast<LoopFunction&>(*this);
    auto around  = std::move(now);
    auto heap    = heap_;
    is_threaded_ = true;
    now          = LoopFunction(w, coder_, functions_, &around);
    auto turns   = function_of_turns(count, turn);
    auto values  = all_taken();
    give_literals();
    now          = std::move(around);
    heap_        = heap;
    is_threaded_ = false;
    begin_statement();
    run_threads(turns, values, bound);
}

void LoopCode::run_threads(Lam* turns, const DefVec& values, const Def* count) {
    auto local  = w.apply<mem::local>({w.tuple(values)->type()}, {w.lit_nat(0)}, {entry_mem_});
    entry_mem_  = w.extract(local, 0);
    auto record = w.extract(local, 1);
    mem_        = w.call<mem::store>({mem_, record, w.tuple(values)});
    auto bytes  = w.call<core::bitcast>(pointer_type(w, w.idx(256)), record);
    auto status = rise::status_type(w);
    auto done   = functions_.con(w.sigma({memory_type(), status}), "threads_done");
    auto on     = functions_.con(w.unit_type(), "there");
    auto lacks  = functions_.con(w.unit_type(), "lacks");
    go(w.app(w.annex(dpia::threads(0)), {w.tuple({mem_, turns, bytes, count}), done}));
    here_ = done;
    mem_  = w.extract(done->var(), uint64_t(0));
    choose_block(w.call(core::icmp::xyglE, {w.extract(done->var(), 1), rise::status_of(w, 0)}), on, lacks);
    w.set_body(lacks, w.app(leaving_.back(), mem_));
    here_ = on;
}

} // namespace mim::plug::dpia
