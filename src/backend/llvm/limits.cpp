// SPDX-License-Identifier: MIT
// What is too large for LLVM. It takes values apart into scalars, and neither its time nor its memory nor its stack is made for many
// thousands of them; it computes sizes modulo 2^64. Constants may be large: they are stored from where they lie in the object file.
#include <algorithm>

#include "backend/llvm/emitter.h"
#include "ir/dump.h"

namespace mim::backend::llvm {

/// Scalars of one parameter: LLVM passes each on its own.
static constexpr unsigned max_parts = 4096;
/// Scalars of one value that is no constant: it lies on the stack (large.h), which is not made for more.
static constexpr unsigned max_held_parts = 1 << 16;
/// Constants with more scalars are copied to where they are stored.
static constexpr unsigned max_stored_parts = 8;
/// Values with more scalars that come from memory are copied there, as C does: LLVM would load and store each scalar.
static constexpr unsigned max_loaded_parts = 4;

/// As in C, an object has at most as many bytes as a difference of pointers can count. The parts of `t` were checked before.
void Emitter::check_size(const Def* type, LLVMTypeRef t) {
    using Wide = unsigned __int128;
    Wide size  = 0;
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
        size = Wide(LLVMGetArrayLength2(t)) * LLVMABISizeOfType(settings_.data, LLVMGetElementType(t));
    } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
        for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
            size += LLVMABISizeOfType(settings_.data, LLVMStructGetTypeAtIndex(t, i));
    }
    if (size >> (8 * LLVMPointerSize(settings_.data) - 1))
        fail(state_.place, Diag::llvm_failed,
             {"a value of type `" + brief(world_, type) + "` needs more memory than there are addresses"});
}

/// For what is passed to functions.
void Emitter::check_parts(const Def* type) { check_parts(type, max_parts); }

void Emitter::check_parts(const Def* type, unsigned limit) {
    auto t = lower(type);
    if (t && leaves(t, limit + 1) > limit) too_large(type, limit);
}

/// Of a tuple type, the element to blame is shown if there is one.
void Emitter::too_large(const Def* type, uint64_t limit) {
    auto most     = unsigned(std::min<uint64_t>(limit, max_held_parts));
    auto is_large = [&](const Def* t) { return lower(t) && leaves(lower(t), most + 1) > most; };
    while (type->isa<Sigma>()) {
        auto it = std::ranges::find_if(type->ops(), is_large);
        if (it == type->ops().end()) break;
        type = *it;
    }
    fail(state_.place, Diag::llvm_failed,
         {"a value of type `" + brief(world_, type) + "` has more than " + std::to_string(limit)
          + " parts: keep it in memory, and load and store parts of it"});
}

Value Emitter::check_value(const Def* type, Value v) {
    if (v && !LLVMIsConstant(unwrap(v))) check_parts(type, max_held_parts);
    return v;
}

/// False if the value is to be stored as any other.
bool Emitter::store_constant(LLVMValueRef value, LLVMValueRef ptr, const Access& access) {
    auto t = LLVMTypeOf(value);
    if (!LLVMIsConstant(value) || access.is_volatile || leaves(t, max_stored_parts + 1) <= max_stored_parts) return false;
    if (LLVMIsUndef(value)) return true;
    auto size  = unwrap(i64(size_of(Type(t))));
    auto align = access.align ? access.align : natural_align(t);
    if (LLVMIsNull(value)) {
        LLVMBuildMemSet(builder_, ptr, LLVMConstInt(LLVMInt8TypeInContext(ctx_), 0, false), size, align);
        return true;
    }
    auto global = LLVMAddGlobal(module_, t, "constant");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMBuildMemCpy(builder_, ptr, align, global, unsigned(align_of(Type(t))), size);
    return true;
}

/// Whether it is seen at once that nothing behind `inst` in its block may write to memory.
static bool is_still_there(LLVMValueRef inst) {
    unsigned steps = 32;
    for (auto i = LLVMGetNextInstruction(inst); i; i = LLVMGetNextInstruction(i))
        if (steps-- == 0 || LLVMIsACallInst(i) || LLVMIsAStoreInst(i)) return false;
    return true;
}

/// False if the value is to be stored as any other.
bool Emitter::store_loaded(LLVMValueRef value, LLVMValueRef ptr, const Access& access) {
    auto t = LLVMTypeOf(value);
    if (!LLVMIsALoadInst(value) || access.is_volatile || access.nontemporal || LLVMGetVolatile(value)) return false;
    if (LLVMGetInstructionParent(value) != LLVMGetInsertBlock(builder_) || !is_still_there(value)) return false;
    if (leaves(t, max_loaded_parts + 1) <= max_loaded_parts) return false;
    auto align = access.align ? access.align : natural_align(t);
    auto from  = LLVMGetOperand(value, 0);
    LLVMBuildMemMove(builder_, ptr, align, from, LLVMGetAlignment(value), unwrap(i64(size_of(Type(t)))));
    return true;
}

} // namespace mim::backend::llvm
