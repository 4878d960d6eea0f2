// SPDX-License-Identifier: MIT
// Addresses of elements in memory, and the indices that they are computed from.
#pragma once
#include <unordered_map>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

class Expressions;

class Addresses {
public:
    Addresses(CodeBuilder& build, TypeLowering& types, Reports& reports, Expressions& values)
        : build_(build)
        , types_(types)
        , reports_(reports)
        , values_(values) {}

    /// See Emit.
    Value exact(Value index, Value wide);
    Value number_of(Value index) const;
    Value bytes_of(const Def* type);
    Value lea(const Def* pointee, Value ptr, const Def* index);
    /// The value of an index with which memory may be accessed, whatever it is where nobody asks for what is there.
    Value in_range(const Def* index);
    /// The same of an array of run-time length.
    Value in_range(const Arr*, const Def* index);
    /// The bytes of a value: bytes_of() of what need not lie in memory that the program sees.
    Value bytes_of_value(const Def* type);
    /// The same for an allocation: as many as there can be, if it were more.
    Value room_for(const Def* type);
    /// The address of an element of an array whose first one is at `ptr`.
    Value element(const Arr* arr, Value ptr, Value index);
    /// With --checked, traps in the operation `access` if the index is not below its size.
    void check(const Def* access, const Def* index);
    void begin_function() { wide_.clear(); }

private:
    Value bytes_of_element(const Arr* arr);
    Value length(const Arr* arr);
    Value offset_of_field(const Def* sigma, Value index);

    CodeBuilder& build_;
    TypeLowering& types_;
    Reports& reports_;
    Expressions& values_;
    std::unordered_map<LLVMValueRef, LLVMValueRef> wide_; ///< indices as the numbers that they came from
};

} // namespace mim::backend::llvm
