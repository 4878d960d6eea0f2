// SPDX-License-Identifier: MIT
// Values that pass from one type to another with another layout: the types are instances of each other, such as `Idx
// 4` and `Idx n`, or one is a singleton, whose values take no room.
#pragma once
#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

class Arrays;
class Expressions;
class Unions;

/// What cannot be converted is reported and throws Failed.
class Conversions {
public:
    Conversions(Context& ctx, CodeBuilder& build, TypeLowering& types, Unions& unions, Arrays& arrays, Expressions& values)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , unions_(unions)
        , arrays_(arrays)
        , values_(values) {}

    /// `def` in the layout that `type` has.
    Value as(const Def* def, const Def* type);
    /// `v` of the type `from` in the layout that `to` has. A value of a type ⦃e⦄, which takes no room, is e.
    Value convert(Value v, const Def* from, const Def* to);
    /// Element i of a value of the Mim type `type`, in the layout it is declared with.
    Value project(Value agg, const Def* type, uint64_t i);
    /// A value of the Mim type `type`, taken apart into the arguments of a function or block that is seen as `view`, in
    /// their layouts.
    std::vector<LLVMValueRef> args_of(const CnView& view, Value v, const Def* type);

private:
    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Unions& unions_;
    Arrays& arrays_;
    Expressions& values_;
};

} // namespace mim::backend::llvm
