// SPDX-License-Identifier: MIT
// Compile unit, files, functions and places through LLVM's DIBuilder.
#include "backend/llvm/debug.h"

namespace mim::backend::llvm {

DebugInfo::~DebugInfo() {
    finish(); // also after an error: LLVM's lists must be complete before they are freed
    if (builder_) LLVMDisposeDIBuilder(builder_);
}

LLVMMetadataRef DebugInfo::file(FileId id) {
    auto& file = files_[static_cast<uint32_t>(id)];
    if (file) return file;
    std::string_view path = sources_.path(id);
    auto slash            = path.rfind('/');
    auto name             = slash == path.npos ? path : path.substr(slash + 1);
    auto dir              = slash == path.npos ? std::string_view(".") : path.substr(0, slash);
    return file           = LLVMDIBuilderCreateFile(builder_, name.data(), name.size(), dir.data(), dir.size());
}

void DebugInfo::begin(LLVMValueRef fn, std::string_view name, Span span) {
    fn_ = nullptr;
    if (!span) return;
    if (!builder_) {
        builder_ = LLVMCreateDIBuilder(module_);
        LLVMDIBuilderCreateCompileUnit(builder_, LLVMDWARFSourceLanguageC, file(span.file), "mim", 3, true, "", 0, 0, "", 0,
                                       LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
    }
    fn_         = fn;
    span_       = span;
    auto source = file(span.file);
    auto line   = sources_.line_col(span.file, span.begin).line;
    auto type   = LLVMDIBuilderCreateSubroutineType(builder_, source, nullptr, 0, LLVMDIFlagZero);
    subprogram_ = LLVMDIBuilderCreateFunction(builder_, source, name.data(), name.size(), "", 0, source, line, type, true, true,
                                              line, LLVMDIFlagZero, true);
    LLVMSetSubprogram(fn, subprogram_);
}

/// A place in another file (what was inlined from there) counts as the function's own: lines are those of one file.
LLVMMetadataRef DebugInfo::location(Span span) {
    if (!span || span.file != span_.file) span = span_;
    auto at = sources_.line_col(span.file, span.begin);
    return LLVMDIBuilderCreateDebugLocation(ctx_, at.line, at.col, subprogram_, nullptr);
}

void DebugInfo::mark(LLVMBasicBlockRef block, Span span) {
    if (!fn_ || !span) return;
    LLVMMetadataRef place = nullptr;
    for (auto i = LLVMGetLastInstruction(block); i && !LLVMInstructionGetDebugLoc(i); i = LLVMGetPreviousInstruction(i)) {
        if (!place) place = location(span);
        LLVMInstructionSetDebugLoc(i, place);
    }
}

void DebugInfo::end() {
    if (!fn_) return;
    auto place = location(span_);
    for (auto block = LLVMGetFirstBasicBlock(fn_); block; block = LLVMGetNextBasicBlock(block))
        for (auto i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!LLVMInstructionGetDebugLoc(i)) LLVMInstructionSetDebugLoc(i, place);
    fn_ = nullptr;
}

void DebugInfo::finish() {
    if (!builder_ || finished_) return;
    finished_ = true;
    LLVMDIBuilderFinalize(builder_);
    auto version                    = LLVMConstInt(LLVMInt32TypeInContext(ctx_), LLVMDebugMetadataVersion(), false);
    constexpr std::string_view kKey = "Debug Info Version";
    LLVMAddModuleFlag(module_, LLVMModuleFlagBehaviorWarning, kKey.data(), kKey.size(), LLVMValueAsMetadata(version));
}

} // namespace mim::backend::llvm
