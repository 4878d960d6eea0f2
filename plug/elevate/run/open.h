// SPDX-License-Identifier: MIT
// A term that changed below functions, which are not closed yet: the new part speaks of their variables. All are closed at
// once, before somebody looks at the term; one after the other, `let`s inside of each other would be copied once for each of
// those around.
#pragma once
#include <memory>

#include "terms.h"

namespace mim::plug::elevate {

struct Open {
    Below below;  ///< the parts of the term as it was
    size_t child; ///< that changed
    const Def* now;
    std::shared_ptr<const Open> open; ///< the child, if `now` is null
};

/// Whether a term of this kind, a part of which is open, may stay open.
bool may_stay_open(const Def* term);
const Def* close(World&, const Open&);

} // namespace mim::plug::elevate
