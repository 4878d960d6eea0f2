// SPDX-License-Identifier: MIT
// Debug information (-g): each function with its name and line, each instruction with the line and column of the expression from
// which it was made. Instructions get their places after they were built, so that no builder carries the place of one function
// into another.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string_view>
#include <unordered_map>

#include "base/source.h"

namespace mim::backend::llvm {

class DebugInfo {
public:
    DebugInfo(LLVMContextRef ctx, LLVMModuleRef module, const SourceManager& sources)
        : ctx_(ctx)
        , module_(module)
        , sources_(sources) {}
    ~DebugInfo();
    DebugInfo(const DebugInfo&)            = delete;
    DebugInfo& operator=(const DebugInfo&) = delete;

    /// Begins a function; without a span it has no debug information.
    void begin(LLVMValueRef fn, std::string_view name, Span);
    /// The newest instructions at the end of this block, those without a place, come from here.
    void mark(LLVMBasicBlockRef, Span);
    /// Instructions that are still without a place get that of the function.
    void end();
    void finish();

private:
    LLVMMetadataRef file(FileId);
    LLVMMetadataRef location(Span);

    LLVMContextRef ctx_;
    LLVMModuleRef module_;
    const SourceManager& sources_;
    LLVMDIBuilderRef builder_ = nullptr; ///< made with the first function
    std::unordered_map<uint32_t, LLVMMetadataRef> files_;
    bool finished_              = false;
    LLVMValueRef fn_            = nullptr;
    LLVMMetadataRef subprogram_ = nullptr;
    Span span_;
};

} // namespace mim::backend::llvm
