// SPDX-License-Identifier: MIT
// Common subexpressions. Operations with equal operands are one if their environments can be merged: if what runs
// under the merged one ran under one of the two before. Dropping a condition is what makes merging worthwhile: what
// both branches compute needs no condition.
#include <algorithm>
#include <optional>
#include <tuple>

#include "ainf.h"

namespace mim::plug::ainf {

namespace {

/// The state of the two environments further inside: nothing was dropped, a condition of one of them was dropped, or a
/// condition of one and its opposite of the other.
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

/// Equal operations have equal keys. The index that a binder binds has no name in it.
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

bool is_commutative(const Primitive& p) {
    constexpr uint64_t kNoNaN = 1, kNoSignedZero = 4, kAnyOrder = kNoNaN | kNoSignedZero;
    switch (p.op) {
        case Op::NatAdd:
        case Op::NatMul:
        case Op::FltAdd:
        case Op::FltMul:
        case Op::Equal: return true;
        case Op::FltMax: return (p.mode & kAnyOrder) == kAnyOrder;
        default: return false;
    }
}

class Sharing {
public:
    explicit Sharing(bool simplifies)
        : simplifies_(simplifies) {}

    List run(List list) {
        while (pass(list)) {}
        return list;
    }

private:
    bool pass(List&);
    void rename(Operand& x) const {
        if (x.is_index) return;
        auto found = renamed_.find(x.number);
        if (found != renamed_.end()) x = found->second;
    }
    void add(Binding);
    bool merge(const Binding&, const std::vector<size_t>& same);
    const Binding& definition(const Operand& x) const { return list_[positions_.at(x.number)]; }
    bool is_within(const Operand&, const Environment&) const;
    std::optional<Operand> simpler(const Binding&) const;
    std::optional<Operand> element(const Binding&) const;

    bool simplifies_;
    bool changed_ = false;
    std::vector<Binding> list_;
    std::map<uint32_t, size_t> positions_;
    std::map<uint32_t, Operand> renamed_;
    std::map<Key, std::vector<size_t>> table_; ///< all bindings with this key, by their positions
};

/// One pass; whether it changed something.
bool Sharing::pass(List& list) {
    changed_ = false;
    renamed_.clear(), table_.clear(), positions_.clear(), list_.clear();
    for (auto& b : list.bindings) add(std::move(b));
    rename(list.result);
    list.bindings = std::move(list_);
    return changed_;
}

/// Makes the binding another name of one of these, the newest that can be.
bool Sharing::merge(const Binding& b, const std::vector<size_t>& same) {
    for (size_t i = same.size(); i-- != 0;) {
        auto& other = list_[same[i]];
        auto merged = Merge(other.env, b.env).run();
        if (!merged) continue;
        other.env          = std::move(*merged);
        renamed_[b.number] = {false, other.number};
        return changed_    = true;
    }
    return false;
}

void Sharing::add(Binding b) {
    for (auto& x : b.p.args) rename(x);
    for (auto& f : b.env) rename(f.condition);
    if (auto other = simplifies_ ? simpler(b) : std::nullopt) {
        renamed_[b.number] = *other;
        changed_           = true;
        return;
    }
    if (simplifies_ && is_commutative(b.p)) std::ranges::sort(b.p.args);
    auto& same = table_[key_of(b.p)];
    if (merge(b, same)) return;
    same.push_back(list_.size());
    positions_[b.number] = list_.size();
    list_.push_back(std::move(b));
}

/// Whether an operand may stand in this environment: all of its frames are there.
bool Sharing::is_within(const Operand& x, const Environment& env) const {
    if (x.is_index) return std::ranges::any_of(env, [&](auto& f) { return f.binds(x.number); });
    return !missing(definition(x).env, env, {});
}

/// x[i] ▷ y where x = for i. y, if the loop is around, and i is its index.
std::optional<Operand> Sharing::element(const Binding& b) const {
    auto& array = b.p.args[0];
    auto& index = b.p.args[1];
    if (array.is_index || definition(array).p.op != Op::For) return {};
    auto& loop   = definition(array).p;
    auto& frame  = loop.body.front();
    bool is_own  = index.is_index && frame.binds(index.number);
    bool is_here = std::ranges::any_of(b.env, [&](auto& f) { return is_same(f, frame); });
    return is_own && is_here ? std::optional(loop.args[0]) : std::nullopt;
}

/// Another operand that the operation is the same as.
std::optional<Operand> Sharing::simpler(const Binding& b) const {
    std::optional<Operand> other;
    auto& args = b.p.args;
    if (b.p.op == Op::Get) other = element(b);
    if (b.p.op == Op::Ite && args[1] == args[2]) other = args[1];
    bool is_part  = b.p.op == Op::Fst || b.p.op == Op::Snd;
    bool is_known = is_part && !args[0].is_index && definition(args[0]).p.op == Op::Pair;
    if (is_known) other = definition(args[0]).p.args[b.p.op == Op::Fst ? 0 : 1];
    return other && is_within(*other, b.env) ? other : std::nullopt;
}

} // namespace

List share(List list) { return Sharing(false).run(std::move(list)); }
List simplify(List list) { return Sharing(true).run(std::move(list)); }

} // namespace mim::plug::ainf
