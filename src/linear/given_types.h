// SPDX-License-Identifier: MIT
// The types that type variables may stand for. A value whose type is a variable is a function only if somebody gave the variable such a type: to a function
// that takes types, or in a package.
#pragma once
#include <span>
#include <vector>

#include "ir/world.h"

namespace mim::linear {

class Check;

class GivenTypes {
public:
    /// `nodes`: all that the program is made of, once they are known.
    GivenTypes(const Check& check, const std::vector<const Def*>& nodes)
        : check_(check)
        , nodes_(nodes) {}

    /// The types of functions that are given, or that are part of what is given.
    const std::vector<const Pi*>& functions() const { return find(), functions_; }
    /// One of these is a continuation.
    bool continuation() const { return find(), continuation_; }
    /// ⊥ is given: a function whose result has the type of a variable may be a continuation.
    bool never() const { return find(), never_; }

private:
    void find() const;
    Defs given_by(const Def* user) const;

    const Check& check_;
    const std::vector<const Def*>& nodes_;
    mutable bool is_found_     = false; ///< the rest is found once somebody asks
    mutable bool continuation_ = false, never_ = false;
    mutable std::vector<const Pi*> functions_;
};

} // namespace mim::linear
