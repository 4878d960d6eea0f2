// SPDX-License-Identifier: MIT
// Closures in memory, for emitters of axioms that take an open continuation: {address of the code, the emitter's own header, captures…}.
// Who makes one knows how long it lives. Functions that are values and may live for ever are made in escaping.cpp.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static constexpr unsigned tailcc = 18; // llvm::CallingConv::Tail

/// The code's signature: that of the function, with the closure as last parameter.
LLVMTypeRef Emitter::with_closure(const Signature& sig) {
    std::vector<LLVMTypeRef> params(LLVMCountParamTypes(sig.type));
    LLVMGetParamTypes(sig.type, params.data());
    params.push_back(unwrap(ptr_type(0)));
    return LLVMFunctionType(LLVMGetReturnType(sig.type), params.data(), unsigned(params.size()), false);
}

/// Code that `pass` finishes: it gets a builder and the closure, and says what the function `callee` gets besides the parameters.
LLVMValueRef Emitter::closure_code(const Signature& sig, LLVMTypeRef type, LLVMValueRef callee, const Passed& pass) {
    auto code = LLVMAddFunction(module_, "mim.closure", with_closure(sig));
    LLVMSetFunctionCallConv(code, tailcc);
    LLVMSetLinkage(code, LLVMInternalLinkage);
    auto builder = LLVMCreateBuilderInContext(ctx_);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(ctx_, code, "entry"));
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
    auto type = signature(program_->view(lam), program_->captures(lam)).type;
    auto pass = [&](LLVMBuilderRef builder, LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
        for (unsigned i = header ? 2 : 1, n = LLVMCountStructElementTypes(record); i != n; ++i) {
            auto field = LLVMBuildStructGEP2(builder, record, closure, i, "");
            args.push_back(load_from(builder, LLVMStructGetTypeAtIndex(record, i), field));
        }
    };
    return closure_code(signature(program_->view(lam), {}), type, function(lam), pass);
}

Value Emitter::allocate(LLVMTypeRef type, Storage storage) {
    if (storage == Storage::Heap) return collected(type);
    if (storage == Storage::Slot || !state_.in_loop) return alloca_(Type(type));
    return Value(LLVMBuildAlloca(builder_, type, ""));
}

Value Emitter::closure(const Def* def, Type header, Storage storage) {
    auto lam = def->isa<Lam>();
    if (!lam || !lam->is_cn()) fail(state_.place, Diag::needs_closure, {name_of(def)});
    if (!program_->is_function(lam)) return_as_value(lam, state_.fn->lam); // a block of the function around it
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
            store_to(unwrap(emit(part)), field);
        }
    return result;
}

LLVMValueRef Emitter::code_of(LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
    args.push_back(closure);
    return LLVMBuildLoad2(builder_, unwrap(ptr_type(0)), closure, "");
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
    auto code = code_of(unwrap(closure), values);
    auto call = LLVMBuildCall2(builder_, with_closure(sig), code, values.data(), unsigned(values.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (sig.by_memory) return load(Type(sig.result), mem, {});
    return sig.result ? Value(call) : Value();
}

} // namespace mim::backend::llvm
