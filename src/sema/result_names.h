// SPDX-License-Identifier: MIT
// Field names of what a polymorphic function returns, for debuggers (-g). To the language such a result has none, since they are a view beside
// a type and no part of it (view.h); but what `%mem.slot Point …` points to, and what `%mem.load` finds there, has those of `Point`.
// The function's type says where a type variable occurs in its arguments: their views are those of the variable, and so of the result.
#pragma once
#include <utility>
#include <vector>

#include "ir/world.h"
#include "sema/view.h"

namespace mim {

class ResultNames {
public:
    /// Of calls of a function of this type.
    ResultNames(World& world, Views& views, const Def* type)
        : world_(world)
        , views_(views)
        , type_(type) {}
    /// It is applied to this; the view may be null.
    void apply(const Def* arg, const View*);
    /// What is known of the result so far; null if that is nothing. The text may not use its names.
    const View* result();

private:
    void match(const Def* type, const Def* value, const View*);
    const View* build(const Def* type);
    const View* build_parts(const Def* type);
    const View* build_element(const Extract* type);
    const View* build_tuple(const Def* type);
    const View* find(const Def* variable) const;
    const Def* pointee(const Def* type) const;

    World& world_;
    Views& views_;
    const Def* type_; ///< of the function, not instantiated; null: not known any more
    std::vector<std::pair<const Def*, const View*>>
        variables_; ///< types: the view of their values; tuples of types: of their elements' values
    std::vector<std::pair<const Def*, const Def*>> arguments_; ///< parameters and what they got
    std::vector<const Def*> building_;                         ///< types around the one that a view is made for
};

} // namespace mim
