// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <memory>

#include "ir/world.h"

namespace mim::plug::tensor {

/// An array of a known rank, as a function of the index. Copies share the function, which refers to those of other arrays.
struct Elements {
    using At = std::function<const Def*(Defs index)>;

    Elements(DefVec extents, const Def* elem, At f)
        : shape(std::move(extents))
        , type(elem)
        , source(std::make_shared<const At>(std::move(f))) {}
    const Def* at(Defs index) const { return (*source)(index); }

    DefVec shape;
    const Def* type; ///< of an element
    std::shared_ptr<const At> source;
};

} // namespace mim::plug::tensor
