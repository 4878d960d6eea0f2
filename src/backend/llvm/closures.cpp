// SPDX-License-Identifier: MIT
// See closures.h.
#include "backend/llvm/closures.h"

#include "backend/llvm/expressions.h"

namespace mim::backend::llvm {

LLVMTypeRef Closures::record_type(const Lam* lam, Type header) {
    std::vector<LLVMTypeRef> fields{unwrap(build_.ptr_type(0))};
    if (header) fields.push_back(unwrap(header));
    for (auto def : ctx_.program.captures(lam))
        for (auto& part : signatures_.captured(def))
            if (auto t = types_.lower(part->type())) fields.push_back(t);
    return build_.struct_of(fields);
}

/// Loads the captures and passes them to the function that `lam` is.
LLVMValueRef Closures::code(const Lam* lam, Type header, LLVMTypeRef record) {
    auto type = signatures_.of(lam).type;
    auto pass = [&](LLVMBuilderRef builder, LLVMValueRef closure, std::vector<LLVMValueRef>& args) {
        for (unsigned i = header ? 2 : 1, n = LLVMCountStructElementTypes(record); i != n; ++i) {
            auto field = LLVMBuildStructGEP2(builder, record, closure, i, "");
            args.push_back(build_.load_from(builder, LLVMStructGetTypeAtIndex(record, i), field));
        }
    };
    return closure_code(build_.module(), signatures_.of(ctx_.program.view(lam)), type, functions_.of(lam), pass);
}

Value Closures::allocate(LLVMTypeRef type, Storage storage) {
    if (storage == Storage::Heap) return heap_.collected(type);
    if (storage == Storage::Slot || !ctx_.frame.hands_on) return build_.alloca_(Type(type));
    return Value(LLVMBuildAlloca(build_.ref(), type, ""));
}

Value Closures::closure(const Def* def, Type header, Storage storage) {
    auto lam = def->isa<Lam>();
    if (!lam || !lam->is_cn()) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(def)});
    if (!ctx_.program.is_function(lam))
        ctx_.reports.return_as_value(lam, ctx_.frame.fn->lam); // a block of the function around it
    auto record = record_type(lam, header);
    auto result = allocate(record, storage);
    auto& known = codes_[{lam, header.get()}];
    if (!known) known = code(lam, header, record);
    LLVMBuildStore(build_.ref(), known, unwrap(result));
    unsigned next = header ? 2 : 1;
    for (auto capture : ctx_.program.captures(lam))
        for (auto& part : signatures_.captured(capture)) {
            if (!types_.lower(part->type())) continue;
            auto field = LLVMBuildStructGEP2(build_.ref(), record, unwrap(result), next++, "");
            build_.store_to(unwrap(values_.emit(part)), field);
        }
    return result;
}

Value Closures::call_closure(Value closure, const Def* pi, Values args) {
    auto sig = signatures_.of(view_cn(ctx_.world, pi->as<Pi>()->dom(), true));
    std::vector<LLVMValueRef> values;
    Value mem;
    if (sig.by_memory) {
        mem = build_.passing_slot(Type(sig.result));
        values.push_back(unwrap(mem));
    }
    for (auto arg : args) values.push_back(unwrap(arg));
    auto code = code_of(build_.ref(), unwrap(closure), values);
    auto call = LLVMBuildCall2(build_.ref(), with_closure(sig), code, values.data(), unsigned(values.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (sig.by_memory) return build_.load(Type(sig.result), mem, {});
    return sig.result ? Value(call) : Value();
}

} // namespace mim::backend::llvm
