// SPDX-License-Identifier: MIT
// The ends of blocks: jumps, branches, calls and returns.
#pragma once
#include "backend/llvm/body.h"
#include "backend/llvm/calls.h"
#include "backend/llvm/debug_names.h"
#include "backend/llvm/unions.h"

namespace mim::backend::llvm {

class BlockEnds {
public:
    BlockEnds(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, Calls& calls, Expressions& values,
              Arrays& arrays, Conversions& conversions, Unions& unions, Spills& spills, DebugNames& names)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , signatures_(signatures)
        , calls_(calls)
        , values_(values)
        , arrays_(arrays)
        , conversions_(conversions)
        , unions_(unions)
        , spills_(spills)
        , names_(names) {}

    /// Ends the block that is being filled. The values that it hands on become incoming values of phis.
    void end(Body&, const BasicBlock&);

private:
    void end_jump(Body&, const BasicBlock&);
    void end_call(Body&, const BasicBlock&);
    void end_internal_call(Body&, const BasicBlock&);
    void end_branch(Body&, const BasicBlock&);
    void end_match(Body&, const BasicBlock&);
    void end_effect(const BasicBlock&);
    void leave_to(Body&, const Def* cont, Value result, const Def* type);
    void continue_with(Body&, const Cont&, Value result, const Def* type);
    void return_value(Body&, Value);
    void add_args(Body&, const BasicBlock& from, const BasicBlock& target);
    void add_value(Body&, const BasicBlock& target, Value v, const Def* type);
    void add_incoming(Body&, const BasicBlock& target, std::vector<LLVMValueRef> values);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    Calls& calls_;
    Expressions& values_;
    Arrays& arrays_;
    Conversions& conversions_;
    Unions& unions_;
    Spills& spills_;
    DebugNames& names_;
};

} // namespace mim::backend::llvm
