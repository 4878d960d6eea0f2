// SPDX-License-Identifier: MIT
// Tokens that end in a value: a call that takes one and hands none on happens by need, as the value that it makes is.
#pragma once
#include <unordered_map>

#include "ir/world.h"

namespace mim::linear {

class Check;

class EndedTokens {
public:
    explicit EndedTokens(Check& check)
        : check_(check) {}

    /// The token that evaluating this consumes without handing one on; null if there is none.
    const Def* of(const Def* def);
    /// The token that this application, or `match`, consumes itself, or a function that it enters; null if it hands one
    /// on.
    const Def* consumed_by(const Def*);

private:
    Check& check_;
    std::unordered_map<const Def*, const Def*> tokens_;
};

} // namespace mim::linear
