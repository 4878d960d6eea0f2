// SPDX-License-Identifier: MIT
// Expressions as values of LLVM. What the schedule placed is found in the scope; the rest (tuples, projections,
// literals) is made where it is used and remembered until the scope (a subtree of the dominator tree) is left.
#pragma once
#include <unordered_map>

#include "backend/llvm/addresses.h"
#include "backend/llvm/arrays.h"
#include "backend/llvm/checked_emit.h"
#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/conversions.h"
#include "backend/llvm/scope.h"
#include "backend/llvm/spills.h"
#include "backend/llvm/unions.h"

namespace mim::backend::llvm {

class FunctionValues;

/// What has no value, since a phase is missing or no plugin has code for it, is reported and throws Failed.
class Expressions {
public:
    Expressions(Context& ctx, CodeBuilder& build, TypeLowering& types, Scope& scope, Spills& spills, Addresses& addresses,
                Arrays& arrays, Conversions& conversions, Unions& unions, FunctionValues& functions)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , scope_(scope)
        , spills_(spills)
        , addresses_(addresses)
        , arrays_(arrays)
        , conversions_(conversions)
        , unions_(unions)
        , functions_(functions)
        , checked_(build) {}

    /// The value of an expression, which is remembered; empty if there is none at run time.
    Value emit(const Def*);
    /// The same of element i.
    Value elem(const Def*, size_t i);
    /// Makes the value of an operation, where the schedule has it. It is not remembered.
    Value emit_new(const Def*);
    /// See Emit.
    Value emit_inside(const Def*, const Def* type);
    /// Runs the emitter of a plugin for `app`. Its mistakes are reported, but for the type of its value, which is not
    /// looked at.
    Value run_emitter(const Axiom&, OpEmitter, const Def* app);

private:
    Value emit_node(const Def*);
    Value emit_lit(const Def*);
    Value emit_var(const Def*);
    Value emit_tuple(const Def*);
    Value emit_pack(const Def*);
    Value emit_extract(const Extract*);
    Value emit_dynamic(const Extract*);
    Value emit_insert(const Insert*);
    Value emit_app(const Def*);
    LLVMValueRef table(LLVMValueRef constant);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Scope& scope_;
    Spills& spills_;
    Addresses& addresses_;
    Arrays& arrays_;
    Conversions& conversions_;
    Unions& unions_;
    FunctionValues& functions_;
    CheckedEmit checked_;                                   ///< for emitters of plugins
    std::unordered_map<LLVMValueRef, LLVMValueRef> tables_; ///< constants in memory, by value
};

} // namespace mim::backend::llvm
