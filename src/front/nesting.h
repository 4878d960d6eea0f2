// SPDX-License-Identifier: MIT
// How deep a recursive parser is: text must not decide how much stack is used.
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/stack.h"

namespace mim::front {

class Nesting {
public:
    /// `limit`: of what a user sees as nested, such as brackets; `levels` is how many levels one of them is at most.
    explicit Nesting(uint32_t limit, uint32_t levels = 1)
        : limit_(limit * levels)
        , levels_(levels) {}

    /// While it lives, the text is nested once more.
    class Level {
    public:
        explicit Level(Nesting& nesting)
            : nesting_(nesting) {
            ++nesting_.depth_;
        }
        ~Level() { --nesting_.depth_; }
        Level(const Level&)            = delete;
        Level& operator=(const Level&) = delete;

    private:
        Nesting& nesting_;
    };

    /// Whether the limit is passed, or little of the stack is left.
    bool is_too_deep() const { return depth_ > limit_ || stack_is_low(); }
    /// The depth that is reached, for a message.
    uint32_t depth() const { return std::min(depth_, limit_) / levels_; }

private:
    uint32_t limit_, levels_;
    uint32_t depth_ = 0;
};

} // namespace mim::front
