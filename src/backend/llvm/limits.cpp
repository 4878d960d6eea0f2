// SPDX-License-Identifier: MIT
// What is too large for LLVM. It takes values apart into scalars, and neither its time nor its memory nor its stack
// is made for many thousands of them; it computes sizes modulo 2^64.
#include <algorithm>

#include "backend/llvm/types.h"
#include "ir/dump.h"

namespace mim::backend::llvm {

/// Scalars of one parameter: LLVM passes each on its own.
static constexpr unsigned max_parts = 4096;

/// Scalars of one value that is no constant: it lies on the stack (large.h), which is not made for more.
static constexpr unsigned max_held_parts = 1 << 16;

/// As in C, an object has at most as many bytes as a difference of pointers can count. The parts of `t` were checked
/// before.
void TypeLowering::check_size(const Def* type, LLVMTypeRef t) {
    using Wide = unsigned __int128;
    Wide size  = 0;
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
        size = Wide(LLVMGetArrayLength2(t)) * LLVMABISizeOfType(module_.data(), LLVMGetElementType(t));
    } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
        for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
            size += LLVMABISizeOfType(module_.data(), LLVMStructGetTypeAtIndex(t, i));
    }
    if (size >> (8 * LLVMPointerSize(module_.data()) - 1)) reports_.too_large(type);
}

void TypeLowering::check_parts(const Def* type) { check_parts(type, max_parts); }

void TypeLowering::check_parts(const Def* type, unsigned limit) {
    auto t = lower(type);
    if (t && module_.leaves(t, limit + 1) > limit) too_large(type, limit);
}

/// Of a tuple type, the element to blame is shown if there is one.
void TypeLowering::too_large(const Def* type, uint64_t limit) {
    auto most     = unsigned(std::min<uint64_t>(limit, max_held_parts));
    auto is_large = [&](const Def* t) { return lower(t) && module_.leaves(lower(t), most + 1) > most; };
    while (type->isa<Sigma>()) {
        auto it = std::ranges::find_if(type->ops(), is_large);
        if (it == type->ops().end()) break;
        type = *it;
    }
    reports_.fail_here(Diag::llvm_failed, {"a value of type `" + brief(world_, type) + "` has more than " + std::to_string(limit)
                                           + " parts: keep it in memory, and load and store parts of it"});
}

Value TypeLowering::check_value(const Def* type, Value v) {
    if (v && !LLVMIsConstant(unwrap(v))) check_parts(type, max_held_parts);
    return v;
}

} // namespace mim::backend::llvm
