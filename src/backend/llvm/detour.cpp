// SPDX-License-Identifier: MIT
// See detour.h.
#include "backend/llvm/detour.h"

#include <llvm-c/DebugInfo.h>

#include <utility>

namespace mim::backend::llvm {

Detour::Detour(Context& ctx, CodeBuilder& build, DebugNames& names, LLVMValueRef fn, const Def* place)
    : ctx_(ctx)
    , build_(build)
    , names_(names)
    , frame_(std::exchange(ctx.frame, {}))
    , debug_(names.begin_other()) {
    ctx.frame.place = place;
    auto entry      = LLVMAppendBasicBlockInContext(build.context(), fn, "entry");
    body_           = LLVMAppendBasicBlockInContext(build.context(), fn, "body");
    position_       = build.begin(entry);
    LLVMPositionBuilderAtEnd(build.ref(), body_);
    LLVMSetCurrentDebugLocation2(build.ref(), nullptr);
}

Detour::~Detour() {
    build_.end_entry(body_);
    ctx_.frame = frame_;
    names_.resume(std::move(debug_));
    build_.resume(std::move(position_));
}

} // namespace mim::backend::llvm
