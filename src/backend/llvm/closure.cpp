// SPDX-License-Identifier: MIT
// Closures in memory, for emitters of axioms that take an open continuation: {address of the code, the emitter's own header, captures…}.
// Nothing else in the back end makes closures; who makes one knows how long it lives.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static constexpr unsigned tailcc = 18; // llvm::CallingConv::Tail

/// The code's signature: that of the function, with the closure as last parameter.
static LLVMTypeRef with_closure(const Signature& sig, LLVMTypeRef ptr) {
    std::vector<LLVMTypeRef> params(LLVMCountParamTypes(sig.type));
    LLVMGetParamTypes(sig.type, params.data());
    params.push_back(ptr);
    return LLVMFunctionType(LLVMGetReturnType(sig.type), params.data(), unsigned(params.size()), false);
}

LLVMTypeRef Emitter::closure_struct(const Lam* lam, Type header) {
    std::vector<LLVMTypeRef> fields{unwrap(ptr_type(0))};
    if (header) fields.push_back(unwrap(header));
    for (auto def : program_->captures(lam))
        for (auto& part : captured(def))
            if (auto t = lower(part->type())) fields.push_back(t);
    return LLVMStructTypeInContext(ctx_, fields.data(), unsigned(fields.size()), false);
}

/// Loads the captures and passes them to the function that `lam` is.
LLVMValueRef Emitter::closure_code(const Lam* lam, Type header, LLVMTypeRef record) {
    auto sig  = signature(program_->view(lam), {});
    auto code = LLVMAddFunction(module_, "mim.closure", with_closure(sig, unwrap(ptr_type(0))));
    LLVMSetFunctionCallConv(code, tailcc);
    LLVMSetLinkage(code, LLVMInternalLinkage);
    auto builder = LLVMCreateBuilderInContext(ctx_);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(ctx_, code, "entry"));
    auto num = LLVMCountParams(code);
    std::vector<LLVMValueRef> args;
    for (unsigned i = 0; i + 1 != num; ++i) args.push_back(LLVMGetParam(code, i));
    for (unsigned i = header ? 2 : 1, n = LLVMCountStructElementTypes(record); i != n; ++i) {
        auto field = LLVMBuildStructGEP2(builder, record, LLVMGetParam(code, num - 1), i, "");
        args.push_back(LLVMBuildLoad2(builder, LLVMStructGetTypeAtIndex(record, i), field, ""));
    }
    auto type = signature(program_->view(lam), program_->captures(lam)).type;
    auto call = LLVMBuildCall2(builder, type, function(lam), args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    if (sig.result && !sig.by_memory) LLVMBuildRet(builder, call);
    else LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return code;
}

Value Emitter::allocate(LLVMTypeRef type, Storage storage) {
    if (storage == Storage::Heap) return Emit::call("malloc", ptr_type(0), {i64(size_of(Type(type)))}, OwnMemory);
    if (storage == Storage::Slot || !state_.in_loop) return alloca_(Type(type));
    return Value(LLVMBuildAlloca(builder_, type, ""));
}

Value Emitter::closure(const Def* def, Type header, Storage storage) {
    auto lam = def->isa<Lam>();
    if (!lam || !lam->is_cn() || !program_->is_function(lam)) fail(state_.place, Diag::needs_closure, {name_of(def)});
    auto record = closure_struct(lam, header);
    auto result = allocate(record, storage);
    auto& code  = closures_[{lam, header.get()}];
    if (!code) code = closure_code(lam, header, record);
    LLVMBuildStore(builder_, code, unwrap(result));
    unsigned next = header ? 2 : 1;
    for (auto capture : program_->captures(lam))
        for (auto& part : captured(capture)) {
            if (!lower(part->type())) continue;
            auto field = LLVMBuildStructGEP2(builder_, record, unwrap(result), next++, "");
            LLVMBuildStore(builder_, unwrap(emit(part)), field);
        }
    return result;
}

Value Emitter::call_closure(Value closure, const Def* pi, Values args) {
    auto view = view_cn(world_, pi->as<Pi>()->dom(), true);
    auto sig  = signature(view, {});
    std::vector<LLVMValueRef> values;
    Value mem;
    if (sig.by_memory) {
        values.push_back(unwrap(mem = alloca_(Type(sig.result))));
        state_.hidden.push_back(unwrap(mem));
    }
    for (auto arg : args) values.push_back(unwrap(arg));
    values.push_back(unwrap(closure));
    auto code = LLVMBuildLoad2(builder_, unwrap(ptr_type(0)), unwrap(closure), "");
    auto type = with_closure(sig, unwrap(ptr_type(0)));
    auto call = LLVMBuildCall2(builder_, type, code, values.data(), unsigned(values.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (sig.by_memory) return load(Type(sig.result), mem, {});
    return sig.result ? Value(call) : Value();
}

} // namespace mim::backend::llvm
