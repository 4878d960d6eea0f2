// SPDX-License-Identifier: MIT
// See arrays.h.
#include "backend/llvm/arrays.h"

#include "analysis/in_place.h"
#include "analysis/pointee.h"
#include "backend/llvm/attributes.h"
#include "backend/llvm/constants.h"
#include "backend/llvm/conversions.h"
#include "backend/llvm/expressions.h"
#include "backend/llvm/unions.h"

namespace mim::backend::llvm {

/*
 * memory
 */

LLVMTypeRef Arrays::element_type(const Def* type) { return types_.lower_memory(innermost(type)); }

const ArrayMemory* Arrays::memory_of(const Def* def) const {
    auto fn = ctx_.frame.fn;
    if (!fn) return nullptr;
    auto memory = fn->array_memory.find(def);
    return memory == fn->array_memory.end() ? nullptr : &memory->second;
}

/// There is room for one element also in an empty array: what nobody asks for may be read there.
Value Arrays::make(const Def* type, const ArrayMemory* memory) {
    bool is_numbers = is_plain(element_type(type));
    auto row        = memory && memory->sink ? memory->sink->isa<Insert>() : nullptr;
    if (row) return room_in_array(row);
    if (!is_numbers || !activation_memory_.exists()) return room(type, nullptr);
    bool is_stored = memory && memory->sink && is_sink(memory->sink);
    return is_stored ? room_in_memory(type, *memory) : room(type, memory);
}

/// Memory of the activation, or of the collector.
Value Arrays::room(const Def* type, const ArrayMemory* memory) {
    auto elem  = element_type(type);
    auto least = build_.i64(build_.size_of(Type(elem)));
    auto slot  = memory && !is_open_array(type) ? activation_memory_.slot(memory->line, types_.memory(type)) : Value();
    if (slot) return slot;
    auto bytes = build_.umax(addresses_.room_for(type), least);
    return memory ? activation_memory_.room(memory->line, bytes) : heap_.collected(bytes, is_plain(elem));
}

/// The row that the update will replace.
Value Arrays::room_in_array(const Insert* insert) {
    auto arr = insert->type()->as<Arr>();
    return addresses_.element(arr, conversions_.as(insert->tuple(), arr), index_of(arr, insert->index()));
}

/// Memory at `ptr` that nobody else looks at until end().
Value Arrays::begun(Value ptr) {
    auto array = build_.call(ctx_.program.collector()->begin_array, build_.ptr_type(0), {ptr});
    add_call_attribute(unwrap(array), LLVMAttributeReturnIndex, "noalias");
    return array;
}

/// Where the array is to be stored, if that is nowhere where others are that are looked at meanwhile.
Value Arrays::room_in_memory(const Def* type, const ArrayMemory& memory) {
    auto ptr   = values_.emit(isa_store(ctx_.world, memory.sink)->ptr);
    auto there = build_.new_block("there"), elsewhere = build_.new_block("elsewhere"), made = build_.new_block("made");
    build_.branch(is_apart(type, ptr, memory.apart), there, elsewhere);
    build_.enter(there);
    auto array = memory.is_update ? ptr : begun(ptr); // others read what is updated
    build_.jump(made);
    build_.enter(elsewhere);
    auto other     = room(type, &memory);
    auto last_else = build_.current();
    build_.jump(made);
    build_.enter(made);
    std::pair<Value, backend::Block> ways[] = {{array, there}, {other, last_else}};
    return build_.phi(build_.ptr_type(0), ways);
}

/// And whether it has any elements: there may be no memory for those of an empty array.
Value Arrays::is_apart(const Def* type, Value ptr, const std::vector<const Def*>& others) {
    auto word   = build_.int_type(64);
    auto begin  = build_.resize(ptr, word);
    auto bytes  = addresses_.bytes_of_value(type);
    auto end    = build_.bin(Bin::Add, begin, bytes);
    auto result = build_.cmp(Cmp::Ne, bytes, build_.i64(0));
    for (auto other : others) {
        auto behind    = pointee(other->type());
        auto its_begin = build_.resize(values_.emit(other), word);
        auto its_end   = build_.bin(Bin::Add, its_begin, addresses_.bytes_of_value(behind ? behind : other->type()));
        auto is_before = build_.cmp(Cmp::ULe, end, its_begin);
        auto is_behind = build_.cmp(Cmp::ULe, its_end, begin);
        result         = build_.bin(Bin::And, result, build_.bin(Bin::Or, is_before, is_behind));
    }
    return result;
}

bool Arrays::is_sink(const Def* store) {
    auto fn      = ctx_.frame.fn;
    auto runtime = ctx_.program.collector();
    bool may_be  = fn && fn->sinks.contains(store) && runtime && !runtime->begin_array.empty() && !build_.checked();
    if (!may_be) return false;
    auto view = isa_store(ctx_.world, store);
    return types_.type(view->ptr->type()) == build_.ptr_type(0) && is_plain(element_type(view->value->type()));
}

void Arrays::end(const Def* type, Value array, Value ptr) {
    build_.call(ctx_.program.collector()->end_array, {}, {ptr, array, addresses_.bytes_of_value(type)});
}

Value Arrays::unwritten(const Def* type) {
    if (is_by_address(type)) return make(type);
    if (holds_by_address(type)) return unwritten_parts(type);
    auto t = types_.type(type);
    return t ? build_.undef(t) : Value();
}

/// Data that is zeros: see Arrays::data.
static bool is_zeros(Value array) {
    auto global = LLVMIsAGlobalVariable(unwrap(array));
    auto data   = global ? LLVMGetInitializer(global) : nullptr;
    return data && LLVMIsNull(data);
}

Value Arrays::copy(const Def* type, Value array, const ArrayMemory* memory) {
    auto result = make(type, memory);
    if (memory && memory->is_update) copy_if_elsewhere(type, array, result);
    else copy_elements(type, array, result);
    return result;
}

void Arrays::copy_if_elsewhere(const Def* type, Value from, Value to) {
    auto copies = build_.new_block("copies"), there = build_.new_block("there");
    build_.branch(build_.cmp(Cmp::Ne, from, to), copies, there);
    build_.enter(copies);
    copy_elements(type, from, to);
    build_.jump(there);
    build_.enter(there);
}

/// Of a copy that is needed: what `-v` says.
void Arrays::note_copy(const Def* at, const Def* type, const ArrayMemory* memory, const char* why) {
    bool is_needed = !memory || !memory->is_update;
    if (is_needed) ctx_.reports.copied(at, type, why);
}

Value Arrays::copied(const Def* arg, const Def* type, const BasicBlock& from, const Def* param) {
    auto known  = from.array_memory.find(param);
    auto memory = known == from.array_memory.end() ? nullptr : &known->second;
    if (is_unwritten(arg)) return make(type, memory);
    note_copy(arg, type, memory, "a loop or a block changes it, and others may read it");
    return copy(arg->type(), conversions_.as(arg, type), memory);
}

void Arrays::copy_elements(const Def* type, Value from, Value to) {
    auto align = unsigned(build_.align_of(Type(element_type(type))));
    auto bytes = addresses_.bytes_of_value(type);
    if (is_zeros(from)) {
        LLVMBuildMemSet(build_.ref(), unwrap(to), unwrap(build_.int_const(build_.int_type(8), 0)), unwrap(bytes), align);
        return;
    }
    LLVMBuildMemMove(build_.ref(), unwrap(to), align, unwrap(from), align, unwrap(bytes)); // a view may overlap
}

Value Arrays::read(const Def* type, Value ptr, Access access) { return value_at(type, ptr, access, false); }

Value Arrays::value_at(const Def* type, Value ptr, Access access, bool stays) {
    types_.check_memory(type);
    if (is_by_address(type) && stays) return ptr;
    if (is_by_address(type)) {
        ctx_.reports.copied(ctx_.frame.place, type, "it is loaded, and memory may change before it is read");
        return copy(type, ptr);
    }
    return holds_large_array(type) ? read_parts(type, ptr, stays) : build_.load(types_.type(type), ptr, access);
}

bool Arrays::is_view(const Def* load) const {
    auto fn = ctx_.frame.fn;
    return fn && fn->views.contains(load);
}

/// Of an empty array somebody may look at an element that nobody needs, and there may be no memory behind the pointer.
Value Arrays::view(const Def* type, Value ptr) {
    if (!is_open_array(type)) return ptr;
    auto elem     = element_type(type);
    auto nothing  = Value(constant_global(build_.module(), LLVMConstNull(elem), "nothing"));
    auto is_empty = build_.cmp(Cmp::Eq, addresses_.bytes_of_value(type), build_.i64(0));
    return build_.select(is_empty, nothing, ptr);
}

void Arrays::write(const Def* type, Value value, Value ptr, Access access) {
    if (is_by_address(type)) copy_elements(type, value, ptr);
    else if (holds_large_array(type)) write_parts(type, value, ptr);
    else build_.store(value, ptr, access);
}

/*
 * making arrays
 */

/// The code of `body` is in a loop, which gives it the index.
void Arrays::for_each(const Def* arity, const std::function<void(Value)>& body) {
    for_each(values_.emit(arity), !isa_lit(arity), body);
}

void Arrays::for_each(Value size, bool may_be_empty, const std::function<void(Value)>& body) {
    auto head = build_.new_block("pack"), exit = build_.new_block("packed");
    auto from = build_.current();
    if (!may_be_empty) build_.jump(head);
    else build_.branch(build_.cmp(Cmp::Ne, size, build_.i64(0)), head, exit);
    build_.enter(head);
    auto i    = LLVMBuildPhi(build_.ref(), unwrap(build_.int_type(64)), "i");
    auto mark = scope_.mark();
    body(Value(i));
    scope_.leave(mark);
    auto next = build_.bin(Bin::Add, Value(i), build_.i64(1), NUW);
    auto back = build_.current();
    build_.branch(build_.cmp(Cmp::ULt, next, size), head, exit);
    LLVMValueRef values[]      = {unwrap(build_.i64(0)), unwrap(next)};
    LLVMBasicBlockRef blocks[] = {unwrap(from), unwrap(back)};
    LLVMAddIncoming(i, values, blocks, 2);
    build_.enter(exit);
}

/// An array by address stays where `put` brought its elements.
Value Arrays::filled(const Arr* arr, const ArrayMemory* room, const std::function<void(Value)>& put) {
    if (is_by_address(arr)) {
        auto memory = make(arr, room);
        put(memory);
        return memory;
    }
    auto type   = types_.type(arr);
    auto memory = build_.alloca_(type);
    put(memory);
    return spills_.unspill(type, memory);
}

Value Arrays::fill(const Def* type, const std::function<Value(Value)>& element) {
    auto arr = type->as<Arr>();
    return filled(arr, nullptr, [&](Value memory) {
        for_each(arr->arity(), [&](Value i) {
            auto value = element(i);
            write(arr->body(), value, addresses_.element(arr, memory, i), {});
        });
    });
}

Value Arrays::pack(const Pack* pack) {
    auto arr = pack->type()->as<Arr>();
    return filled(arr, memory_of(pack), [&](Value memory) { put_elements(pack, arr, memory); });
}

/// The elements are evaluated inside of the loop: the schedule does not look into binders.
void Arrays::put_elements(const Pack* pack, const Arr* arr, Value ptr) {
    for_each(pack->arity(), [&](Value i) {
        if (auto var = pack->var()) {
            auto type = types_.type(var->type());
            scope_.set(var, type ? build_.resize(i, type) : Value());
        }
        put(pack->body(), elem_decl(ctx_.world, arr, 0), addresses_.element(arr, ptr, i));
    });
}

/// Evaluates `def` to where it is to lie. A row is filled there.
void Arrays::put(const Def* def, const Def* type, Value ptr) {
    auto row = def->isa<Pack>();
    if (row && is_by_address(type) && !is_constant_array(def) && !scope_.contains(def))
        return put_elements(row, type->as<Arr>(), ptr);
    write(type, conversions_.as(def, type), ptr, {});
}

Value Arrays::of(const Def* def, Defs elems) {
    auto arr    = def->type()->as<Arr>();
    auto result = make(arr, memory_of(def));
    for (auto i : put_constants(arr, elems, result))
        put(elems[i], elem_decl(ctx_.world, arr, i), addresses_.element(arr, result, build_.i64(i)));
    return result;
}

Value Arrays::of(const Def* type, Values elems) {
    auto arr    = type->as<Arr>();
    auto result = make(type);
    for (size_t i = 0; i != elems.size(); ++i)
        write(elem_decl(ctx_.world, arr, i), elems[i], addresses_.element(arr, result, build_.i64(i)), {});
    return result;
}

/*
 * elements
 */

Value Arrays::element(const Arr* arr, Value array, Value index) {
    auto ptr = addresses_.element(arr, array, index);
    return is_by_address(arr->body()) ? ptr : read(arr->body(), ptr, {});
}

Value Arrays::project(Value array, const Def* type, uint64_t i) { return element(type->as<Arr>(), array, build_.i64(i)); }

Value Arrays::index_of(const Arr* arr, const Def* index) {
    if (auto lit = isa_lit(index); lit && isa_lit(arr->arity())) return build_.i64(lit->value());
    return addresses_.in_range(arr, index);
}

Value Arrays::extract(const Extract* extract) {
    auto arr   = extract->tuple()->type()->as<Arr>();
    auto array = values_.emit(extract->tuple());
    auto index = index_of(arr, extract->index());
    bool stays = is_constant_array(extract->tuple()) && !is_by_address(arr->body());
    auto value = stays ? value_at(arr->body(), addresses_.element(arr, array, index), {}, true) : element(arr, array, index);
    return conversions_.convert(value, arr->body(), extract->type());
}

bool Arrays::is_row_view(const Def* def) const {
    auto fn = ctx_.frame.fn;
    return fn && fn->row_views.contains(def);
}

bool Arrays::is_row_in_memory(const Def* def) {
    auto row = def->isa<Extract>();
    if (!row || (scope_.contains(row) && !is_row_view(row))) return false;
    auto arr    = row->tuple()->type()->isa<Arr>();
    bool is_row = arr && def->type()->isa<Arr>() && arr->body() == def->type() && !is_by_address(def->type());
    return is_row && (is_by_address(arr) || is_row_in_memory(row->tuple()));
}

Value Arrays::row_address(const Extract* row) {
    auto arr = row->tuple()->type()->as<Arr>();
    addresses_.check(row, row->index());
    if (is_by_address(arr)) return addresses_.element(arr, values_.emit(row->tuple()), index_of(arr, row->index()));
    return element_of_row(row);
}

Value Arrays::element_of_row(const Extract* extract) {
    auto row   = extract->tuple()->as<Extract>();
    auto index = addresses_.in_range(extract->index());
    return addresses_.element(row->type()->as<Arr>(), row_address(row), index ? index : build_.i64(0));
}

Value Arrays::extract_of_row(const Extract* extract) {
    auto arr   = extract->tuple()->type()->as<Arr>();
    auto value = read(arr->body(), element_of_row(extract), {});
    return conversions_.convert(value, arr->body(), extract->type());
}

bool Arrays::is_in_place(const Insert* insert) const {
    auto fn = ctx_.frame.fn;
    return fn && fn->in_place.contains(insert);
}

/// Copies the row, if it was not made where it is to be.
void Arrays::put_row(const Def* row, const Def* type, Value ptr) { copy_if_elsewhere(type, values_.emit(row), ptr); }

/// Puts what an update of a row replaces into the row at `ptr`, which holds all else.
void Arrays::put_update(const Insert* row, Value ptr) {
    auto arr     = row->type()->as<Arr>();
    auto element = addresses_.element(arr, ptr, index_of(arr, row->index()));
    auto inner   = row->value()->isa<Insert>();
    if (inner && updates_part(inner, row)) put_update(inner, element);
    else put(row->value(), arr->body(), element);
}

/// An update of a row that is a value for itself otherwise, and has the same form in memory.
bool Arrays::updates_part(const Insert* row, const Insert* whole) {
    auto type     = whole->type()->as<Arr>()->body();
    bool is_value = row->type()->isa<Arr>() && !holds_by_address(type);
    return is_value && updates_row(row, whole) && types_.have_one_layout(row->type(), type);
}

Value Arrays::insert(const Insert* insert) {
    auto arr       = insert->type()->as<Arr>();
    auto memory    = memory_of(insert);
    auto result    = is_unwritten(insert->tuple()) ? make(arr, memory) : conversions_.as(insert->tuple(), arr);
    bool is_update = is_in_place(insert);
    if (!is_update && !is_unwritten(insert->tuple())) {
        note_copy(insert, arr, memory, "an element is replaced, and what it was before may still be read");
        result = copy(arr, result, memory);
    }
    auto row = is_update ? insert->value()->isa<Insert>() : nullptr;
    if (row && is_in_place(row) && updates_row(row, insert)) return result; // it has been updated
    auto ptr = addresses_.element(arr, result, index_of(arr, insert->index()));
    if (row && updates_part(row, insert)) put_update(row, ptr);
    else if (ctx_.frame.fn && ctx_.frame.fn->sinks.contains(insert)) put_row(insert->value(), arr->body(), ptr);
    else put(insert->value(), arr->body(), ptr);
    return result;
}

/*
 * arrays of one length as arrays of another
 */

bool Arrays::is_other(const Def* from, const Def* to) {
    if (from == to || !holds_by_address(from) || !holds_by_address(to)) return false;
    if (is_by_address(from) || is_by_address(to)) {
        auto a = innermost(from), b = innermost(to);
        return types_.lower_memory(a) != types_.lower_memory(b) || is_other(a, b);
    }
    if (from->isa<Union>() || to->isa<Union>()) return types_.lower_memory(from) != types_.lower_memory(to);
    auto n = lit_arity(ctx_.world, from);
    for (int64_t i = 0; i < n; ++i)
        if (is_other(elem_decl(ctx_.world, from, size_t(i)), elem_decl(ctx_.world, to, size_t(i)))) return true;
    return false;
}

Value Arrays::convert(Value v, const Def* from, const Def* to) {
    bool from_open = is_by_address(from), to_open = is_by_address(to);
    bool has_count = is_large_array(from) || is_large_array(to);
    auto a = innermost(from), b = innermost(to);
    bool is_same = element_type(from) == element_type(to) && !is_other(a, b);
    if (has_count) is_same = is_same && !is_other_union(ctx_.world, a, b) && !omits_singleton(ctx_.world, a, b);
    if (!is_same && has_count && to_open && (from_open || !v)) return convert_elements(v, from, to);
    if (!is_same && v) ctx_.reports.run_time_layout(from_open ? from : to);
    if (from_open && to_open) return v;
    auto t = types_.type(from_open ? to : from);
    if (from_open) return build_.load(t, v, {});
    if (v && LLVMIsConstant(unwrap(v))) return Value(constant_global(build_.module(), unwrap(v), "array"));
    auto elem   = element_type(to);
    auto bytes  = build_.i64(std::max(build_.size_of(t), build_.size_of(Type(elem))));
    auto memory = heap_.collected(bytes, is_plain(elem));
    build_.store(v, memory, {});
    return memory;
}

} // namespace mim::backend::llvm
