// SPDX-License-Identifier: MIT
// See checked_emit.h. Each check is the condition under which LLVM takes the operation.
#include "backend/llvm/checked_emit.h"

#include <algorithm>

#include "backend/llvm/target.h"

namespace mim::backend::llvm {

std::string text_of(LLVMTypeRef type) { return type ? "`" + take(LLVMPrintTypeToString(type)) + "`" : std::string("nothing"); }

namespace {

std::string text_of(Value v) { return llvm::text_of(v ? LLVMTypeOf(unwrap(v)) : nullptr); }

std::string join(std::initializer_list<std::string> texts) {
    std::string all;
    size_t i = 0;
    for (auto& text : texts) {
        if (i != 0) all += i + 1 == texts.size() ? " and " : ", ";
        all += text;
        ++i;
    }
    return all;
}

void check(bool ok, std::string_view operation, std::initializer_list<std::string> operands) {
    if (!ok) throw Misuse("asks for `" + std::string(operation) + "` of " + join(operands));
}

LLVMTypeRef llvm_type(Value v) { return v ? LLVMTypeOf(unwrap(v)) : nullptr; }
bool is_vector(LLVMTypeRef t) { return t && LLVMGetTypeKind(t) == LLVMVectorTypeKind; }
bool is_vector(Value v) { return is_vector(llvm_type(v)); }
bool have_one_type(Value a, Value b) { return a && b && llvm_type(a) == llvm_type(b); }
/// As many lanes, or no vectors both.
bool have_one_shape(LLVMTypeRef a, LLVMTypeRef b) {
    if (is_vector(a) != is_vector(b)) return false;
    return !is_vector(a) || LLVMGetVectorSize(a) == LLVMGetVectorSize(b);
}

/// The type of element i of an aggregate; null if it has none.
LLVMTypeRef element(LLVMTypeRef agg, unsigned i) {
    if (!agg) return nullptr;
    auto kind = LLVMGetTypeKind(agg);
    if (kind == LLVMStructTypeKind) return i < LLVMCountStructElementTypes(agg) ? LLVMStructGetTypeAtIndex(agg, i) : nullptr;
    if (kind == LLVMArrayTypeKind) return i < LLVMGetArrayLength2(agg) ? LLVMGetElementType(agg) : nullptr;
    return nullptr;
}

/// Of the values that there are at run time.
std::vector<LLVMTypeRef> llvm_types(Values values) {
    std::vector<LLVMTypeRef> types;
    for (auto value : values)
        if (value) types.push_back(llvm_type(value));
    return types;
}

/// The types of the arguments of an intrinsic that is overloaded on these types.
std::vector<LLVMTypeRef> parameters(LLVMContextRef context, unsigned id, Types types) {
    std::vector<LLVMTypeRef> overloads;
    for (auto type : types) overloads.push_back(unwrap(type));
    auto function = LLVMIntrinsicGetType(context, id, overloads.data(), overloads.size());
    std::vector<LLVMTypeRef> result(LLVMCountParamTypes(function));
    LLVMGetParamTypes(function, result.data());
    return result;
}

std::string list_text(const std::vector<LLVMTypeRef>& types) {
    std::string text;
    for (auto type : types) text += (text.empty() ? "" : ", ") + llvm::text_of(type);
    return text.empty() ? "nothing" : text;
}

constexpr unsigned max_int_bits = 1u << 23; ///< LLVM's

bool is_floating(Bin op) { return op >= Bin::FAdd; }

} // namespace

Type CheckedEmit::elem_type(Value v) { return Type(scalar(llvm_type(v))); }

/*
 * types and constants
 */

Type CheckedEmit::int_type(unsigned bits) {
    check(bits >= 1 && bits <= max_int_bits, "int_type", {std::to_string(bits) + " bits"});
    return below().int_type(bits);
}

Type CheckedEmit::array_type(Type elem, uint64_t n) {
    check(bool(elem), "array_type", {llvm::text_of(unwrap(elem))});
    return below().array_type(elem, n);
}

Type CheckedEmit::vector_type(Type elem, unsigned lanes) {
    bool ok = elem && lanes != 0 && (build_.is_int(elem) || build_.is_float(elem) || build_.is_ptr(elem));
    check(ok, "vector_type", {std::to_string(lanes) + " lanes of " + llvm::text_of(unwrap(elem))});
    return below().vector_type(elem, lanes);
}

Value CheckedEmit::int_const(Type type, uint64_t n) {
    check(type && build_.is_int(Type(scalar(unwrap(type)))), "int_const", {llvm::text_of(unwrap(type))});
    return below().int_const(type, n);
}

Value CheckedEmit::float_bits(Type type, uint64_t bits) {
    check(type && build_.is_float(Type(scalar(unwrap(type)))), "float_bits", {llvm::text_of(unwrap(type))});
    return below().float_bits(type, bits);
}

Value CheckedEmit::zero(Type type) {
    check(bool(type), "zero", {llvm::text_of(unwrap(type))});
    return below().zero(type);
}

Value CheckedEmit::undef(Type type) {
    check(bool(type), "undef", {llvm::text_of(unwrap(type))});
    return below().undef(type);
}

/*
 * operations
 */

Value CheckedEmit::bin(Bin op, Value a, Value b, uint32_t flags) {
    bool ok = have_one_type(a, b) && (is_floating(op) ? is_float_like(a) : is_int_like(a));
    check(ok, "bin", {text_of(a), text_of(b)});
    return below().bin(op, a, b, flags);
}

Value CheckedEmit::cmp(Cmp op, Value a, Value b) {
    bool ok = have_one_type(a, b) && (is_int_like(a) || build_.is_ptr(elem_type(a)));
    check(ok, "cmp", {text_of(a), text_of(b)});
    return below().cmp(op, a, b);
}

Value CheckedEmit::fcmp(FCmp op, Value a, Value b, uint32_t flags) {
    check(have_one_type(a, b) && is_float_like(a), "fcmp", {text_of(a), text_of(b)});
    return below().fcmp(op, a, b, flags);
}

Value CheckedEmit::cast(Cast op, Value value, Type to) {
    auto refuse = [&] { check(false, "cast", {text_of(value), llvm::text_of(unwrap(to))}); };
    if (!value || !to) refuse();
    if (build_.type_of(value) == to) return value;
    auto from = elem_type(value);
    auto into = Type(scalar(unwrap(to)));
    bool i_f = build_.is_int(from), i_t = build_.is_int(into);
    bool f_f = build_.is_float(from), f_t = build_.is_float(into);
    bool p_f = build_.is_ptr(from), p_t = build_.is_ptr(into);
    auto bits = [&](Type t) { return build_.bits(t); };
    bool ok   = have_one_shape(llvm_type(value), unwrap(to));
    switch (op) {
        case Cast::ZExt:
        case Cast::SExt: ok &= i_f && i_t && bits(from) < bits(into); break;
        case Cast::Trunc: ok &= i_f && i_t && bits(from) > bits(into); break;
        case Cast::PtrToInt: ok &= p_f && i_t; break;
        case Cast::IntToPtr: ok &= i_f && p_t; break;
        case Cast::Bit: ok = build_.size_of(build_.type_of(value)) == build_.size_of(to); break;
        case Cast::FPTrunc: ok &= f_f && f_t && bits(from) > bits(into); break;
        case Cast::FPExt: ok &= f_f && f_t && bits(from) < bits(into); break;
        case Cast::SIToFP:
        case Cast::UIToFP: ok &= i_f && f_t; break;
        case Cast::FPToSI:
        case Cast::FPToUI: ok &= f_f && i_t; break;
    }
    if (!ok) refuse();
    return below().cast(op, value, to);
}

Value CheckedEmit::select(Value cond, Value on_true, Value on_false) {
    bool is_empty = !on_true && !on_false;
    bool ok       = is_flag(cond) && (is_empty || have_one_type(on_true, on_false));
    if (ok && is_vector(cond)) ok = have_one_shape(llvm_type(cond), llvm_type(on_true));
    check(ok, "select", {text_of(cond), text_of(on_true), text_of(on_false)});
    return below().select(cond, on_true, on_false);
}

Value CheckedEmit::fneg(Value value, uint32_t flags) {
    check(is_float_like(value), "fneg", {text_of(value)});
    return below().fneg(value, flags);
}

Value CheckedEmit::resize(Value value, Type to) {
    auto is_one = [&](Type t) { return build_.is_int(t) || build_.is_ptr(t); };
    bool ok     = value && to && have_one_shape(llvm_type(value), unwrap(to));
    if (ok && build_.type_of(value) != to) ok = is_one(elem_type(value)) && is_one(Type(scalar(unwrap(to))));
    check(ok, "resize", {text_of(value), llvm::text_of(unwrap(to))});
    return below().resize(value, to);
}

Value CheckedEmit::intrinsic(std::string_view name, Types types, Values args, uint32_t flags) {
    auto id     = LLVMLookupIntrinsicID(name.data(), name.size());
    auto ticked = "`" + std::string(name) + "`";
    check(id != 0, "intrinsic", {ticked + ", which LLVM lacks"});
    check(!types.empty() || !LLVMIntrinsicIsOverloaded(id), "intrinsic", {ticked + " without types"});
    auto wanted = parameters(build_.context(), id, types);
    auto given  = llvm_types(args);
    check(wanted == given, "intrinsic", {ticked + " with " + list_text(given) + ", which takes " + list_text(wanted)});
    return below().intrinsic(name, types, args, flags);
}

/*
 * aggregates and vectors
 */

Value CheckedEmit::extract_value(Value agg, unsigned i) {
    check(element(llvm_type(agg), i), "extract_value", {"element " + std::to_string(i) + " of " + text_of(agg)});
    return below().extract_value(agg, i);
}

Value CheckedEmit::insert_value(Value agg, Value elem, unsigned i) {
    bool ok = elem && element(llvm_type(agg), i) == llvm_type(elem);
    check(ok, "insert_value", {text_of(elem) + " as element " + std::to_string(i) + " of " + text_of(agg)});
    return below().insert_value(agg, elem, i);
}

Value CheckedEmit::extract_lane(Value vec, Value i) {
    check(is_vector(vec) && is_int_like(i) && !is_vector(i), "extract_lane", {text_of(vec), text_of(i)});
    return below().extract_lane(vec, i);
}

Value CheckedEmit::insert_lane(Value vec, Value elem, Value i) {
    bool ok = is_vector(vec) && scalar(llvm_type(vec)) == llvm_type(elem) && is_int_like(i) && !is_vector(i);
    check(ok, "insert_lane", {text_of(vec), text_of(elem), text_of(i)});
    return below().insert_lane(vec, elem, i);
}

Value CheckedEmit::lanes(Values elems) {
    check(!elems.empty(), "lanes", {"no elements"});
    for (auto elem : elems) check(have_one_type(elems.front(), elem), "lanes", {text_of(elems.front()), text_of(elem)});
    return below().lanes(elems);
}

Value CheckedEmit::splat(Value elem, unsigned lanes) {
    check(elem && lanes != 0 && !is_vector(elem), "splat", {std::to_string(lanes) + " lanes of " + text_of(elem)});
    return below().splat(elem, lanes);
}

Value CheckedEmit::shuffle(Value a, Value b, std::span<const int> mask) {
    bool ok = is_vector(a) && have_one_type(a, b) && !mask.empty();
    check(ok, "shuffle", {text_of(a), text_of(b)});
    auto lanes = int(2 * LLVMGetVectorSize(llvm_type(a)));
    for (int i : mask) check(i < lanes, "shuffle", {"lane " + std::to_string(i) + " of two " + text_of(a)});
    return below().shuffle(a, b, mask);
}

/*
 * memory
 */

Value CheckedEmit::load(Type type, Value ptr, Access access) {
    check(!type || is_pointer(ptr), "load", {llvm::text_of(unwrap(type)) + " at " + text_of(ptr)});
    return below().load(type, ptr, access);
}

void CheckedEmit::store(Value value, Value ptr, Access access) {
    check(!value || is_pointer(ptr), "store", {text_of(value) + " at " + text_of(ptr)});
    below().store(value, ptr, access);
}

Value CheckedEmit::gep(Type elem, Value ptr, Value i) {
    check(!elem || (ptr && build_.is_ptr(elem_type(ptr)) && (!i || is_int_like(i))), "gep", {text_of(ptr), text_of(i)});
    return below().gep(elem, ptr, i);
}

Value CheckedEmit::byte_gep(Value ptr, Value bytes) {
    check(is_pointer(ptr) && (!bytes || is_int_like(bytes)), "byte_gep", {text_of(ptr), text_of(bytes)});
    return below().byte_gep(ptr, bytes);
}

Value CheckedEmit::field_ptr(Type struct_type, Value ptr, unsigned field) {
    bool ok = struct_type && is_struct(struct_type) && is_pointer(ptr) && element(unwrap(struct_type), field);
    check(ok, "field_ptr",
          {"field " + std::to_string(field) + " of " + llvm::text_of(unwrap(struct_type)) + " at " + text_of(ptr)});
    return below().field_ptr(struct_type, ptr, field);
}

Value CheckedEmit::masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access access) {
    bool ok = vec && is_vector(unwrap(vec)) && is_pointer(ptr) && is_flag(mask) && have_one_shape(unwrap(vec), llvm_type(mask))
              && llvm_type(otherwise) == unwrap(vec);
    check(ok, "masked_load", {llvm::text_of(unwrap(vec)), text_of(ptr), text_of(mask), text_of(otherwise)});
    return below().masked_load(vec, ptr, mask, otherwise, access);
}

void CheckedEmit::masked_store(Value vec, Value ptr, Value mask, Access access) {
    bool ok = is_vector(vec) && is_pointer(ptr) && is_flag(mask) && have_one_shape(llvm_type(vec), llvm_type(mask));
    check(ok, "masked_store", {text_of(vec), text_of(ptr), text_of(mask)});
    below().masked_store(vec, ptr, mask, access);
}

/*
 * control flow
 */

/// A block that has ended takes no more code.
void CheckedEmit::check_open(std::string_view operation) {
    bool has_ended = std::ranges::find(ended_, LLVMGetInsertBlock(build_.ref())) != ended_.end();
    check(!has_ended, operation, {"a block that has ended"});
}

Block CheckedEmit::new_block(std::string_view name) {
    auto block = below().new_block(name);
    made_.push_back(unwrap(block));
    return block;
}

void CheckedEmit::enter(Block block) {
    check(block.get(), "enter", {"nothing"});
    below().enter(block);
    check_open("enter");
}

void CheckedEmit::jump(Block block) {
    check(block.get(), "jump", {"nothing"});
    check_open("jump");
    ended_.push_back(LLVMGetInsertBlock(build_.ref()));
    below().jump(block);
}

CheckedEmit::Mark CheckedEmit::begin() { return {LLVMGetInsertBlock(build_.ref()), made_.size(), ended_.size()}; }

void CheckedEmit::end(const Mark& mark) {
    auto current = LLVMGetInsertBlock(build_.ref());
    auto has_end = [](LLVMBasicBlockRef block) { return LLVMGetBasicBlockTerminator(block) != nullptr; };
    for (size_t i = mark.ended; i != ended_.size(); ++i) {
        if (!has_end(ended_[i])) throw Misuse("puts code behind the end of a block");
        if (ended_[i] == current) throw Misuse("goes on in a block that has ended");
    }
    bool is_whole = mark.start == current || has_end(mark.start);
    for (size_t i = mark.made; i != made_.size(); ++i) is_whole &= made_[i] == current || has_end(made_[i]);
    if (!is_whole) throw Misuse("leaves a block without an end");
    made_.resize(mark.made);
    ended_.resize(mark.ended);
}

void CheckedEmit::trap_if(Value cond, const Def* at, std::string_view what, Values numbers) {
    check(is_flag(cond) && !is_vector(cond), "trap_if", {text_of(cond)});
    for (auto number : numbers) check(number && is_int(type_of(number)) && !is_vector(number), "trap_if", {text_of(number)});
    below().trap_if(cond, at, what, numbers);
}

void CheckedEmit::branch(Value cond, Block yes, Block no) {
    check(is_flag(cond) && !is_vector(cond) && yes.get() && no.get(), "branch", {text_of(cond)});
    check_open("branch");
    ended_.push_back(LLVMGetInsertBlock(build_.ref()));
    below().branch(cond, yes, no);
}

Value CheckedEmit::phi(Type type, std::span<const std::pair<Value, Block>> incoming) {
    for (auto& [value, block] : incoming)
        check(llvm_type(value) == unwrap(type) && block.get(), "phi", {llvm::text_of(unwrap(type)), text_of(value)});
    return below().phi(type, incoming);
}

} // namespace mim::backend::llvm
