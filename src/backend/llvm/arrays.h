// SPDX-License-Identifier: MIT
// Arrays whose length is known at run time only, also those of arrays, and those that are too large for registers
// (ir/large_arrays.h): a value is the address of the first element. The elements lie dense and row-major in memory of
// the collector, which nobody changes, so a row is an address in the middle of its array. A large one that is written
// down is data of the program.
#pragma once
#include <functional>

#include "backend/llvm/activation_memory.h"
#include "backend/llvm/addresses.h"
#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/heap.h"
#include "backend/llvm/scope.h"
#include "backend/llvm/spills.h"

namespace mim::backend::llvm {

class Conversions;
class Expressions;

class Arrays {
public:
    Arrays(Context& ctx, CodeBuilder& build, TypeLowering& types, Scope& scope, Heap& heap, ActivationMemory& activation_memory,
           Spills& spills, Addresses& addresses, Conversions& conversions, Expressions& values)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , scope_(scope)
        , heap_(heap)
        , activation_memory_(activation_memory)
        , spills_(spills)
        , addresses_(addresses)
        , conversions_(conversions)
        , values_(values) {}

    /// @name any array
    ///@{
    /// See Emit::fill_array.
    Value fill(const Def* type, const std::function<Value(Value)>& element);
    /// See Emit::unwritten.
    Value unwritten(const Def* type);
    /// A pack, filled in a loop.
    Value pack(const Pack*);
    ///@}

    /// @name any type
    ///@{
    /// See Emit.
    Value read(const Def* type, Value ptr, Access);
    void write(const Def* type, Value, Value ptr, Access);
    bool is_view(const Def* load) const;
    Value view(const Def* type, Value ptr);
    bool is_sink(const Def* store);
    void end(const Def* type, Value array, Value ptr);
    /// Whether values of one type, arrays of run-time length or what holds such, lie otherwise in memory than those of the other one, though
    /// both are addresses.
    bool is_other(const Def* from, const Def* to);
    ///@}

    /// @name arrays by address
    ///@{
    Value extract(const Extract*);
    /// Whether the elements of `def` are read where it lies: a row that is a value, and that nobody has made yet.
    bool is_row_in_memory(const Def*);
    /// An element of such a row.
    Value extract_of_row(const Extract*);
    /// In the array itself if analysis/in_place.h says so.
    Value insert(const Insert*);
    /// The value of `param`, a parameter of the type `type`, for the block `from`: memory of its own, to which `arg` is
    /// copied.
    Value copied(const Def* arg, const Def* type, const BasicBlock& from, const Def* param);
    /// The array that `def` is, of these elements.
    Value of(const Def* def, Defs elems);
    Value of(const Def* type, Values elems);
    /// Data of the program, for what is a constant array (ir/large_arrays.h).
    Value data(const Def* def);
    /// Element i of an array of the type `type`.
    Value project(Value array, const Def* type, uint64_t i);
    /// See Conversions: at least one of the types is such an array.
    Value convert(Value, const Def* from, const Def* to);
    ///@}

private:
    /// Whether nobody needs `def` as a value: see Function::row_views.
    bool is_row_view(const Def*) const;
    const ArrayMemory* memory_of(const Def* def) const;
    Value make(const Def* type, const ArrayMemory* = nullptr);
    Value room(const Def* type, const ArrayMemory*);
    Value room_in_array(const Insert*);
    Value begun(Value ptr);
    Value room_in_memory(const Def* type, const ArrayMemory&);
    Value is_apart(const Def* type, Value ptr, const std::vector<const Def*>& others);
    Value copy(const Def* type, Value array, const ArrayMemory* = nullptr);

    // large_arrays.cpp
    using PutPart = std::function<void(const Def* type, Value place, Value in_memory)>;
    /// If what is there `stays` as it is, no array in it is copied.
    Value value_at(const Def* type, Value ptr, Access, bool stays);
    Value read_parts(const Def* type, Value ptr, bool stays);
    Value read_union(const Def* type, Value ptr, bool stays);
    void write_parts(const Def* type, Value, Value ptr);
    void write_union(const Def* type, Value, Value ptr);
    Value unwritten_parts(const Def* type);
    Value part_ptr(const Def* sigma, Value ptr, size_t i);
    void for_each_member(const Def* type, Value tag, Value place, Value in_memory, const PutPart&);
    LLVMValueRef constant(const Def* def, const Def* type);
    LLVMValueRef constant_array(const Def* def, const Arr* type);
    std::vector<size_t> put_constants(const Arr* type, Defs elems, Value memory);
    Value convert_elements(Value, const Def* from, const Def* to);

    void copy_elements(const Def* type, Value from, Value to);
    Value filled(const Arr* type, const ArrayMemory*, const std::function<void(Value)>& put);
    LLVMTypeRef element_type(const Def* type);
    Value element(const Arr* type, Value array, Value index);
    void put(const Def* def, const Def* type, Value ptr);
    void copy_if_elsewhere(const Def* type, Value from, Value to);
    void note_copy(const Def* at, const Def* type, const ArrayMemory*, const char* why);
    void put_row(const Def* row, const Def* type, Value ptr);
    void put_update(const Insert* row, Value ptr);
    bool updates_part(const Insert* row, const Insert* whole);
    void put_elements(const Pack* pack, const Arr* type, Value ptr);
    void for_each(const Def* arity, const std::function<void(Value)>& body);
    void for_each(Value size, bool may_be_empty, const std::function<void(Value)>& body);
    bool is_in_place(const Insert*) const;
    Value row_address(const Extract*);
    Value element_of_row(const Extract*);
    Value index_of(const Arr* type, const Def* index);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Scope& scope_;
    Heap& heap_;
    ActivationMemory& activation_memory_;
    Spills& spills_;
    Addresses& addresses_;
    Conversions& conversions_;
    Expressions& values_;
    std::unordered_map<const Def*, LLVMValueRef> data_; ///< by array that is written down
};

} // namespace mim::backend::llvm
