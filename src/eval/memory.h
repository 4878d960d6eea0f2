// SPDX-License-Identifier: MIT
// Memory: a pointer is an allocation and an offset in bytes. Behaviour is undefined for a pointer that is null, dangling,
// foreign, out of range or freed twice, and for reading bytes that nobody wrote or that are no value of the type. Memory may be read at
// another type than it was written.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "eval/layouts.h"
#include "eval/types.h"
#include "eval/value.h"

namespace mim::eval {

/// `where` is to blame for what is undefined.
class Memory {
public:
    Memory(Machine& m, Budget& budget, Heap& heap, Types& types, Layouts& layouts)
        : m_(m)
        , budget_(budget)
        , heap_(heap)
        , types_(types)
        , layouts_(layouts) {}

    Value alloc(const Value& type, const Def* where);
    Value malloc(uint64_t bytes);
    /// New bytes that end as their home tells, none of them written.
    Value allocate(Allocation::Home, uint64_t bytes);
    void free(const Value& ptr, const Def* where);
    Value load(const Value& ptr, const Value& type, const Def* where);
    void store(const Value& ptr, const Value& type, const Value& value, const Def* where);
    /// A pointer to the i-th of `arity` elements of these types (a tuple or pack, maybe lazy).
    Value lea(const Value& ptr, const Value& arity, const Value& types, uint64_t i, const Def* where);
    /// Whether a value of type `a_type` behind a and one of type `b_type` behind b have bytes in common.
    bool overlap(const Value& a, const Value& a_type, const Value& b, const Value& b_type, const Def* where);
    /// The address of what is pointed to, which stays the same; 0 for null.
    uint64_t ptr_to_num(const Value& ptr, const Def* where);
    /// The pointer to what has this address, or one that nothing can be accessed through.
    Value num_to_ptr(uint64_t address);
    /// A value of one type as the value of another that has the same bytes.
    Value reinterpret(const Value& value, const Value& from, const Value& to, const Def* where);
    uint64_t load_byte(const Value& ptr, uint64_t i); ///< ptr[i] of a C string

    /// @name there before the program starts
    ///@{
    Value c_string(std::string_view);
    Value c_array(const Values& pointers);
    ///@}

    /// Phases split aggregates, whose unwritten parts may be copied: then scalars that were loaded may be, too.
    bool loads_unwritten = false;

private:
    PtrObj& access(const Value& ptr, uint64_t bytes, const Def* where);
    Value uniform(const Value& types);
    Value offset_ptr(PtrObj& base, uint64_t offset);

    void break_objects(Allocation&, uint64_t offset, uint64_t n, bool keep, const Def* where);
    void write_object(Allocation&, uint64_t offset, const Value&, const Def* where);
    Value read_number(Allocation&, uint64_t offset, uint64_t n, const Def* where);
    Value read_object(Allocation&, uint64_t offset, bool is_pointer, const Def* where);
    void write_value(Allocation&, uint64_t offset, const Value& type, const Value& shape, const Value& value, const Def* where);
    Value read_value(Allocation&, uint64_t offset, const Value& type, const Value& shape, const Def* where);
    Value read_elems(Allocation&, const TypeView&, const Value& shape, const Def* where,
                     const std::function<uint64_t(uint64_t, const Value&)>& place);

    Machine& m_;
    Budget& budget_;
    Heap& heap_;
    Types& types_;
    Layouts& layouts_;
    std::map<uint64_t, Ref<Allocation>> exposed_; ///< allocations whose address was seen, by that
    uint64_t next_address_ = 0x10000;
};

} // namespace mim::eval
