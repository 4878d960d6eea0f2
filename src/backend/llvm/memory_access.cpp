// SPDX-License-Identifier: MIT
// Loads and stores. Constants may be large: they are stored from where they lie in the object file.
#include "backend/llvm/code_builder.h"

#include <llvm/Config/llvm-config.h>

#include "backend/llvm/attributes.h"
#include "backend/llvm/constants.h"
#include "backend/llvm/large.h"

namespace mim::backend::llvm {

/// Constants with more scalars are copied to where they are stored.
static constexpr unsigned max_stored_parts = 8;

/// Values with more scalars that come from memory are copied there, as C does: LLVM would load and store each scalar.
static constexpr unsigned max_loaded_parts = 4;

Value CodeBuilder::alloca_(Type t) {
    return t ? Value(LLVMBuildAlloca(alloca_builder_, unwrap(t), "")) : Value(LLVMConstNull(unwrap(ptr_type(0))));
}

Value CodeBuilder::alloca_here(Type t) { return Value(LLVMBuildAlloca(builder_, unwrap(t), "")); }

Value CodeBuilder::passing_slot(Type t) {
    auto slot = alloca_(t);
    passing_slots_.push_back(unwrap(slot));
    return slot;
}

static void hint(LLVMContextRef ctx, LLVMValueRef inst, std::string_view kind, bool with_one) {
    auto id  = LLVMGetMDKindIDInContext(ctx, kind.data(), unsigned(kind.size()));
    auto one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(ctx), 1, false));
    auto md  = LLVMMDNodeInContext2(ctx, &one, with_one ? 1 : 0);
    LLVMSetMetadata(inst, id, LLVMMetadataAsValue(ctx, md));
}

static void set_access(LLVMContextRef ctx, LLVMValueRef inst, const Access& access, unsigned align) {
    LLVMSetAlignment(inst, access.align ? access.align : align);
    if (access.is_volatile) LLVMSetVolatile(inst, true);
    if (access.nontemporal) hint(ctx, inst, "nontemporal", true);
}

/// LLVM takes for granted that an aggregate that is loaded as a whole is aligned as its
/// parts like to be, so one with vectors in it is loaded part by part.
LLVMValueRef CodeBuilder::load_from(LLVMBuilderRef builder, LLVMTypeRef t, LLVMValueRef ptr) {
    auto kind   = LLVMGetTypeKind(t);
    bool whole  = LLVMABIAlignmentOfType(data(), t) <= max_align || leaves(t, max_scalars + 1) > max_scalars;
    bool is_arr = kind == LLVMArrayTypeKind;
    if (whole || (!is_arr && kind != LLVMStructTypeKind)) {
        auto v = LLVMBuildLoad2(builder, t, ptr, "");
        LLVMSetAlignment(v, natural_align(t));
        return v;
    }
    auto result = LLVMGetUndef(t);
    for (unsigned i = 0, n = is_arr ? unsigned(LLVMGetArrayLength2(t)) : LLVMCountStructElementTypes(t); i != n; ++i) {
        auto part  = is_arr ? LLVMGetElementType(t) : LLVMStructGetTypeAtIndex(t, i);
        auto index = unwrap(i64(i));
        auto from  = is_arr ? LLVMBuildInBoundsGEP2(builder, part, ptr, &index, 1, "")
                            : LLVMBuildStructGEP2(builder, t, ptr, i, "");
        result     = LLVMBuildInsertValue(builder, result, load_from(builder, part, from), i, "");
    }
    return result;
}

void CodeBuilder::store_to(LLVMValueRef v, LLVMValueRef ptr) {
    LLVMSetAlignment(LLVMBuildStore(builder_, v, ptr), natural_align(LLVMTypeOf(v)));
}

Value CodeBuilder::load(Type t, Value ptr, Access access) {
    if (!t) return {};
    if (!access.align && !access.is_volatile && align_of(t) > max_align)
        return Value(load_from(builder_, unwrap(t), unwrap(ptr)));
    auto v = LLVMBuildLoad2(builder_, unwrap(t), unwrap(ptr), "");
    set_access(context(), v, access, natural_align(unwrap(t)));
    if (access.invariant) hint(context(), v, "invariant.load", false);
    return Value(v);
}

void CodeBuilder::store(Value value, Value ptr, Access access) {
    if (!value || store_constant(unwrap(value), unwrap(ptr), access) || store_loaded(unwrap(value), unwrap(ptr), access)) return;
    set_access(context(), LLVMBuildStore(builder_, unwrap(value), unwrap(ptr)), access, natural_align(LLVMTypeOf(unwrap(value))));
}

Value CodeBuilder::gep(Type elem, Value ptr, Value i) {
    if (!elem) return ptr;
    auto index = unwrap(i ? resize(i, int_type(64)) : i64(0));
    return Value(LLVMBuildInBoundsGEP2(builder_, unwrap(elem), unwrap(ptr), &index, 1, ""));
}

Value CodeBuilder::byte_gep(Value ptr, Value bytes) { return gep(int_type(8), ptr, bytes); }

Value CodeBuilder::field_ptr(Type t, Value ptr, unsigned field) {
    return Value(LLVMBuildStructGEP2(builder_, unwrap(t), unwrap(ptr), field, ""));
}

Value CodeBuilder::masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access access) {
    auto align = access.align ? access.align : natural_align(unwrap(vec));
    return aligned_intrinsic("llvm.masked.load", {vec, type_of(ptr)}, {ptr, mask, otherwise}, 0, align);
}

/// Unless the function is a loop, its first block gets each parameter from the entry alone.
void CodeBuilder::unaliased(Value ptr) {
    auto value = unwrap(ptr);
    while (LLVMIsAPHINode(value) && LLVMCountIncoming(value) == 1) value = LLVMGetIncomingValue(value, 0);
    auto param = LLVMIsAArgument(value);
    if (!param) return;
    auto fn        = LLVMGetParamParent(param);
    unsigned index = 0;
    while (LLVMGetParam(fn, index) != param) ++index;
    add_attribute(fn, index + 1, "noalias");
}

void CodeBuilder::masked_store(Value vec, Value ptr, Value mask, Access access) {
    auto align = access.align ? access.align : natural_align(LLVMTypeOf(unwrap(vec)));
    aligned_intrinsic("llvm.masked.store", {type_of(vec), type_of(ptr)}, {vec, ptr, mask}, 1, align);
}

/// The alignment of the argument at place `ptr` is one more argument behind it, and from LLVM 22 on an attribute of it.
Value CodeBuilder::aligned_intrinsic(std::string_view name, std::vector<Type> types, std::vector<Value> args, unsigned ptr,
                                     uint32_t align) {
#if LLVM_VERSION_MAJOR >= 22
    auto result = intrinsic(name, types, args, 0);
    auto call   = LLVMGetLastInstruction(LLVMGetInsertBlock(builder_));
    add_call_attribute(call, ptr + 1, "align", align);
    return result;
#else
    args.insert(args.begin() + ptr + 1, int_const(int_type(32), align));
    return intrinsic(name, types, args, 0);
#endif
}

/// False if the value is to be stored as any other.
bool CodeBuilder::store_constant(LLVMValueRef value, LLVMValueRef ptr, const Access& access) {
    auto t = LLVMTypeOf(value);
    if (!LLVMIsConstant(value) || access.is_volatile || leaves(t, max_stored_parts + 1) <= max_stored_parts) return false;
    if (LLVMIsUndef(value)) return true;
    auto size  = unwrap(i64(size_of(Type(t))));
    auto align = access.align ? access.align : natural_align(t);
    if (LLVMIsNull(value)) {
        LLVMBuildMemSet(builder_, ptr, LLVMConstInt(LLVMInt8TypeInContext(context()), 0, false), size, align);
        return true;
    }
    auto global = constant_global(module(), value, "constant");
    LLVMBuildMemCpy(builder_, ptr, align, global, unsigned(align_of(Type(t))), size);
    return true;
}

/// Intrinsics such as a minimum are declared like that.
static bool calls_without_memory(LLVMValueRef inst) {
    auto callee = LLVMIsACallInst(inst) ? LLVMIsAFunction(LLVMGetCalledValue(inst)) : nullptr;
    if (!callee) return false;
    constexpr std::string_view name = "memory";

    auto kind   = LLVMGetEnumAttributeKindForName(name.data(), name.size());
    auto memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeIndex(LLVMAttributeFunctionIndex), kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

/// Whether it is seen at once that nothing behind `inst` in its block may write to memory.
static bool is_still_there(LLVMValueRef inst) {
    unsigned steps = 32;
    for (auto i = LLVMGetNextInstruction(inst); i; i = LLVMGetNextInstruction(i)) {
        bool may_write = LLVMIsAStoreInst(i) || (LLVMIsACallInst(i) && !calls_without_memory(i));
        if (may_write || steps-- == 0) return false;
    }
    return true;
}

/// Whether memory holds what was loaded from it.
bool CodeBuilder::is_loaded_now(LLVMValueRef value) {
    if (!LLVMIsALoadInst(value) || LLVMGetVolatile(value)) return false;
    return LLVMGetInstructionParent(value) == LLVMGetInsertBlock(builder_) && is_still_there(value);
}

Value CodeBuilder::place_of(Value v) {
    auto value = unwrap(v);
    if (!value || !is_loaded_now(value) || LLVMGetAlignment(value) < natural_align(LLVMTypeOf(value))) return {};
    return Value(LLVMGetOperand(value, 0));
}

/// False if the value is to be stored as any other.
bool CodeBuilder::store_loaded(LLVMValueRef value, LLVMValueRef ptr, const Access& access) {
    auto t = LLVMTypeOf(value);
    if (access.is_volatile || access.nontemporal || !is_loaded_now(value)) return false;
    if (leaves(t, max_loaded_parts + 1) <= max_loaded_parts) return false;
    auto align = access.align ? access.align : natural_align(t);
    auto from  = LLVMGetOperand(value, 0);
    LLVMBuildMemMove(builder_, ptr, align, from, LLVMGetAlignment(value), unwrap(i64(size_of(Type(t)))));
    return true;
}

} // namespace mim::backend::llvm
