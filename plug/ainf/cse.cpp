// SPDX-License-Identifier: MIT
// Common subexpressions. Operations with equal operands are one if their environments can be merged: if what runs under the merged one
// ran under one of the two before. Dropping a condition is what makes merging worthwhile: what both branches compute needs no condition.
#include <algorithm>
#include <optional>
#include <tuple>

#include "ainf.h"

namespace mim::plug::ainf {

namespace {

/// What has happened to the two environments further inside: nothing, a condition of one of them was dropped, or a condition of one and
/// its opposite of the other.
enum class State : uint8_t { Nothing, Left, Right, Both };

class Merge {
public:
    Merge(const Environment& left, const Environment& right)
        : left_(left)
        , right_(right)
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

    const Environment &left_, &right_;
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
    if (is_same(left, right)) {
        if (left.kind == Kind::Fun && !covers(left, right)) return false;
        result_.push_back(left);
        result_.back().functions.insert(right.functions.begin(), right.functions.end());
        return true;
    }
    bool is_opposite = left.is_condition() && right.is_condition() && left.condition == right.condition;
    if (!is_opposite || state_ != State::Nothing) return false;
    state_ = State::Both;
    return true;
}

/// What equal operations have in common. The index that a binder binds has no name in it.
using Key = std::tuple<Op, const Def*, const Def*, uint64_t, const Def*, uint32_t, std::vector<Operand>>;

Key key_of(const Primitive& p) {
    constexpr Operand kOwnIndex{true, UINT32_MAX};
    auto args        = p.args;
    const Def* bound = nullptr;
    uint32_t fold    = 0;
    if (p.is_binder()) {
        auto& f      = p.body.front();
        bool is_fold = f.kind == Kind::Fold;
        bound        = is_fold ? f.turn : f.type;
        fold         = is_fold ? f.fold : 0;
        auto& body   = args.back();
        if (body.is_index && !is_fold && f.binds(body.number)) body = kOwnIndex;
    }
    return {p.op, p.type, p.literal, p.mode, bound, fold, std::move(args)};
}

class Sharing {
public:
    /// One pass; whether it changed something.
    bool pass(List& list) {
        changed_ = false;
        renamed_.clear();
        table_.clear();
        std::vector<Binding> before = std::move(list.bindings);
        list.bindings.clear();
        for (auto& b : before) add(list.bindings, std::move(b));
        rename(list.result);
        return changed_;
    }

private:
    void rename(Operand& x) const {
        if (x.is_index) return;
        auto found = renamed_.find(x.number);
        if (found != renamed_.end()) x.number = found->second;
    }
    void add(std::vector<Binding>& list, Binding b);

    bool changed_ = false;
    std::map<uint32_t, uint32_t> renamed_;
    std::map<Key, std::vector<size_t>> table_; ///< all bindings with this key, by their positions
};

void Sharing::add(std::vector<Binding>& list, Binding b) {
    for (auto& x : b.p.args) rename(x);
    for (auto& f : b.env) rename(f.condition);
    auto& same = table_[key_of(b.p)];
    for (size_t i = same.size(); i-- != 0;) {
        auto& other = list[same[i]];
        auto merged = Merge(other.env, b.env).run();
        if (!merged) continue;
        other.env          = std::move(*merged);
        renamed_[b.number] = other.number;
        changed_           = true;
        return;
    }
    same.push_back(list.size());
    list.push_back(std::move(b));
}

} // namespace

List share(List list) {
    Sharing sharing;
    while (sharing.pass(list)) {}
    return list;
}

} // namespace mim::plug::ainf
