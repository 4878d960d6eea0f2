// SPDX-License-Identifier: MIT
// Through which parameters each λ may leave (Fn::exits), and what may leave through a continuation from around it: see
// leaving.cpp.
#pragma once
#include <span>
#include <unordered_set>
#include <vector>

#include "ir/def_set.h"
#include "linear/fn.h"

namespace mim::linear {

class Check;

class Leaving {
public:
    explicit Leaving(Check& check)
        : c_(check) {}

    /// Finds the ends and the exits of all λs.
    void find();

    /// Calling this may leave through a continuation from around what is called.
    bool may_leave(const Def* callee) const;
    bool may_leave(const Lam*) const;
    /// To a known continuation around it. Functions that leave only as far as types tell do not.
    bool leads_out(const Lam*) const;
    bool any_may_leave(std::span<const Lam* const> lams, const std::vector<const Def*>& others) const;
    /// Unknown functions of this type may.
    bool is_leaving_type(const Def*) const;
    /// Control may come back from this call, which a function ends in, through a way out that an aggregate holds: see
    /// leaving.cpp.
    bool may_come_back_elsewhere(const App*) const;
    /// Whether the λ uses a parameter as a value, and may return through its last one when that value is called.
    bool keeps_return(const Lam* lam) const;

private:
    void find_types();
    void find_ends(Fn&);
    End end(const App*);
    bool has_leaving_type(const Def*) const;
    bool is_way_out(const Pi*) const;

    Check& c_;
    DefSet types_;                                  ///< of values that may leave so
    DefSet holders_;                                ///< calls that end functions, and get functions inside of aggregates
    mutable std::unordered_set<const Def*> asking_; ///< axioms that got functions, while these are asked
};

} // namespace mim::linear
