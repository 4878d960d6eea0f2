// SPDX-License-Identifier: MIT
#include "eval/budget.h"

namespace mim::eval {

void Budget::stop(const Def* where) const {
    if (steps_ > attempt_) throw Abandon{};
    if (steps_ > limit_) throw Failure{"the program takes more steps than allowed", where};
    throw Failure{"the program recurses too deeply", where};
}

} // namespace mim::eval
