// SPDX-License-Identifier: MIT
// See module_builder.h.
#include "backend/llvm/module_builder.h"

#include <algorithm>

#include "backend/llvm/constants.h"
#include "backend/llvm/large.h"

namespace mim::backend::llvm {

// types

Type ModuleBuilder::int_type(unsigned bits) { return Type(LLVMIntTypeInContext(context_, bits)); }

Type ModuleBuilder::float_type(Float f) {
    switch (f) {
        case Float::F16: return Type(LLVMHalfTypeInContext(context_));
        case Float::BF16: return Type(LLVMBFloatTypeInContext(context_));
        case Float::F32: return Type(LLVMFloatTypeInContext(context_));
        case Float::F64: return Type(LLVMDoubleTypeInContext(context_));
    }
    return {};
}

Type ModuleBuilder::ptr_type(unsigned addrspace) { return Type(LLVMPointerTypeInContext(context_, addrspace)); }

Type ModuleBuilder::array_type(Type elem, uint64_t n) { return Type(LLVMArrayType2(unwrap(elem), n)); }

Type ModuleBuilder::vector_type(Type elem, unsigned lanes) { return Type(LLVMVectorType(unwrap(elem), lanes)); }

Type ModuleBuilder::struct_type(Types elems) {
    std::vector<LLVMTypeRef> types;
    for (auto e : elems)
        if (e) types.push_back(unwrap(e));
    return Type(struct_of(types));
}

Type ModuleBuilder::type_of(Value v) { return v ? Type(LLVMTypeOf(unwrap(v))) : Type(); }

bool ModuleBuilder::is_int(Type t) { return t && LLVMGetTypeKind(scalar(unwrap(t))) == LLVMIntegerTypeKind; }

bool ModuleBuilder::is_ptr(Type t) { return t && LLVMGetTypeKind(scalar(unwrap(t))) == LLVMPointerTypeKind; }

bool ModuleBuilder::is_float(Type t) {
    if (!t) return false;
    auto kind = LLVMGetTypeKind(scalar(unwrap(t)));
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

unsigned ModuleBuilder::bits(Type t) {
    if (!t) return 0;
    auto s = scalar(unwrap(t));
    switch (LLVMGetTypeKind(s)) {
        case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(s);
        case LLVMHalfTypeKind:
        case LLVMBFloatTypeKind: return 16;
        case LLVMFloatTypeKind: return 32;
        case LLVMDoubleTypeKind: return 64;
        default: return unsigned(LLVMSizeOfTypeInBits(data(), s));
    }
}

uint64_t ModuleBuilder::size_of(Type t) { return t ? LLVMABISizeOfType(data(), unwrap(t)) : 0; }

uint64_t ModuleBuilder::align_of(Type t) { return t ? LLVMABIAlignmentOfType(data(), unwrap(t)) : 1; }

LLVMTypeRef ModuleBuilder::struct_of(const std::vector<LLVMTypeRef>& elems) {
    auto types = const_cast<LLVMTypeRef*>(elems.data());
    return LLVMStructTypeInContext(context_, types, unsigned(elems.size()), false);
}

unsigned ModuleBuilder::natural_align(LLVMTypeRef t) { return std::min(LLVMABIAlignmentOfType(data(), t), max_align); }

unsigned ModuleBuilder::leaves(LLVMTypeRef t, unsigned limit) { return num_scalars(data(), t, limit); }

LLVMValueRef ModuleBuilder::declare_c_function(const std::string& name, LLVMTypeRef type, CCaller caller) {
    if (!caller.text.empty()) c_functions_.emplace(name, std::move(caller));
    return LLVMAddFunction(module_, name.c_str(), type);
}

// constants

static LLVMValueRef splat_const(LLVMTypeRef type, LLVMValueRef elem) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return elem;
    std::vector<LLVMValueRef> elems(LLVMGetVectorSize(type), elem);
    return LLVMConstVector(elems.data(), unsigned(elems.size()));
}

Value ModuleBuilder::int_const(Type t, uint64_t n) {
    auto type  = unwrap(t);
    auto width = LLVMGetIntTypeWidth(scalar(type));
    if (width < 64) n &= (uint64_t(1) << width) - 1;
    return Value(splat_const(type, LLVMConstInt(scalar(type), n, false)));
}

Value ModuleBuilder::float_bits(Type t, uint64_t bits) {
    auto type = scalar(unwrap(t));
    auto n    = LLVMConstInt(LLVMIntTypeInContext(context_, this->bits(t)), bits, false);
    return Value(splat_const(unwrap(t), LLVMConstBitCast(n, type)));
}

Value ModuleBuilder::zero(Type t) { return t ? Value(LLVMConstNull(unwrap(t))) : Value(); }

Value ModuleBuilder::undef(Type t) { return t ? Value(LLVMGetUndef(unwrap(t))) : Value(); }

Value ModuleBuilder::bytes(std::string_view data, unsigned align) {
    auto& global = bytes_[std::string(data)];
    if (!global) {
        auto init = LLVMConstStringInContext2(context_, data.data(), data.size(), true);
        global    = constant_global(module_, init, "str");
        LLVMSetAlignment(global, align);
    }
    if (LLVMGetAlignment(global) < align) LLVMSetAlignment(global, align);
    return Value(global);
}

} // namespace mim::backend::llvm
