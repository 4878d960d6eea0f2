// SPDX-License-Identifier: MIT
// Which returns are values, see stored.cpp.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"

namespace mim::linear {

class Check;
struct ReturnParams;

class StoredReturns {
public:
    StoredReturns(const Check& check, ReturnParams& params)
        : c_(check)
        , params_(params) {}

    /// Looks at a node of the program.
    void visit(const Def*);
    /// Starts with what `params` knows once all nodes have been visited.
    void start();
    /// Finds the `return_types`, as far as it is known which λs may leave. Whether there are new ones, or new λs that may get
    /// a return and use one as a value.
    bool find();
    /// Whether the last parameter of the λ may be a return, as far as that is known.
    bool may_get_return(const Lam* lam) const { return may_get_.contains(lam); }

private:
    /// A call in tail position that gets a continuation last.
    struct Call {
        std::vector<const Lam*> callees, last;
        std::vector<const Def*> unknown, last_unknown;
        bool takes_one = false;          ///< nothing but the continuation
        std::vector<const Lam*> targets; ///< that parameters among the unknown callees stand for
        std::vector<const Def*> open;    ///< those of which nobody knows what they stand for
    };
    void find_targets(Call&);
    void note_users(uint32_t call);
    void pass_all();
    void pass(const Call&);
    void store_handed(const Call&);
    bool gives_return(const Call&) const;
    bool may_hand_over(const Call&) const;
    bool may_hand_over(const Call&, const Def* unknown) const;
    void add_type(const Lam*);
    bool is_stored(const Def* type) const;
    void add_may_get(const Lam*);
    void add_hands_over(const Lam*);
    void look_again(const Lam*);

    const Check& c_;
    ReturnParams& params_;
    std::vector<Call> calls_;
    std::unordered_map<const Lam*, std::vector<uint32_t>> users_; ///< calls that ask what is known of the λ
    std::vector<uint32_t> todo_;                                  ///< calls to look at
    std::vector<bool> is_todo_;
    LamSet may_get_;           ///< λs whose last parameter may be a return
    LamSet hands_over_;        ///< λs that may call their last parameter with a return
    bool found_users_ = false; ///< λs that may get a return, and use one as a value
};

/// The λ whose last parameter `d` may be, by itself or with the others; null if it is something else.
const Lam* holds_last_param_of(const Def* d);

} // namespace mim::linear
