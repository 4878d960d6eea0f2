// SPDX-License-Identifier: MIT
// The bodies of functions: a λ's blocks become basic blocks, and their parameters phis.
#pragma once
#include "backend/llvm/activation_memory.h"
#include "backend/llvm/block_ends.h"
#include "backend/llvm/slots.h"

namespace mim::backend::llvm {

class Bodies {
public:
    Bodies(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, Scope& scope, Expressions& values,
           Spills& spills, Addresses& addresses, Slots& slots, ActivationMemory& activation_memory, DebugNames& names,
           BlockEnds& ends)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , signatures_(signatures)
        , scope_(scope)
        , values_(values)
        , spills_(spills)
        , addresses_(addresses)
        , slots_(slots)
        , activation_memory_(activation_memory)
        , names_(names)
        , ends_(ends) {}

    /// Fills the function that the λ is. What goes wrong is reported.
    void define(const Lam*, LLVMValueRef fn);

private:
    void begin_function(const Lam*);
    void emit_body(const Lam*, LLVMValueRef fn);
    void emit_blocks(Body&);
    void start_block(Body&, const BasicBlock&);
    void bind_entry(Body&);
    void bind_params(Body&, const BasicBlock&);
    void emit_block(Body&, const BasicBlock&);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    Scope& scope_;
    Expressions& values_;
    Spills& spills_;
    Addresses& addresses_;
    Slots& slots_;
    ActivationMemory& activation_memory_;
    DebugNames& names_;
    BlockEnds& ends_;
};

} // namespace mim::backend::llvm
