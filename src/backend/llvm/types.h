// SPDX-License-Identifier: MIT
// Types of the calculus as types of LLVM; null stands for a type without run-time value. See emit.h for the
// representation.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backend/llvm/module_builder.h"
#include "backend/llvm/reports.h"
#include "backend/llvm/value_types.h"

namespace mim::backend::llvm {

/// What has no type of LLVM, or one that is too large for LLVM, is reported and throws Failed.
class TypeLowering {
public:
    TypeLowering(ModuleBuilder& module, Reports& reports)
        : module_(module)
        , reports_(reports)
        , world_(module.world())
        , value_types_(world_) {}

    LLVMTypeRef lower(const Def* type);
    Type type(const Def* def) { return Type(lower(def)); }

    /// The same for what lies in memory that the program sees, where large arrays are the elements themselves
    /// (ir/large_arrays.h).
    LLVMTypeRef lower_memory(const Def* type);
    Type memory(const Def* def) { return Type(lower_memory(def)); }
    /// Whether values of both types look alike, the elements of large arrays in them included.
    bool have_one_layout(const Def* a, const Def* b) { return lower(a) == lower(b) && lower_memory(a) == lower_memory(b); }

    /// The type by which values of a type of functions are called, which C does not see.
    const Pi* value_type(const Pi* pi) { return value_types_.of(pi); }

    /// Reports a type of which memory has no value, since arrays of run-time length in it would lie elsewhere.
    void check_memory(const Def* type);

    /// Elements of a Σ or array that have a run-time value.
    size_t num_fields(const Def* type);
    /// Place of element i among those, -1 if it has none.
    int field_of(const Def* type, uint64_t i);

    // limits.cpp
    /// For types of what is passed to functions.
    void check_parts(const Def* type);
    /// `v` of the type `type`, which is no larger than a value may be that is no constant.
    Value check_value(const Def* type, Value v);
    /// The type has more than `limit` scalars.
    [[noreturn]] void too_large(const Def* type, uint64_t limit);

private:
    LLVMTypeRef lower_new(const Def* type);
    LLVMTypeRef lower_in_memory(const Def* type);
    LLVMTypeRef lower_app(const Def* type);
    LLVMTypeRef type_of_plugin(const Axiom&, TypeEmitter, const Def* type);
    void check_size(const Axiom&, const Def* type, backend::Type);
    LLVMTypeRef lower_array(const Def* type);
    LLVMTypeRef lower_extract(const Def* type);
    using Lower = LLVMTypeRef (TypeLowering::*)(const Def*);
    LLVMTypeRef lower_sigma(const Def* type, Lower);
    LLVMTypeRef lower_union(const Def* type, Lower);
    void check_size(const Def* type, LLVMTypeRef);
    void check_parts(const Def* type, unsigned limit);

    ModuleBuilder& module_;
    Reports& reports_;
    World& world_;
    ValueTypes value_types_;
    std::unordered_map<const Def*, LLVMTypeRef> types_;
    std::unordered_map<const Def*, LLVMTypeRef> in_memory_;
    std::unordered_set<const Def*> memory_types_; ///< that were found to be some
};

} // namespace mim::backend::llvm
