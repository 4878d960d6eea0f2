// SPDX-License-Identifier: MIT
// Memory that a function has until it returns (CollectorRuntime::mark), for arrays that nobody else refers to: one
// piece for each line of analysis/array_memory.h, which grows as larger arrays are made, or a slot on the stack, if all
// are of one type that is small.
#pragma once
#include <map>
#include <unordered_map>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"

namespace mim::backend::llvm {

class ActivationMemory {
public:
    ActivationMemory(Context& ctx, CodeBuilder& build)
        : ctx_(ctx)
        , build_(build) {}

    void begin_function();
    /// Whether the program has such memory.
    bool exists() const;
    /// Room for one of this type, in which the last array of the line was; none if it is too large to be on the stack.
    Value slot(uint32_t line, Type);
    /// Room for so many bytes, in which the last array of the line was.
    Value room(uint32_t line, Value bytes);
    /// Whether the function has any, so that each activation must be left.
    bool is_used() const { return bool(mark_); }
    /// Gives it back wherever the function returns. To be called when its blocks are complete.
    void leave(LLVMBasicBlockRef entry);

private:
    static constexpr uint64_t max_slot = 4096; ///< bytes
    struct Piece {
        Value memory, size; ///< where these are
    };
    struct Slot {
        Type type;
        Value memory;
    };
    Piece& piece(uint32_t line);
    Value variable(Type, Value initial);
    void hand_back(Value pointer);

    Context& ctx_;
    CodeBuilder& build_;
    Value mark_;
    std::map<uint32_t, Piece> pieces_; ///< by line
    std::unordered_map<uint32_t, Slot> slots_;
};

} // namespace mim::backend::llvm
