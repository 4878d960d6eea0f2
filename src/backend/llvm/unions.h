// SPDX-License-Identifier: MIT
// Values of unions: a tag and a payload (layout: TypeLowering). The tag is the number of the member in its union,
// whose members are in the order of what they look like. So an instance of a union may have them in another order, in
// other layouts, or fewer of them, and a value that passes from one to the other is converted member by member.
#pragma once
#include <span>
#include <vector>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/spills.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

class Conversions;

/// Whether a value passes to a type that is an instance of its own, or the other way round, and they contain unions.
bool is_other_union(World&, const Def* from, const Def* to);

class Unions {
public:
    Unions(Context& ctx, CodeBuilder& build, TypeLowering& types, Spills& spills, Conversions& conversions)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , spills_(spills)
        , conversions_(conversions) {}

    Value inject(const Inj*);
    /// The address of the payload of the union at `ptr`.
    Value payload_ptr(const Def* union_type, Value ptr);
    /// One of the types, or both, are unions.
    Value convert(Value v, const Def* from, const Def* to);

private:
    Value widen(const Inj*);
    std::vector<size_t> partners(const Def* from, const Def* to);
    /// `numbers`: for each member of `from` its number in `to`.
    Value convert(Value v, const Def* from, const Def* to, std::span<const size_t> numbers);
    bool is_same(const Def* from, const Def* to, std::span<const size_t> numbers);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Spills& spills_;
    Conversions& conversions_;
};

} // namespace mim::backend::llvm
