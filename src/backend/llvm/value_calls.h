// SPDX-License-Identifier: MIT
// The functions by which values are called. Where the type of a value is called in another way (value_types.h) than the
// function itself, one in front of it converts what is passed, and the result.
#pragma once
#include <unordered_map>

#include "backend/llvm/conversions.h"
#include "backend/llvm/debug_names.h"
#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

class ValueCalls {
public:
    ValueCalls(Context& ctx, CodeBuilder& build, DebugNames& names, TypeLowering& types, Signatures& signatures,
               Conversions& conversions)
        : ctx_(ctx)
        , build_(build)
        , names_(names)
        , types_(types)
        , signatures_(signatures)
        , conversions_(conversions) {}

    /// `fn` is what `def` is, a λ or a function of C; both take the captures last.
    LLVMValueRef of(const Def* def, LLVMValueRef fn);
    /// How that is called, without captures.
    Signature signature(const Def* def) { return signatures_.of(signatures_.value_view(def->type()->as<Pi>())); }

private:
    void define(LLVMValueRef made, const Def* def, LLVMValueRef fn);
    /// Those of a function whose own view is `own`, made of the parameters of `made`.
    std::vector<LLVMValueRef> arguments(LLVMValueRef made, const CnView& wide, const CnView& own, const Def* dom);
    Value argument(LLVMValueRef made, const CnView& wide, const Signature&, const Def* dom, const CnView::Param&);
    Value as(Value v, const Def* from, const Def* to) { return from == to ? v : conversions_.convert(v, from, to); }

    Context& ctx_;
    CodeBuilder& build_;
    DebugNames& names_;
    TypeLowering& types_;
    Signatures& signatures_;
    Conversions& conversions_;
    std::unordered_map<LLVMValueRef, LLVMValueRef> made_; ///< by function
};

} // namespace mim::backend::llvm
