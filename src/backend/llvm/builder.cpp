// SPDX-License-Identifier: MIT
// The facade's types, constants and operations: thin calls of LLVM's C interface.
#include <cstring>

#include <llvm/Config/llvm-config.h>

#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static std::vector<LLVMValueRef> unwrap_all(Values values) {
    std::vector<LLVMValueRef> result;
    for (auto v : values)
        if (v) result.push_back(unwrap(v));
    return result;
}

static LLVMTypeRef scalar(LLVMTypeRef t) {
    auto kind = LLVMGetTypeKind(t);
    return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind ? LLVMGetElementType(t) : t;
}

// types

Type Emitter::int_type(unsigned bits) { return Type(LLVMIntTypeInContext(ctx_, bits)); }

Type Emitter::float_type(Float f) {
    switch (f) {
        case Float::F16: return Type(LLVMHalfTypeInContext(ctx_));
        case Float::BF16: return Type(LLVMBFloatTypeInContext(ctx_));
        case Float::F32: return Type(LLVMFloatTypeInContext(ctx_));
        case Float::F64: return Type(LLVMDoubleTypeInContext(ctx_));
    }
    return {};
}

Type Emitter::ptr_type(unsigned addrspace) { return Type(LLVMPointerTypeInContext(ctx_, addrspace)); }
Type Emitter::array_type(Type elem, uint64_t n) { return Type(LLVMArrayType2(unwrap(elem), n)); }
Type Emitter::vector_type(Type elem, unsigned lanes) { return Type(LLVMVectorType(unwrap(elem), lanes)); }

Type Emitter::struct_type(Types elems) {
    std::vector<LLVMTypeRef> types;
    for (auto e : elems)
        if (e) types.push_back(unwrap(e));
    return Type(LLVMStructTypeInContext(ctx_, types.data(), unsigned(types.size()), false));
}

Type Emitter::type_of(Value v) { return v ? Type(LLVMTypeOf(unwrap(v))) : Type(); }
bool Emitter::is_int(Type t) { return t && LLVMGetTypeKind(scalar(unwrap(t))) == LLVMIntegerTypeKind; }
bool Emitter::is_ptr(Type t) { return t && LLVMGetTypeKind(scalar(unwrap(t))) == LLVMPointerTypeKind; }

bool Emitter::is_float(Type t) {
    if (!t) return false;
    auto kind = LLVMGetTypeKind(scalar(unwrap(t)));
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

unsigned Emitter::bits(Type t) {
    if (!t) return 0;
    auto s = scalar(unwrap(t));
    switch (LLVMGetTypeKind(s)) {
        case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(s);
        case LLVMHalfTypeKind:
        case LLVMBFloatTypeKind: return 16;
        case LLVMFloatTypeKind: return 32;
        case LLVMDoubleTypeKind: return 64;
        default: return unsigned(LLVMSizeOfTypeInBits(settings_.data, s));
    }
}

uint64_t Emitter::size_of(Type t) { return t ? LLVMABISizeOfType(settings_.data, unwrap(t)) : 0; }
uint64_t Emitter::align_of(Type t) { return t ? LLVMABIAlignmentOfType(settings_.data, unwrap(t)) : 1; }

// constants

static LLVMValueRef splat_const(LLVMTypeRef type, LLVMValueRef elem) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return elem;
    std::vector<LLVMValueRef> elems(LLVMGetVectorSize(type), elem);
    return LLVMConstVector(elems.data(), unsigned(elems.size()));
}

Value Emitter::int_const(Type t, uint64_t n) {
    auto type  = unwrap(t);
    auto width = LLVMGetIntTypeWidth(scalar(type));
    if (width < 64) n &= (uint64_t(1) << width) - 1;
    return Value(splat_const(type, LLVMConstInt(scalar(type), n, false)));
}

Value Emitter::float_bits(Type t, uint64_t bits) {
    auto type = scalar(unwrap(t));
    auto n    = LLVMConstInt(LLVMIntTypeInContext(ctx_, this->bits(t)), bits, false);
    return Value(splat_const(unwrap(t), LLVMConstBitCast(n, type)));
}

Value Emitter::zero(Type t) { return t ? Value(LLVMConstNull(unwrap(t))) : Value(); }
Value Emitter::undef(Type t) { return t ? Value(LLVMGetUndef(unwrap(t))) : Value(); }

Value Emitter::bytes(std::string_view data, unsigned align) {
    auto& global = bytes_[std::string(data)];
    if (!global) {
        auto init = LLVMConstStringInContext2(ctx_, data.data(), data.size(), true);
        global    = LLVMAddGlobal(module_, LLVMTypeOf(init), "str");
        LLVMSetInitializer(global, init);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
        LLVMSetAlignment(global, align);
    }
    if (LLVMGetAlignment(global) < align) LLVMSetAlignment(global, align);
    return Value(global);
}

// operations

static void set_flags(LLVMValueRef v, uint32_t flags) {
    if (!LLVMIsAInstruction(v)) return;
    if (flags & NUW) LLVMSetNUW(v, true);
    if (flags & NSW) LLVMSetNSW(v, true);
    if (flags & Exact) LLVMSetExact(v, true);
    auto mode = flags >> FastMathShift;
    if (!mode || !LLVMCanValueUseFastMathFlags(v)) return;
    LLVMFastMathFlags fast = 0;
    if (mode & 1) fast |= LLVMFastMathNoNaNs;
    if (mode & 2) fast |= LLVMFastMathNoInfs;
    if (mode & 4) fast |= LLVMFastMathNoSignedZeros;
    if (mode & 8) fast |= LLVMFastMathAllowReciprocal;
    if (mode & 16) fast |= LLVMFastMathAllowContract;
    if (mode & 32) fast |= LLVMFastMathApproxFunc;
    if (mode & 64) fast |= LLVMFastMathAllowReassoc;
    LLVMSetFastMathFlags(v, fast);
}

Value Emitter::bin(Bin op, Value a, Value b, uint32_t flags) {
    static constexpr LLVMOpcode opcodes[] = {LLVMAdd,  LLVMSub,  LLVMMul,  LLVMUDiv, LLVMSDiv, LLVMURem,
                                             LLVMSRem, LLVMShl,  LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,
                                             LLVMXor,  LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFRem};
    auto v                                = LLVMBuildBinOp(builder_, opcodes[size_t(op)], unwrap(a), unwrap(b), "");
    set_flags(v, flags);
    return Value(v);
}

Value Emitter::cmp(Cmp op, Value a, Value b) {
    static constexpr LLVMIntPredicate preds[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                                 LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    return Value(LLVMBuildICmp(builder_, preds[size_t(op)], unwrap(a), unwrap(b), ""));
}

Value Emitter::fcmp(FCmp op, Value a, Value b, uint32_t flags) {
    auto v = LLVMBuildFCmp(builder_, LLVMRealPredicate(op), unwrap(a), unwrap(b), "");
    set_flags(v, flags);
    return Value(v);
}

Value Emitter::cast(Cast op, Value v, Type to) {
    if (type_of(v) == to) return v;
    static constexpr LLVMOpcode opcodes[] = {LLVMZExt,    LLVMSExt,  LLVMTrunc,  LLVMPtrToInt, LLVMIntToPtr, LLVMBitCast,
                                             LLVMFPTrunc, LLVMFPExt, LLVMSIToFP, LLVMUIToFP,   LLVMFPToSI,   LLVMFPToUI};
    return Value(LLVMBuildCast(builder_, opcodes[size_t(op)], unwrap(v), unwrap(to), ""));
}

Value Emitter::select(Value c, Value t, Value f) {
    if (!t) return {};
    if (LLVMIsConstant(unwrap(c)) && unwrap(c) == LLVMConstAllOnes(LLVMTypeOf(unwrap(c)))) return t;
    return Value(LLVMBuildSelect(builder_, unwrap(c), unwrap(t), unwrap(f), ""));
}

Value Emitter::fneg(Value v, uint32_t flags) {
    auto result = LLVMBuildFNeg(builder_, unwrap(v), "");
    set_flags(result, flags);
    return Value(result);
}

Value Emitter::resize(Value v, Type to) {
    auto from = type_of(v);
    if (from == to) return v;
    bool from_ptr = is_ptr(from), to_ptr = is_ptr(to);
    if (from_ptr && to_ptr) return Value(LLVMBuildAddrSpaceCast(builder_, unwrap(v), unwrap(to), ""));
    if (from_ptr) return Value(LLVMBuildPtrToInt(builder_, unwrap(v), unwrap(to), ""));
    if (to_ptr) return Value(LLVMBuildIntToPtr(builder_, unwrap(v), unwrap(to), ""));
    return cast(bits(from) < bits(to) ? Cast::ZExt : Cast::Trunc, v, to);
}

Value Emitter::exact(Value index, Value wide) {
    if (index && index != wide && !LLVMIsConstant(unwrap(index))) state_.wide.emplace(unwrap(index), unwrap(wide));
    return index;
}

Value Emitter::intrinsic(std::string_view name, Types types, Values args, uint32_t flags) {
    auto id = LLVMLookupIntrinsicID(name.data(), name.size());
    std::vector<LLVMTypeRef> overloads;
    for (auto t : types) overloads.push_back(unwrap(t));
    auto fn     = LLVMGetIntrinsicDeclaration(module_, id, overloads.data(), overloads.size());
    auto type   = LLVMGlobalGetValueType(fn);
    auto values = unwrap_all(args);
    auto v      = LLVMBuildCall2(builder_, type, fn, values.data(), unsigned(values.size()), "");
    set_flags(v, flags);
    return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind ? Value() : Value(v);
}

void Emitter::mark_call(LLVMValueRef call, std::string_view attribute, uint64_t value) {
    auto kind = LLVMGetEnumAttributeKindForName(attribute.data(), attribute.size());
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(ctx_, kind, value));
}

Value Emitter::call(std::string_view name, Type result, Values args, uint32_t flags) {
    auto values = unwrap_all(args);
    std::vector<LLVMTypeRef> params;
    for (auto v : values) params.push_back(LLVMTypeOf(v));
    auto type = LLVMFunctionType(result ? unwrap(result) : LLVMVoidTypeInContext(ctx_), params.data(), unsigned(params.size()),
                                 false);
    std::string symbol(name);
    auto fn = LLVMGetNamedFunction(module_, symbol.c_str());
    if (!fn) fn = LLVMAddFunction(module_, symbol.c_str(), type);
    auto v = LLVMBuildCall2(builder_, type, fn, values.data(), unsigned(values.size()), "");
    if (flags & NoEffect) {
        mark_call(v, "memory"); // 0: touches none
        mark_call(v, "nounwind"), mark_call(v, "willreturn");
    }
    if (flags & AsWritten) mark_call(v, "nobuiltin");
    set_flags(v, flags);
    if (!(flags & (NoEffect | OwnMemory))) others_at_work();
    return result ? Value(v) : Value();
}

// aggregates and vectors

Value Emitter::aggregate(Values elems) {
    auto values = unwrap_all(elems);
    if (values.empty()) return {};
    if (values.size() == 1) return Value(values.front());
    std::vector<LLVMTypeRef> types;
    for (auto v : values) types.push_back(LLVMTypeOf(v));
    return fill(LLVMStructTypeInContext(ctx_, types.data(), unsigned(types.size()), false), std::move(values));
}

/// A struct, array or vector of these elements. The constant ones are put together at once: one by one, LLVM would make a constant for each step.
Value Emitter::fill(LLVMTypeRef type, std::vector<LLVMValueRef> elems) {
    std::vector<std::pair<unsigned, LLVMValueRef>> rest;
    for (unsigned i = 0; i != elems.size(); ++i) {
        if (LLVMIsConstant(elems[i])) continue;
        rest.emplace_back(i, elems[i]);
        elems[i] = LLVMGetUndef(LLVMTypeOf(elems[i]));
    }
    auto kind = LLVMGetTypeKind(type);
    auto size = unsigned(elems.size());
    auto agg  = kind == LLVMArrayTypeKind    ? LLVMConstArray2(LLVMGetElementType(type), elems.data(), size)
                : kind == LLVMVectorTypeKind ? LLVMConstVector(elems.data(), size)
                                             : LLVMConstStructInContext(ctx_, elems.data(), size, false);
    for (auto [i, v] : rest)
        agg = kind == LLVMVectorTypeKind ? LLVMBuildInsertElement(builder_, agg, v, unwrap(i64(i)), "")
                                         : LLVMBuildInsertValue(builder_, agg, v, i, "");
    return Value(agg);
}

Value Emitter::extract_value(Value agg, unsigned i) { return Value(LLVMBuildExtractValue(builder_, unwrap(agg), i, "")); }
Value Emitter::insert_value(Value agg, Value elem, unsigned i) {
    return Value(LLVMBuildInsertValue(builder_, unwrap(agg), unwrap(elem), i, ""));
}
Value Emitter::extract_lane(Value vec, Value i) { return Value(LLVMBuildExtractElement(builder_, unwrap(vec), unwrap(i), "")); }
Value Emitter::insert_lane(Value vec, Value elem, Value i) {
    return Value(LLVMBuildInsertElement(builder_, unwrap(vec), unwrap(elem), unwrap(i), ""));
}

Value Emitter::lanes(Values elems) {
    auto values = unwrap_all(elems);
    auto type   = LLVMVectorType(LLVMTypeOf(values.front()), unsigned(values.size()));
    return fill(type, std::move(values));
}

Value Emitter::splat(Value elem, unsigned lanes) {
    auto vec = undef(vector_type(type_of(elem), lanes));
    vec      = insert_lane(vec, elem, i64(0));
    std::vector<int> mask(lanes, 0);
    return shuffle(vec, vec, mask);
}

Value Emitter::shuffle(Value a, Value b, std::span<const int> mask) {
    auto i32 = LLVMInt32TypeInContext(ctx_);
    std::vector<LLVMValueRef> lanes;
    for (int i : mask) lanes.push_back(i < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, uint64_t(i), false));
    auto m = LLVMConstVector(lanes.data(), unsigned(lanes.size()));
    return Value(LLVMBuildShuffleVector(builder_, unwrap(a), unwrap(b), m, ""));
}

// memory

Value Emitter::alloca_(Type t) {
    return t ? Value(LLVMBuildAlloca(alloca_builder_, unwrap(t), "")) : Value(LLVMConstNull(unwrap(ptr_type(0))));
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

/// From memory that is aligned as every allocation is. LLVM takes for granted that an aggregate that is loaded as a whole is aligned as its
/// parts like to be, so one with vectors in it is loaded part by part.
LLVMValueRef Emitter::load_from(LLVMBuilderRef builder, LLVMTypeRef t, LLVMValueRef ptr) {
    auto kind   = LLVMGetTypeKind(t);
    bool whole  = LLVMABIAlignmentOfType(settings_.data, t) <= max_align || leaves(t, max_scalars + 1) > max_scalars;
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

void Emitter::store_to(LLVMValueRef v, LLVMValueRef ptr) {
    LLVMSetAlignment(LLVMBuildStore(builder_, v, ptr), natural_align(LLVMTypeOf(v)));
}

Value Emitter::load(Type t, Value ptr, Access access) {
    if (!t) return {};
    if (!access.align && !access.is_volatile && align_of(t) > max_align)
        return Value(load_from(builder_, unwrap(t), unwrap(ptr)));
    auto v = LLVMBuildLoad2(builder_, unwrap(t), unwrap(ptr), "");
    set_access(ctx_, v, access, natural_align(unwrap(t)));
    if (access.invariant) hint(ctx_, v, "invariant.load", false);
    return Value(v);
}

void Emitter::store(Value value, Value ptr, Access access) {
    if (!value || store_constant(unwrap(value), unwrap(ptr), access) || store_loaded(unwrap(value), unwrap(ptr), access)) return;
    set_access(ctx_, LLVMBuildStore(builder_, unwrap(value), unwrap(ptr)), access, natural_align(LLVMTypeOf(unwrap(value))));
}

Value Emitter::gep(Type elem, Value ptr, Value i) {
    if (!elem) return ptr;
    auto index = unwrap(i ? resize(i, int_type(64)) : i64(0));
    return Value(LLVMBuildInBoundsGEP2(builder_, unwrap(elem), unwrap(ptr), &index, 1, ""));
}

Value Emitter::byte_gep(Value ptr, Value bytes) { return gep(int_type(8), ptr, bytes); }

Value Emitter::field_ptr(Type t, Value ptr, unsigned field) {
    return Value(LLVMBuildStructGEP2(builder_, unwrap(t), unwrap(ptr), field, ""));
}

Value Emitter::masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access access) {
    auto align = access.align ? access.align : natural_align(unwrap(vec));
    return aligned_intrinsic("llvm.masked.load", {vec, type_of(ptr)}, {ptr, mask, otherwise}, 0, align);
}

void Emitter::masked_store(Value vec, Value ptr, Value mask, Access access) {
    auto align = access.align ? access.align : natural_align(LLVMTypeOf(unwrap(vec)));
    aligned_intrinsic("llvm.masked.store", {type_of(vec), type_of(ptr)}, {vec, ptr, mask}, 1, align);
}

/// The alignment of the argument at place `ptr` is one more argument behind it, and from LLVM 22 on an attribute of it.
Value Emitter::aligned_intrinsic(std::string_view name, std::vector<Type> types, std::vector<Value> args, unsigned ptr,
                                 uint32_t align) {
#if LLVM_VERSION_MAJOR >= 22
    auto result = intrinsic(name, types, args, 0);
    auto call   = LLVMGetLastInstruction(LLVMGetInsertBlock(builder_));
    auto kind   = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, ptr + 1, LLVMCreateEnumAttribute(ctx_, kind, align));
    return result;
#else
    args.insert(args.begin() + ptr + 1, int_const(int_type(32), align));
    return intrinsic(name, types, args, 0);
#endif
}

// control flow

backend::Block Emitter::new_block(std::string_view name) {
    return backend::Block(LLVMAppendBasicBlockInContext(ctx_, state_.llvm, std::string(name).c_str()));
}
backend::Block Emitter::current() { return backend::Block(LLVMGetInsertBlock(builder_)); }
void Emitter::enter(backend::Block b) { LLVMPositionBuilderAtEnd(builder_, static_cast<LLVMBasicBlockRef>(b.get())); }
void Emitter::jump(backend::Block b) { LLVMBuildBr(builder_, static_cast<LLVMBasicBlockRef>(b.get())); }
void Emitter::branch(Value cond, backend::Block yes, backend::Block no) {
    LLVMBuildCondBr(builder_, unwrap(cond), static_cast<LLVMBasicBlockRef>(yes.get()), static_cast<LLVMBasicBlockRef>(no.get()));
}

Value Emitter::phi(Type t, std::span<const std::pair<Value, backend::Block>> incoming) {
    if (!t) return {};
    auto phi = LLVMBuildPhi(builder_, unwrap(t), "");
    for (auto& [value, block] : incoming) {
        auto v = unwrap(value);
        auto b = static_cast<LLVMBasicBlockRef>(block.get());
        LLVMAddIncoming(phi, &v, &b, 1);
    }
    return Value(phi);
}

void Emitter::trap() {
    Emit::intrinsic("llvm.trap", {}, {});
    unreachable();
}

void Emitter::unreachable() {
    LLVMBuildUnreachable(builder_);
    LLVMPositionBuilderAtEnd(builder_, LLVMAppendBasicBlockInContext(ctx_, state_.llvm, "dead"));
}

} // namespace mim::backend::llvm
