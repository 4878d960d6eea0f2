// SPDX-License-Identifier: MIT
// Types of the calculus for debuggers, in the layout that code gives them (emit.h). Elements without run-time value do not occur.
// A Σ is a struct whose members have the fields' names, else `_0`, `_1`, …; a union is a tag, which names the member that is there,
// and a union of C; a pointer to an array of run-time length points to its elements.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <map>
#include <string>
#include <unordered_map>

#include "backend/emit.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

class DebugTypes {
public:
    DebugTypes(Emit& emit, TypeLowering& lowering, LLVMTargetDataRef data, LLVMDIBuilderRef builder)
        : emit_(emit)
        , lowering_(lowering)
        , world_(emit.world())
        , data_(data)
        , builder_(builder) {}

    /// Null for a type without run-time value, or whose layout is not known.
    LLVMMetadataRef find(const Def* type, const FieldNames* names = nullptr);
    /// A function's: its result (may be null) and parameters.
    LLVMMetadataRef function(LLVMMetadataRef file, const Def* result, const std::vector<const Def*>& params);

private:
    using Key = std::pair<const Def*, const FieldNames*>;

    bool has_layout(const Def*);
    bool compute_layout(const Def*);
    LLVMMetadataRef make(const Def*, const FieldNames*);
    LLVMMetadataRef basic(std::string_view name, uint64_t bits, unsigned encoding);
    LLVMMetadataRef idx(const Def*);
    LLVMMetadataRef sigma(const Def*, const FieldNames*);
    LLVMMetadataRef array(const Def*, const FieldNames*);
    LLVMMetadataRef union_(const Def*);
    LLVMMetadataRef tag(const Def*, LLVMTypeRef);
    LLVMMetadataRef app(const Def*, const FieldNames*);
    LLVMMetadataRef pointer(const Def* pointee, const FieldNames*);
    LLVMMetadataRef struct_(const Def*, std::vector<LLVMMetadataRef>& members);
    LLVMMetadataRef member(std::string_view name, LLVMMetadataRef type, uint64_t offset, LLVMTypeRef);
    std::string name(const Def*);

    Emit& emit_;
    TypeLowering& lowering_;
    World& world_;
    LLVMTargetDataRef data_;
    LLVMDIBuilderRef builder_;
    std::map<Key, LLVMMetadataRef> types_;
    std::map<Key, LLVMMetadataRef> open_; ///< being made: what stands for it, once it was asked for
    std::unordered_map<const Def*, bool> layouts_;
};

} // namespace mim::backend::llvm
