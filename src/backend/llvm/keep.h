// SPDX-License-Identifier: MIT
// Closures where the collector does not look. Memory that may hold closures comes from the collector (heap.h), and
// function types of closures are none that C sees; so a pointer to other memory becomes one to closures by a cast
// only. If a program has such a cast, each of its stores of closures asks at run time whose memory it is, and keeps
// them if it is not the collector's.
#pragma once
#include <vector>

#include "backend/llvm/heap.h"
#include "backend/llvm/spills.h"

namespace mim::backend::llvm {

class ClosureKeeper {
public:
    ClosureKeeper(Context& ctx, CodeBuilder& build, Heap& heap, Spills& spills)
        : ctx_(ctx)
        , build_(build)
        , heap_(heap)
        , spills_(spills) {}

    /// See Emit.
    void keep_closures(const Def* type, Value, Value at);
    void reinterpreted(const Def* from, const Def* to, Value);
    /// When all functions are emitted: in a program without such casts the collector looks into all memory that
    /// closures are stored in.
    void finish();

private:
    LLVMValueRef call_keep(Value, Value at);

    Context& ctx_;
    CodeBuilder& build_;
    Heap& heap_;
    Spills& spills_;
    std::vector<LLVMValueRef> calls_; ///< before stores of closures
    bool has_unknown_memory_ = false; ///< for closures
};

} // namespace mim::backend::llvm
