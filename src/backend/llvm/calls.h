// SPDX-License-Identifier: MIT
// The arguments of calls, and calls that end no block.
#pragma once
#include <utility>
#include <vector>

#include "backend/llvm/conversions.h"
#include "backend/llvm/expressions.h"
#include "backend/llvm/function_values.h"
#include "backend/llvm/spills.h"

namespace mim::backend::llvm {

class Calls {
public:
    Calls(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, CSignatures& c_signatures,
          CCalls& c_calls, Functions& functions, FunctionValues& function_values, Expressions& values, Conversions& conversions,
          Spills& spills)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , signatures_(signatures)
        , c_signatures_(c_signatures)
        , c_calls_(c_calls)
        , functions_(functions)
        , function_values_(function_values)
        , values_(values)
        , conversions_(conversions)
        , spills_(spills) {}

    /// The values of a call's parameters, then of captures; `arg` is the whole domain.
    std::vector<LLVMValueRef> args(const CnView&, const Def* arg, const std::vector<const Def*>& captures);
    /// A C function, or a pointer that may be one.
    bool is_c(const Def* callee);
    /// A call of such a function.
    Value call_c(const Def* callee, const CnView&, const Def* arg);
    /// What is called in any other case, and with which type. The arguments of a value of function type are completed.
    std::pair<LLVMValueRef, LLVMTypeRef> internal_callee(const Def* callee, const Signature&, std::vector<LLVMValueRef>& args);
    /// See Emit: operations that are evaluated by need (Axiom::ByNeed) are not placed by the schedule.
    Value call_function(const Def* callee, const Def* arg);
    Value call_function(const Def* callee, Values args);
    /// Calls a continuation that is a value with a value of its domain. Returns the call, which may come back when all is done where returns are
    /// values; null if that is C's.
    LLVMValueRef leave_to(const Def* cont, Value v, const Def* type);

private:
    struct CCallee {
        LLVMValueRef fn;
        CSig sig;
    };
    CCallee c_callee(const Def* callee, const CnView&);
    std::vector<LLVMValueRef> args_before_return(const CnView&, const Def* arg);
    Value call_function(const Def* callee, const CnView&, std::vector<LLVMValueRef> args);
    CnView own_view(const Def* callee);
    Value own_result(const Def* callee, const CnView&, Value result);
    Value as(Value v, const Def* from, const Def* to);
    void add_captures(const std::vector<const Def*>& captures, std::vector<LLVMValueRef>& args);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    CSignatures& c_signatures_;
    CCalls& c_calls_;
    Functions& functions_;
    FunctionValues& function_values_;
    Expressions& values_;
    Conversions& conversions_;
    Spills& spills_;
};

} // namespace mim::backend::llvm
