// SPDX-License-Identifier: MIT
// Memory of an activation whose address the program has (Emit::activation_memory).
#pragma once
#include <vector>

#include "backend/llvm/heap.h"

namespace mim::backend::llvm {

class Slots {
public:
    Slots(Context& ctx, CodeBuilder& build, TypeLowering& types, Heap& heap)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , heap_(heap) {}

    /// See Emit.
    Value make(const Def* type, const Def* op);
    /// Those that the library of --checked watches until the function returns.
    std::vector<LLVMValueRef> watched() const;
    /// Before each return of the function with this entry block the library is told that it leaves them. Tail calls
    /// see none of them.
    void leave(LLVMBasicBlockRef entry);
    void begin_function() { watched_.clear(); }

private:
    struct Watched {
        LLVMValueRef memory, bytes;
        const char* leave; ///< the library's function
    };
    Value watched_slot(const Def* type);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Heap& heap_;
    std::vector<Watched> watched_; ///< in this function
};

} // namespace mim::backend::llvm
