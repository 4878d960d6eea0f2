// SPDX-License-Identifier: MIT
// See slots.h.
#include "backend/llvm/slots.h"

#include <algorithm>

#include "analysis/pointee.h"

namespace mim::backend::llvm {

/// A function that never returns gets memory of the collector, for each of its calls anew: also where it calls
/// itself, which is a jump to its first block. A block that stands for a function gets other memory in each turn of a
/// loop, on the stack, since somebody may still have the one of the turn before.
Value Slots::make(const Def* type, const Def* op) {
    types_.check_memory(type);
    if (is_open_array(type)) ctx_.reports.run_time_layout(type);
    auto t        = types_.memory(type);
    auto nonempty = t ? t : build_.int_type(8); // memory without content still has an address of its own
    bool is_left  = ctx_.program.makes_closures() && !ctx_.frame.fn->view.has_ret();
    if (is_left) return build_.at_start_of(ctx_.frame.first, [&] { return heap_.collected(unwrap(nonempty)); });
    if (ctx_.program.makes_memory_anew(op)) return build_.alloca_here(nonempty);
    return t && build_.checks_memory() ? watched_slot(type) : build_.alloca_(nonempty);
}

Value Slots::watched_slot(const Def* type) {
    auto t        = types_.memory(type);
    auto bytes    = build_.i64(build_.size_of(t));
    auto align    = std::max<uint64_t>(build_.align_of(t), 16); // as the heap's, which is what the library counts in
    bool on_stack = ctx_.program.makes_closures() && heap_.may_hold_closures(type);
    auto slot     = build_.at_entry([&] {
        if (!on_stack) return build_.call("mim_memory_enter", build_.ptr_type(0), {bytes, build_.i64(align)}, OwnMemory);
        auto result = Value(LLVMBuildAlloca(build_.ref(), unwrap(t), ""));
        LLVMSetAlignment(unwrap(result), unsigned(align));
        build_.call("mim_memory_slot", {}, {result, bytes}, OwnMemory);
        return result;
    });
    watched_.push_back({unwrap(slot), unwrap(bytes), on_stack ? "mim_memory_end" : "mim_memory_leave"});
    return slot;
}

std::vector<LLVMValueRef> Slots::watched() const {
    std::vector<LLVMValueRef> result;
    for (auto& slot : watched_) result.push_back(slot.memory);
    return result;
}

void Slots::leave(LLVMBasicBlockRef entry) {
    if (watched_.empty()) return;
    build_.before_returns(entry, [&] {
        for (auto& slot : watched_) build_.call(slot.leave, {}, {Value(slot.memory), Value(slot.bytes)}, OwnMemory);
    });
}

} // namespace mim::backend::llvm
