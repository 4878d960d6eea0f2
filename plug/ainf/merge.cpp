// SPDX-License-Identifier: MIT
// The rules are those of the paper, made exact (doc/adr/0031-flat-lists.md).
#include "merge.h"

#include <algorithm>
#include <iterator>

namespace mim::plug::ainf {

namespace {

/// The state of the two environments further inside: nothing was dropped, a condition of one of them was dropped, or a
/// condition of one and its opposite of the other.
enum class State : uint8_t { Nothing, Left, Right, Both };

class Merge {
public:
    Merge(const Environment& left, const Environment& right, const NameOf& name_of)
        : left_(left)
        , right_(right)
        , name_of_(name_of)
        , l_(left.size())
        , r_(right.size()) {}

    /// Nothing if there is no environment under which the operation runs whenever it ran under one of these.
    std::optional<Environment> run() {
        while (l_ != 0 || r_ != 0)
            if (!step()) return {};
        std::ranges::reverse(result_);
        return result_;
    }

private:
    bool step();
    bool both(const Frame& left, const Frame& right);
    bool drop(const Frame* only_left, const Frame* only_right);
    bool covers(const Frame& left, const Frame& right) const;

    bool has_one_condition(const Frame& left, const Frame& right) const {
        return name_of_(left.condition) == name_of_(right.condition);
    }

    const Environment &left_, &right_;
    const NameOf& name_of_;
    size_t l_, r_;
    Environment result_; ///< from the innermost frame out
    State state_ = State::Nothing;
};

bool Merge::step() {
    auto left           = l_ == 0 ? nullptr : &left_[l_ - 1];
    auto right          = r_ == 0 ? nullptr : &right_[r_ - 1];
    bool is_left_cond   = left && left->is_condition();
    bool is_right_cond  = right && right->is_condition();
    bool is_only_one_if = is_left_cond != is_right_cond;
    if (is_only_one_if) return drop(is_left_cond ? left : nullptr, is_right_cond ? right : nullptr);
    return left && right && both(*left, *right);
}

/// A condition that the other environment does not have here.
bool Merge::drop(const Frame* only_left, const Frame*) {
    auto next = only_left ? State::Left : State::Right;
    if (state_ != State::Nothing && state_ != next) return false;
    state_ = next;
    --(only_left ? l_ : r_);
    return true;
}

/// Functions of one side whose condition was dropped must be functions of the other: a call of theirs computed nothing.
bool Merge::covers(const Frame& left, const Frame& right) const {
    bool is_left_inside  = std::ranges::includes(right.functions, left.functions);
    bool is_right_inside = std::ranges::includes(left.functions, right.functions);
    bool needs_left      = state_ == State::Left || state_ == State::Both;
    bool needs_right     = state_ == State::Right || state_ == State::Both;
    return (is_left_inside || !needs_left) && (is_right_inside || !needs_right);
}

bool Merge::both(const Frame& left, const Frame& right) {
    --l_, --r_;
    bool are_conditions = left.is_condition() && right.is_condition();
    bool is_one         = are_conditions ? left.kind == right.kind && has_one_condition(left, right) : is_same(left, right);
    if (is_one) {
        if (left.kind == Kind::Fun && !covers(left, right)) return false;
        result_.push_back(left);
        auto& all = result_.back().functions;
        all.clear();
        std::ranges::set_union(left.functions, right.functions, std::back_inserter(all));
        return true;
    }
    bool is_opposite = are_conditions && has_one_condition(left, right);
    if (!is_opposite || state_ != State::Nothing) return false;
    state_ = State::Both;
    return true;
}

} // namespace

std::optional<Environment> merged(const Environment& left, const Environment& right, const NameOf& name_of) {
    return Merge(left, right, name_of).run();
}

} // namespace mim::plug::ainf
