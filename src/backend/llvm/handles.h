// SPDX-License-Identifier: MIT
// The handles of emit.h as those of LLVM.
#pragma once
#include <llvm-c/Core.h>

#include <vector>

#include "backend/emit.h"

namespace mim::backend::llvm {

inline LLVMValueRef unwrap(Value v) { return static_cast<LLVMValueRef>(v.get()); }
inline LLVMTypeRef unwrap(Type t) { return static_cast<LLVMTypeRef>(t.get()); }
inline LLVMBasicBlockRef unwrap(backend::Block b) { return static_cast<LLVMBasicBlockRef>(b.get()); }

/// Empty ones become null.
inline std::vector<LLVMValueRef> unwrap_all(Values values) {
    std::vector<LLVMValueRef> result;
    for (auto v : values) result.push_back(unwrap(v));
    return result;
}

/// The type is not empty.
inline bool is_struct(Type t) { return LLVMGetTypeKind(unwrap(t)) == LLVMStructTypeKind; }

/// Of a vector, the type of its elements; else the type itself.
inline LLVMTypeRef scalar(LLVMTypeRef t) {
    auto kind = t ? LLVMGetTypeKind(t) : LLVMVoidTypeKind;
    return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind ? LLVMGetElementType(t) : t;
}

/// llvm::CallingConv::Tail, of every function that is not C's: tail calls are guaranteed.
constexpr unsigned tailcc = 18;

} // namespace mim::backend::llvm
