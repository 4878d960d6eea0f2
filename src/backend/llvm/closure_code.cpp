// SPDX-License-Identifier: MIT
// See closure_code.h.
#include "backend/llvm/closure_code.h"

namespace mim::backend::llvm {

static LLVMTypeRef ptr_type(LLVMContextRef ctx) { return LLVMPointerTypeInContext(ctx, 0); }

LLVMTypeRef with_closure(const Signature& sig) {
    std::vector<LLVMTypeRef> params(LLVMCountParamTypes(sig.type));
    LLVMGetParamTypes(sig.type, params.data());
    params.push_back(ptr_type(LLVMGetTypeContext(sig.type)));
    return LLVMFunctionType(LLVMGetReturnType(sig.type), params.data(), unsigned(params.size()), false);
}

LLVMValueRef closure_code(LLVMModuleRef module, const Signature& sig, LLVMTypeRef type, LLVMValueRef callee,
                          const PassCaptures& pass) {
    auto code = LLVMAddFunction(module, "mim.closure", with_closure(sig));
    LLVMSetFunctionCallConv(code, tailcc);
    LLVMSetLinkage(code, LLVMInternalLinkage);
    auto ctx     = LLVMGetModuleContext(module);
    auto builder = LLVMCreateBuilderInContext(ctx);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(ctx, code, "entry"));
    auto num = LLVMCountParams(code);
    std::vector<LLVMValueRef> args;
    for (unsigned i = 0; i + 1 != num; ++i) args.push_back(LLVMGetParam(code, i));
    if (pass) pass(builder, LLVMGetParam(code, num - 1), args);
    auto call = LLVMBuildCall2(builder, type, callee, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    if (sig.result && !sig.by_memory) LLVMBuildRet(builder, call);
    else LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return code;
}

LLVMValueRef code_of(LLVMBuilderRef builder, LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
    args.push_back(closure);
    auto ptr = ptr_type(LLVMGetTypeContext(LLVMTypeOf(closure)));
    return LLVMBuildLoad2(builder, ptr, closure, "");
}

} // namespace mim::backend::llvm
