// SPDX-License-Identifier: MIT
// The internal form of functions: the calling convention `tailcc`, which guarantees tail calls at every level.
// Results of more than three scalars are written through a pointer that comes as the first parameter, since LLVM
// would do the same in a way that forbids tail calls. What a function takes from around it (Program::captures) are
// its last parameters. C sees wrappers (c_entries.h).
#pragma once
#include <vector>

#include "backend/llvm/context.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

struct Signature {
    LLVMTypeRef type   = nullptr;
    LLVMTypeRef result = nullptr; ///< null: nothing
    bool by_memory     = false;   ///< the result is stored through parameter 0
};

class Signatures {
public:
    Signatures(Context& ctx, ModuleBuilder& module, TypeLowering& types)
        : ctx_(ctx)
        , module_(module)
        , types_(types) {}

    /// How a function is called, be it a λ, C's, or a value: the domain as parameters.
    CnView view_of(const Def* callee);
    /// How values of this type of functions are called, which C does not see: see value_types.h.
    CnView value_view(const Pi* pi) { return view_cn(ctx_.world, value_type(pi)->dom(), true); }
    const Pi* value_type(const Pi* pi) { return types_.value_type(pi); }
    /// What is passed to it besides: nothing if it is no λ.
    std::vector<const Def*> captures_of(const Def* callee);
    Signature of(const CnView&, const std::vector<const Def*>& captures = {});
    /// Of a λ as a function.
    Signature of(const Lam*);
    /// What is passed of a capture: the parameters that a variable stands for, but for the return continuation; an
    /// effect's value.
    std::vector<const Def*> captured(const Def* capture);

private:
    Context& ctx_;
    ModuleBuilder& module_;
    TypeLowering& types_;
};

} // namespace mim::backend::llvm
