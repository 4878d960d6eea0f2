// SPDX-License-Identifier: MIT
// Finds the summary of each λ, as far as it says what a call evaluates and captures: a least fixed point over the
// calls. A λ captures a token of an outer binder if its body needs it, or if it calls or returns to a λ that captures
// it.
#pragma once
#include <deque>
#include <unordered_map>
#include <vector>

#include "linear/fn.h"

namespace mim::linear {

class Check;

class Summaries {
public:
    explicit Summaries(Check& check)
        : c_(check) {}

    void find();
    /// Null for a function without code.
    Fn* fn(const Lam* lam) const {
        auto it = fns_.find(lam);
        return it == fns_.end() ? nullptr : it->second;
    }
    /// Of all functions, at their `index`.
    std::deque<Fn>& all() { return store_; }
    /// d belongs to a call of this λ: it depends on its variable, or is evaluated anew in each call.
    bool is_expanded(const Fn& f, const Def* d, Mode mode);

private:
    struct Work {
        Fn* fn;
        Key key;
        bool is_touch = false; ///< it is looked at, and not consumed
    };
    bool is_of_around(const Fn&, const Def*);
    bool reaches(const Lam*, const Def* from);
    void start_again();
    void visit_all();
    void share_calls(Fn&);
    void visit(Fn&, Key);
    void visit_lam(Fn&, const Lam*, Mode, const Def* at);
    void touch(Fn&, const Def*);
    void capture(Fn&, const Def*);
    void add_capture(Fn&, const Def*);
    void need(Fn&, const Def*);

    static constexpr int MaxRounds     = 8;
    static constexpr size_t MaxReached = 1000; ///< nodes

    Check& c_;
    std::deque<Fn> store_;
    std::unordered_map<const Lam*, Fn*> fns_;
    std::vector<Work> work_;
    bool retracted_ = false; ///< a function was known to capture something that it does not
};

} // namespace mim::linear
