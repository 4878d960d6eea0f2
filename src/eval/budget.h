// SPDX-License-Identifier: MIT
// The steps that a run may take. It may spend some of them on an attempt: to evaluate something that the program has not
// asked for yet. An attempt has no effects, so it can be given up.
#pragma once
#include <cstdint>

#include "base/blame.h"
#include "base/stack.h"
#include "eval/ending.h"
#include "eval/value.h"

namespace mim::eval {

class Budget {
public:
    explicit Budget(uint64_t steps)
        : limit_(steps) {}

    /// Counts one step. Gives up an attempt that takes too many; throws Failure if the run does, or uses up the stack.
    void tick(const Def* where) {
        if (++steps_ > attempt_ || steps_ > limit_ || stack_is_low()) stop(where);
    }
    uint64_t steps() const { return steps_; }
    /// From now on at most so many steps.
    void limit_steps(uint64_t more) { limit_ = steps_ + more; }

    bool is_attempt() const { return attempt_ != none; }
    /// Evaluates, and returns the value; None if that takes more than so many steps, is undefined, fails, or has
    /// effects. Attempts do not nest.
    template<class F>
    Value attempt(uint64_t steps, const F& evaluate) {
        attempt_ = steps_ + steps;
        Value res;
        try {
            res = evaluate();
        } catch (Abandon&) {
        } catch (UndefinedBehaviour&) {
        } catch (Failure&) {}
        attempt_ = none;
        return res;
    }
    /// An effect follows: an attempt is given up before it.
    void before_effect() const {
        if (is_attempt()) throw Abandon{};
    }

private:
    struct Abandon : Passing {}; ///< of an attempt
    static constexpr uint64_t none = ~uint64_t(0);

    [[noreturn]] void stop(const Def* where) const;

    uint64_t steps_   = 0, limit_;
    uint64_t attempt_ = none; ///< the step at which it is given up
};

} // namespace mim::eval
