// SPDX-License-Identifier: MIT
// The types that type variables may stand for. A value whose type is a variable is a function only if somebody gave the
// variable such a type: to a function that takes types, or in a package.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "base/worklist.h"
#include "ir/def_set.h"
#include "ir/token_types.h"
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
    /// The same, of one variable that is or holds types: those that calls of its λ pass; all, if others may call the λ.
    const std::vector<const Pi*>& functions(const Def* var) const;
    /// One of these is a continuation.
    bool continuation() const { return find(), continuation_; }
    /// ⊥ is given: a function whose result has the type of a variable may be a continuation.
    bool never() const { return find(), never_; }

    /// Whether values of this type may hold such a function. A type variable stands for what it is given, which phases
    /// do not tell.
    bool may_hold(const Def* type, const IsFunction& is_such) const;
    bool may_hold_function(const Def* type) const;
    /// A continuation that takes no function, as `is_exit`.
    bool takes_data(const Def* d) const;
    /// Whether two types of functions may be the same, as `mim::may_be_same`.
    bool may_be_same(const Def* type, const Def* other) const;

private:
    void find() const;
    void find_calls() const;
    Defs given_by(const Def* user) const;
    bool add_arguments(const Def* var, Worklist<const Def*>& todo) const;
    bool add_parts(const Def* given, Worklist<const Def*>& todo) const;

    const Check& check_;
    const std::vector<const Def*>& nodes_;
    mutable bool is_found_     = false; ///< the rest is found once somebody asks
    mutable bool continuation_ = false, never_ = false;
    mutable std::vector<const Pi*> functions_;
    mutable std::unordered_map<const Def*, std::vector<const Pi*>> by_variable_;
    mutable std::unordered_map<const Def*, std::vector<const App*>> calls_; ///< of λs that take types
    mutable DefSet values_;                                                 ///< λs that are used otherwise
    mutable bool calls_are_found_ = false;
};

} // namespace mim::linear
