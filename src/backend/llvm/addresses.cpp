// SPDX-License-Identifier: MIT
// See addresses.h.
#include "backend/llvm/addresses.h"

#include <bit>

#include "analysis/pointee.h"
#include "backend/llvm/expressions.h"

namespace mim::backend::llvm {

Value Addresses::exact(Value index, Value wide) {
    if (index && index != wide && !LLVMIsConstant(unwrap(index))) wide_.emplace(unwrap(index), unwrap(wide));
    return index;
}

Value Addresses::number_of(Value index) const {
    auto found = wide_.find(unwrap(index));
    return found == wide_.end() ? index : Value(found->second);
}

/// Arrays are dense and row-major.
Value Addresses::bytes_of(const Def* type) {
    types_.check_memory(type);
    return bytes_of_value(type);
}

/// 2^64 is no word.
Value Addresses::length(const Arr* arr) {
    auto length = values_.emit(arr->arity());
    if (!length) reports_.too_large(arr);
    return length;
}

Value Addresses::bytes_of_value(const Def* type) {
    if (!is_open_array(type)) return build_.i64(build_.size_of(types_.memory(type)));
    auto arr   = type->as<Arr>();
    auto bytes = bytes_of_element(arr);
    return build_.bin(Bin::Mul, length(arr), bytes, NUW);
}

Value Addresses::room_for(const Def* type) {
    if (!is_open_array(type)) return build_.i64(build_.size_of(types_.memory(type)));
    auto arr  = type->as<Arr>();
    auto word = build_.int_type(64);
    auto both = build_.intrinsic("llvm.umul.with.overflow", {word}, {length(arr), room_for(arr->body())});
    return build_.select(build_.extract_value(both, 1), build_.i64(~uint64_t(0)), build_.extract_value(both, 0));
}

/// A length that depends on the index gives the elements no common size.
Value Addresses::bytes_of_element(const Arr* arr) {
    if (!is_dense(arr)) reports_.run_time_layout(arr);
    return bytes_of_value(arr->body());
}

Value Addresses::element(const Arr* arr, Value ptr, Value index) {
    if (!is_open_array(arr->body())) return build_.gep(types_.memory(arr->body()), ptr, index);
    auto bytes  = bytes_of_element(arr);
    auto number = build_.resize(index, build_.int_type(64));
    return build_.byte_gep(ptr, build_.bin(Bin::Mul, number, bytes, NUW));
}

Value Addresses::lea(const Def* pointee, Value ptr, const Def* index) {
    types_.check_memory(pointee);
    auto lit = isa_lit(index);
    if (auto arr = pointee->isa<Arr>()) {
        auto i = number_of(values_.emit(index));
        return i ? element(arr, ptr, i) : ptr;
    }
    if (!pointee->isa<Sigma>()) return ptr;
    auto t = types_.memory(pointee);
    if (lit) {
        auto field = types_.field_of(pointee, lit->value());
        return field < 0 || types_.num_fields(pointee) == 1 ? ptr : build_.field_ptr(t, ptr, unsigned(field));
    }
    auto i = values_.emit(index);
    if (!i || types_.num_fields(pointee) < 2) return ptr;
    return build_.byte_gep(ptr, offset_of_field(pointee, i));
}

/// Of the field of an unknown number: it is looked up in a table of offsets.
Value Addresses::offset_of_field(const Def* sigma, Value index) {
    auto t      = types_.lower_memory(sigma);
    auto offset = build_.i64(0);
    for (size_t k = 0; k != sigma->num_ops(); ++k) {
        auto field   = types_.field_of(sigma, k);
        auto bytes   = field < 0 ? 0 : LLVMOffsetOfElement(build_.data(), t, unsigned(field));
        auto is_this = build_.cmp(Cmp::Eq, index, build_.int_const(build_.type_of(index), k));
        offset       = build_.select(is_this, build_.i64(bytes), offset);
    }
    return offset;
}

/// What makes it fails rather than make another index, and is evaluated only where an element is asked for.
static bool is_checked(const Def* index) {
    auto axm = saturated_axiom(index);
    return axm && axm->axiom().has(Axiom::MayTrap) && !axm->axiom().has(Axiom::Speculatable);
}

/// A parameter is what somebody computed; anything else may be nobody's index where nobody asks for the element.
Value Addresses::in_range(const Arr* arr, const Def* index) {
    auto value    = values_.emit(index);
    auto i        = value ? build_.resize(value, build_.int_type(64)) : build_.i64(0);
    auto source   = index->isa<Extract>() ? index->as<Extract>()->tuple() : index;
    bool is_param = source->isa<Var>();
    if (is_param || is_checked(index) || build_.checked()) return i;
    auto known = Value(LLVMBuildFreeze(build_.ref(), unwrap(i), ""));
    return build_.select(build_.cmp(Cmp::ULt, known, values_.emit(arr->arity())), known, build_.i64(0));
}

/// On a path that does not need the access, an undefined operation may have left its type, or be a value of LLVM with
/// which no access may be made. Sizes that are powers of two cannot be left.
Value Addresses::in_range(const Def* index) {
    auto i    = values_.emit(index);
    auto size = isa_lit(isa_idx(index->type()));
    if (!i || build_.checked()) return i;
    if (LLVMIsUndef(unwrap(i))) return build_.zero(build_.type_of(i));
    if (LLVMIsConstant(unwrap(i))) return i;
    i = Value(LLVMBuildFreeze(build_.ref(), unwrap(i), ""));
    if (!size || std::has_single_bit(size->value())) return i;
    return build_.umin(i, build_.int_const(build_.type_of(i), size->value() - 1));
}

/// With --checked nothing is on a path that does not need it, but memory that C wrote may hold any index.
void Addresses::check(const Def* access, const Def* index) {
    auto i    = values_.emit(index);
    auto size = isa_lit(isa_idx(index->type()));
    if (!build_.checked() || !i || !size || std::has_single_bit(size->value()) || LLVMIsConstant(unwrap(i))) return;
    auto limit = build_.int_const(build_.type_of(i), size->value());
    build_.trap_if(build_.cmp(Cmp::UGe, i, limit), access, "index out of range");
}

} // namespace mim::backend::llvm
