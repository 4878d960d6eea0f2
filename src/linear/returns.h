// SPDX-License-Identifier: MIT
// Which parameters are returns. The last parameter of a function leads back to its caller, and calling it hands
// functions over as values. The last parameter of a continuation that is the return of a call, `ret (mem, f) = c_choose
// $ …`, is itself such a value: a function like any other, which gets the rest of the program as its return. Types do
// not tell the two apart; the uses of the λ do.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "linear/nodes.h"
#include "linear/stored.h"

namespace mim::linear {

class Check;

/// Facts on the parameters of λs: on the last of several, if that is a continuation, and on all.
struct ReturnParams {
    LamSet returns;      ///< it leads back to a caller
    LamSet open;         ///< of λs that others may call than those in `calls`
    LamSet kept;         ///< of λs that use one as a value, through which they may return
    LamSet functions;    ///< they are values, or are called from elsewhere
    LamSet stored;       ///< they use the last one as a value, by itself or with the others
    DefSet return_types; ///< of last parameters that are stored, and that may lead back: see stored.cpp
    std::unordered_map<const Lam*, std::vector<const App*>> calls; ///< of the λ by itself
};

class Returns {
public:
    explicit Returns(Check& check)
        : c_(check)
        , stored_(check, params_) {}

    void find(std::span<const Lam* const> roots);
    /// Finds what else leads back, as far as it is known which λs may leave. Whether there is more than before.
    bool find_more();
    /// A call of `callee` was found: whether it `leads_back` is found as well.
    void ask_for(const Def* callee);

    /// Calling this returns its arguments, functions among them, as values.
    bool is_return(const Def* callee) const;
    /// Calling this may lead back to a caller that drops the functions it gets: a return, or a parameter that stands
    /// for a function which may leave elsewhere. A function that comes back through what it gets last is no return,
    /// wherever it came from.
    bool leads_back(const Def* callee) const;
    /// The last parameter of a function, which somebody gets as a value and may call: a way back to the caller.
    bool is_return_as_value(const Def*) const;
    /// A continuation that gets no return of its own, or that may be the return of a function: what it returns may end
    /// in a function, so its type does not tell.
    bool is_way_back(const Pi*) const;
    /// Whether the λ uses a parameter as a value.
    bool uses_as_value(const Lam* lam) const { return params_.kept.contains(lam); }
    /// Whether the last parameter of the λ may be a return, as far as that is known.
    bool may_get_return(const Lam* lam) const { return stored_.may_get_return(lam); }
    /// Of last parameters that are stored, and that may lead back.
    const DefSet& stored_types() const { return params_.return_types; }

    /// Adds what stands for this parameter in the calls of its λ; false if others may call that, or if it is something
    /// else.
    bool arguments(const Def* param, std::vector<const Def*>& args) const;
    /// As `callees`, also through the parameters of λs that are called by themselves. If there are no `others`, these
    /// are all.
    void targets(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) const;

private:
    bool gets_way_back(const Lam*) const;
    bool stands_for(const Def* param, std::vector<const Def*>& args) const;
    LamSet find_leaving() const;

    Check& c_;
    ReturnParams params_;
    StoredReturns stored_;
    LamSet asked_;        ///< of those in `params_.calls`: they call their last parameter
    LamSet leading_back_; ///< of these: and what it stands for may leave elsewhere
};

} // namespace mim::linear
