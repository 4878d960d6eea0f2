// SPDX-License-Identifier: MIT
// The heap. A program that makes closures (Axiom::Closures) has a collector, which reclaims their records
// (Axiom::closure_runtime); memory that may hold addresses of records comes from it, too. Any other program has C's
// heap.
#pragma once
#include <string_view>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

/// Whether values of this type are numbers and nothing else. The payload of a union is integers that may be anything.
bool is_plain(LLVMTypeRef);

class Heap {
public:
    Heap(Context& ctx, CodeBuilder& build, TypeLowering& types)
        : ctx_(ctx)
        , build_(build)
        , types_(types) {}

    /// See Emit.
    Value heap(const Def* type, Value bytes);
    void free_heap(Value ptr);

    /// Memory that is reclaimed when nobody refers to it, or never if there is no collector. `plain`: will refer to
    /// no memory that the collector has.
    Value collected(LLVMTypeRef, bool plain = false);
    Value collected(Value bytes, bool plain);
    /// Whether values of this type may be, contain or point to what refers to a record.
    bool may_hold_closures(const Def* type);
    /// The function to call for the C function of this name: the C library's functions for memory do not know the
    /// collector's.
    std::string_view function(std::string_view c_name) const;
    /// A thread that enters the program from outside has to be known to the collector.
    void attach();

private:
    bool is_closure_type(const Def*);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
};

} // namespace mim::backend::llvm
