// SPDX-License-Identifier: MIT
// See activation_memory.h.
#include "backend/llvm/activation_memory.h"

#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

void ActivationMemory::begin_function() {
    mark_ = {};
    pieces_.clear();
    slots_.clear();
}

Value ActivationMemory::slot(uint32_t line, Type type) {
    if (!type || build_.checks_memory() || build_.size_of(type) > max_slot) return {};
    auto [slot, is_first] = slots_.try_emplace(line, Slot{type, {}});
    if (is_first) slot->second.memory = build_.alloca_(type);
    return slot->second.type == type ? slot->second.memory : Value();
}

bool ActivationMemory::exists() const {
    auto runtime = ctx_.program.collector();
    return runtime && !runtime->take.empty();
}

/// A variable of the activation, which begins with a value.
Value ActivationMemory::variable(Type type, Value initial) {
    auto result = build_.alloca_(type);
    build_.at_entry([&] {
        build_.store(initial, result);
        return result;
    });
    return result;
}

ActivationMemory::Piece& ActivationMemory::piece(uint32_t line) {
    auto pointer = build_.ptr_type(0);
    if (!mark_) mark_ = build_.at_entry([&] { return build_.call(ctx_.program.collector()->mark, pointer, {}, OwnMemory); });
    auto [piece, is_first] = pieces_.try_emplace(line);
    if (is_first) piece->second = {variable(pointer, build_.zero(pointer)), variable(build_.int_type(64), build_.i64(0))};
    return piece->second;
}

/// At least twice as large as before, so that what it grew from is not more than it is.
Value ActivationMemory::room(uint32_t line, Value bytes) {
    auto& [memory, size] = piece(line);
    auto grow = build_.new_block("grow"), room = build_.new_block("room");
    auto old_size = build_.load(build_.int_type(64), size);
    build_.branch(build_.cmp(Cmp::UGt, bytes, old_size), grow, room);
    build_.enter(grow);
    auto new_size = build_.umax(bytes, build_.bin(Bin::Add, old_size, old_size));
    auto taken    = build_.call(ctx_.program.collector()->take, build_.ptr_type(0), {new_size}, OwnMemory);
    add_call_attribute(unwrap(taken), LLVMAttributeReturnIndex, "noalias");
    build_.store(taken, memory);
    build_.store(new_size, size);
    build_.jump(room);
    build_.enter(room);
    return build_.load(build_.ptr_type(0), memory);
}

/// Somebody else may read and write the memory at `pointer` from here on, as far as LLVM knows.
void ActivationMemory::hand_back(Value pointer) {
    auto word                 = unwrap(build_.ptr_type(0));
    auto type                 = LLVMFunctionType(LLVMVoidTypeInContext(build_.context()), &word, 1, false);
    std::string_view operands = "r,~{memory}";
    auto nothing = LLVMGetInlineAsm(type, "", 0, operands.data(), operands.size(), true, false, LLVMInlineAsmDialectATT, false);
    auto operand = unwrap(pointer);
    mark_call(LLVMBuildCall2(build_.ref(), type, nothing, &operand, 1, ""), "nounwind");
}

/// The next function gets the same memory under another name, which LLVM takes for other memory: where this function is
/// inlined, it would move what reads here behind what writes there.
void ActivationMemory::leave(LLVMBasicBlockRef entry) {
    if (!is_used()) return;
    build_.before_returns(entry, [&] {
        for (auto& [line, piece] : pieces_) hand_back(build_.load(build_.ptr_type(0), piece.memory));
        build_.call(ctx_.program.collector()->release, {}, {mark_});
    });
}

} // namespace mim::backend::llvm
