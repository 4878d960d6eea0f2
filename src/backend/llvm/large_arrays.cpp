// SPDX-License-Identifier: MIT
// Large arrays of literal extents (ir/large_arrays.h) inside of tuples and unions, whose values have their addresses
// where memory has their elements; as data of the program; and with other elements.
#include "backend/llvm/arrays.h"

#include "analysis/pointee.h"
#include "backend/llvm/constants.h"
#include "backend/llvm/conversions.h"
#include "backend/llvm/expressions.h"

namespace mim::backend::llvm {

/*
 * between values and memory
 */

/// Of an element that has a run-time value.
Value Arrays::part_ptr(const Def* sigma, Value ptr, size_t i) {
    if (types_.num_fields(sigma) == 1) return ptr;
    return build_.field_ptr(types_.memory(sigma), ptr, unsigned(types_.field_of(sigma, i)));
}

/// The type of each of the alternatives, which agree, or the type itself.
static const Def* without_choice(const Def* type) {
    while (auto extract = type->isa<Extract>()) type = extract->tuple()->op(0);
    return type;
}

Value Arrays::read_parts(const Def* def, Value ptr, bool stays) {
    auto type = without_choice(def);
    if (type->isa<Arr>()) return value_at(type, ptr, {}, stays);
    if (type->isa<Union>()) return read_union(type, ptr, stays);
    std::vector<Value> parts;
    for (size_t i = 0; i != type->num_ops(); ++i)
        if (types_.lower(type->op(i))) parts.push_back(value_at(type->op(i), part_ptr(type, ptr, i), {}, stays));
    return build_.aggregate(parts);
}

void Arrays::write_parts(const Def* def, Value value, Value ptr) {
    auto type = without_choice(def);
    if (type->isa<Arr>()) return write(type, value, ptr, {});
    if (type->isa<Union>()) return write_union(type, value, ptr);
    for (size_t i = 0; i != type->num_ops(); ++i)
        if (types_.lower(type->op(i))) write(type->op(i), conversions_.project(value, type, i), part_ptr(type, ptr, i), {});
}

/// Nobody knows which member of a union it is; any will do.
Value Arrays::unwritten_parts(const Def* def) {
    auto type = without_choice(def);
    if (is_by_address(type)) return unwritten(type);
    if (auto arr = type->isa<Arr>()) {
        std::vector<LLVMValueRef> elems;
        for (int64_t i = 0, n = lit_arity(ctx_.world, arr); i < n; ++i) elems.push_back(unwrap(unwritten(arr->body())));
        return build_.fill(unwrap(types_.type(arr)), elems);
    }
    if (type->isa<Union>()) {
        auto t     = types_.type(type);
        auto place = build_.alloca_(t);
        build_.store(build_.zero(Type(LLVMStructGetTypeAtIndex(unwrap(t), 0))), place, {});
        build_.store(unwritten(type->op(0)), build_.field_ptr(t, place, 1), {});
        return spills_.unspill(t, place);
    }
    std::vector<Value> parts;
    for (auto op : type->ops())
        if (types_.lower(op)) parts.push_back(unwritten(op));
    return build_.aggregate(parts);
}

/// Brings the payload that the tag tells between a value at `place` and memory.
void Arrays::for_each_member(const Def* type, Value tag, Value place, Value in_memory, const PutPart& put) {
    auto payload      = build_.field_ptr(types_.type(type), place, 1);
    auto its_elements = build_.field_ptr(types_.memory(type), in_memory, 1);
    auto exit         = build_.new_block("moved");
    for (size_t i = 0; i != type->num_ops(); ++i) {
        auto here = build_.new_block("member"), next = build_.new_block("other");
        build_.branch(build_.cmp(Cmp::Eq, tag, build_.int_const(build_.type_of(tag), i)), here, next);
        build_.enter(here);
        if (types_.lower(type->op(i))) put(type->op(i), payload, its_elements);
        build_.jump(exit);
        build_.enter(next);
    }
    build_.jump(exit); // the memory may hold anything where nobody asks for the value
    build_.enter(exit);
}

Value Arrays::read_union(const Def* type, Value ptr, bool stays) {
    auto t     = types_.type(type);
    auto place = build_.alloca_(t);
    auto tag   = build_.load(Type(LLVMStructGetTypeAtIndex(unwrap(t), 0)), ptr, {});
    build_.store(tag, place, {});
    for_each_member(type, tag, place, ptr, [&](const Def* member, Value payload, Value in_memory) {
        build_.store(value_at(member, in_memory, {}, stays), payload, {});
    });
    return spills_.unspill(t, place);
}

void Arrays::write_union(const Def* type, Value value, Value ptr) {
    auto tag   = build_.extract_value(value, 0);
    auto place = spills_.spill(value);
    build_.store(tag, ptr, {});
    for_each_member(type, tag, place, ptr, [&](const Def* member, Value payload, Value in_memory) {
        write(member, build_.load(types_.type(member), payload, {}), in_memory, {});
    });
}

/*
 * data of the program
 */

/// The form of `def` in memory of the type `type`, if it is written down; else null.
LLVMValueRef Arrays::constant(const Def* def, const Def* type) {
    bool is_scalar       = def->isa<Lit>() || makes_constant(def);
    bool is_written_down = is_scalar || def->isa<Tuple>() || def->isa<Pack>();
    if (!is_written_down || !types_.lower(type) || !types_.have_one_layout(def->type(), type)) return nullptr;
    if (is_scalar) {
        auto value = unwrap(values_.emit(def));
        return LLVMIsConstant(value) ? value : nullptr;
    }
    if (auto arr = type->isa<Arr>()) return constant_array(def, arr);
    if (!def->isa<Tuple>() || !type->isa<Sigma>()) return nullptr;
    std::vector<LLVMValueRef> parts;
    for (size_t i = 0; i != def->num_ops(); ++i) {
        if (!types_.lower(type->op(i))) continue;
        auto part = constant(def->op(i), type->op(i));
        if (!part) return nullptr;
        parts.push_back(part);
    }
    if (parts.size() == 1) return parts.front();
    return LLVMConstStructInContext(build_.context(), parts.data(), unsigned(parts.size()), false);
}

/// Packs of any size can be written down.
LLVMValueRef Arrays::constant_array(const Def* def, const Arr* arr) {
    constexpr uint64_t max_pack = 1 << 20;
    std::vector<LLVMValueRef> parts;
    if (arr->var()) return nullptr;
    if (auto pack = def->isa<Pack>()) {
        auto n    = isa_lit(pack->arity());
        auto part = n && !pack->var() ? constant(pack->body(), arr->body()) : nullptr;
        if (part && LLVMIsNull(part)) return LLVMConstNull(types_.lower_memory(arr));
        if (!part || n->value() > max_pack) return nullptr;
        parts.assign(n->value(), part);
    }
    for (size_t i = 0; def->isa<Tuple>() && i != def->num_ops(); ++i) {
        parts.push_back(constant(def->op(i), arr->body()));
        if (!parts.back()) return nullptr;
    }
    return LLVMConstArray2(types_.lower_memory(arr->body()), parts.data(), parts.size());
}

/// Zeros take no room in the object file where they are no constants.
Value Arrays::data(const Def* def) {
    if (auto known = data_.find(def); known != data_.end()) return Value(known->second);
    auto value = constant(def, def->type());
    if (!value) return def->isa<Pack>() ? pack(def->as<Pack>()) : of(def, def->ops());
    auto global = constant_global(build_.module(), value, "array");
    LLVMSetGlobalConstant(global, !LLVMIsNull(value));
    LLVMSetAlignment(global, LLVMPreferredAlignmentOfType(build_.data(), LLVMTypeOf(value)));
    data_[def] = global;
    return Value(global);
}

/// Elements that are written down are copied to `memory` together, if there are some. Yields the places of the others.
std::vector<size_t> Arrays::put_constants(const Arr* arr, Defs elems, Value memory) {
    constexpr size_t few = 16;
    std::vector<LLVMValueRef> parts(elems.size());
    size_t num_constant = 0;
    for (size_t i = 0; is_large_array(arr) && !arr->var() && i != elems.size(); ++i) {
        parts[i] = constant(elems[i], arr->body());
        num_constant += parts[i] != nullptr;
    }
    std::vector<size_t> rest;
    for (size_t i = 0; i != elems.size(); ++i)
        if (num_constant < few || !parts[i]) rest.push_back(i);
    if (num_constant < few) return rest;
    auto elem = types_.lower_memory(arr->body());
    for (auto i : rest) parts[i] = LLVMGetUndef(elem);
    auto all = LLVMConstArray2(elem, parts.data(), parts.size());
    copy_elements(arr, Value(constant_global(build_.module(), all, "elements")), memory);
    return rest;
}

/*
 * arrays of other elements
 */

/// Elements of `from` may take no room, and then there is no `v`. One of the types is a large array, which says how
/// many there are.
Value Arrays::convert_elements(Value v, const Def* from, const Def* to) {
    auto a = innermost(from), b = innermost(to);
    auto counted = is_large_array(to) ? to : from;
    auto count   = build_.size_of(types_.memory(counted)) / build_.size_of(types_.memory(innermost(counted)));
    auto result  = make(to);
    for_each(build_.i64(count), false, [&](Value i) {
        auto element = v ? read(a, build_.gep(types_.memory(a), v, i), {}) : Value();
        write(b, conversions_.convert(element, a, b), build_.gep(types_.memory(b), result, i), {});
    });
    return result;
}

} // namespace mim::backend::llvm
