// SPDX-License-Identifier: MIT
// The types and constants of the facade (emit.h), and what they are to LLVM on the target: thin calls of LLVM's C
// interface, which compiles fast and changes little between versions. Nothing here makes an instruction.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/llvm/handles.h"
#include "backend/llvm/outside.h"
#include "backend/llvm/settings.h"

namespace mim::backend::llvm {

class ModuleBuilder : public Emit {
public:
    /// The module belongs to the caller and outlives this.
    ModuleBuilder(World& world, LLVMModuleRef module, Settings settings)
        : world_(world)
        , context_(LLVMGetModuleContext(module))
        , module_(module)
        , settings_(std::move(settings)) {}

    LLVMContextRef context() const { return context_; }
    LLVMModuleRef module() const { return module_; }
    LLVMTargetDataRef data() const { return settings_.data; }
    const Settings& settings() const { return settings_; }

    World& world() final { return world_; }
    std::string_view target() const final { return "llvm"; }
    bool has(std::string_view feature) const final { return settings_.features.contains(feature); }
    bool checked() const final { return settings_.checked; }
    bool checks_memory() const final { return settings_.memory; }

    // types
    using Emit::struct_type;
    Type int_type(unsigned bits) final;
    Type float_type(Float) final;
    Type ptr_type(unsigned addrspace = 0) final;
    Type array_type(Type, uint64_t) final;
    Type vector_type(Type, unsigned) final;
    Type struct_type(Types) final;
    Type type_of(Value) final;
    bool is_int(Type) final;
    bool is_float(Type) final;
    bool is_ptr(Type) final;
    unsigned bits(Type) final;
    uint64_t size_of(Type) final;
    uint64_t align_of(Type) final;
    /// A struct of these, be they none or one.
    LLVMTypeRef struct_of(const std::vector<LLVMTypeRef>& elems);

    // constants
    Value int_const(Type, uint64_t) final;
    Value float_bits(Type, uint64_t) final;
    Value zero(Type) final;
    Value undef(Type) final;
    Value bytes(std::string_view, unsigned align = 1) final;

    /// Bytes that every allocation is aligned to at least; no access by default asks for more.
    static constexpr unsigned max_align = 16;
    /// Of an access that asks for nothing else.
    unsigned natural_align(LLVMTypeRef);
    /// Scalars in a value of the type, which may be null; if they are `limit` or more, a number from `limit` on.
    unsigned leaves(LLVMTypeRef, unsigned limit = 100);

    /// The function of C of this name, if it is declared.
    LLVMValueRef c_function(const std::string& name) const { return LLVMGetNamedFunction(module_, name.c_str()); }
    /// Declares one that is not; whoever calls it answers for it when it cannot be linked.
    LLVMValueRef declare_c_function(const std::string& name, LLVMTypeRef, CCaller);
    /// Those that were declared so.
    const std::map<std::string, CCaller>& c_functions() const { return c_functions_; }

private:
    World& world_;
    LLVMContextRef context_;
    LLVMModuleRef module_;
    Settings settings_;
    std::unordered_map<std::string, LLVMValueRef> bytes_; ///< globals, by what is in them
    std::map<std::string, CCaller> c_functions_;
};

} // namespace mim::backend::llvm
