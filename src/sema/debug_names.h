// SPDX-License-Identifier: MIT
// With -g: the names that a function gives to its values, for debuggers.
#pragma once
#include <unordered_map>

#include "sema/names.h"

namespace mim {

class DebugNames {
public:
    DebugNames(World& world, Names& names)
        : world_(world)
        , names_(names) {}

    /// Keeps the names that are in scope from binding `first` on, as those of values in this function. Nothing without
    /// -g or function.
    void keep(const Lam*, size_t first, bool are_params);

private:
    const FieldNames* fields(const View*);

    World& world_;
    Names& names_;
    std::unordered_map<const View*, const FieldNames*> fields_;
};

} // namespace mim
