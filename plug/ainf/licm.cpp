// SPDX-License-Identifier: MIT
// Loop-invariant code motion with unswitching. One pass forward: when a binding is looked at, what it uses stands
// where it will stand. A frame of a loop is left if neither the operation nor anything that it uses needs its indices;
// a condition moves out to what it needs, and is never dropped.
#include <algorithm>
#include <ranges>
#include <span>

#include "ainf.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

using Frames = std::span<const Frame>;

/// Frames that are near each other are most often the same, so this looks at the inner ones first.
bool needs(Frames needed, const Frame& f) {
    return std::ranges::any_of(needed | std::views::reverse, [&](auto& other) { return is_same(f, other); });
}

class Motion {
public:
    List run(List list) {
        for (auto& b : list.bindings) {
            b.env = outermost(b);
            environments_.resize(std::max<size_t>(environments_.size(), b.number + size_t(1)));
            environments_[b.number] = &b.env;
        }
        return list;
    }

private:
    using Loops = std::vector<const Frame*>; ///< and functions: all frames but conditions
    Frames around(const Operand& x, Frames env) const;
    Loops needed_by(const Binding&) const;
    Environment outermost(const Binding&) const;
    void put(Environment& env, const Frame& condition, Frames needed) const;

    std::vector<const Environment*> environments_; ///< of the bindings so far, by their numbers
};

/// The frames that an operand stands under. Of an index: the frame of this environment that binds it.
Frames Motion::around(const Operand& x, Frames env) const {
    if (!x.is_index) return *environments_.at(x.number);
    auto binds = [&](const Frame& f) { return f.binds(x.number); };
    auto found = std::ranges::find_if(env, binds);
    return found == env.end() ? Frames() : Frames(&*found, 1);
}

/// The loops that the operands stand under, but those that the operation itself puts around them.
Motion::Loops Motion::needed_by(const Binding& b) const {
    Loops result;
    for (size_t i = 0; i != b.p.args.size(); ++i) {
        auto& x     = b.p.args[i];
        auto own    = frames_around(b.p, i);
        bool is_own = x.is_index && std::ranges::any_of(own, [&](auto& f) { return f.binds(x.number); });
        if (is_own) continue;
        for (auto& f : around(x, b.env))
            if (!f.is_condition() && !needs(own, f)) result.push_back(&f);
    }
    return result;
}

/// Whether an operation that does not use the indices of a frame may leave it: it must not be computed where it was
/// not before.
bool may_leave(const Frame& f, const Primitive& p) {
    if (p.op == Op::Literal) return true;
    if (f.kind == Kind::Fun) return false;
    auto size = isa_idx(f.kind == Kind::Fold ? f.turn : f.type);
    if (auto n = value(size)) return *n != 0;
    switch (p.op) { // the size may be 0, and these may be long
        case Op::App:
        case Op::Sum:
        case Op::For:
        case Op::Fold:
        case Op::Scan: return false;
        default: return true;
    }
}

/// Puts a condition just inside of the innermost frame that it needs.
void Motion::put(Environment& env, const Frame& condition, Frames needed) const {
    size_t at = env.size();
    while (at != 0 && !needs(needed, env[at - 1])) --at;
    while (at != env.size() && env[at].is_condition()) ++at; // conditions keep their order
    env.insert(env.begin() + static_cast<std::ptrdiff_t>(at), condition);
}

Environment Motion::outermost(const Binding& b) const {
    auto needed    = needed_by(b);
    auto is_needed = [&](const Frame& f) { return std::ranges::any_of(needed, [&](auto other) { return is_same(f, *other); }); };
    std::vector<bool> stays(b.env.size(), true);
    for (size_t i = b.env.size(); i-- != 0;) {
        auto& f = b.env[i];
        if (!f.is_condition()) stays[i] = is_needed(f) || !may_leave(f, b.p);
        else
            for (auto& other : around(f.condition, b.env))
                if (!other.is_condition()) needed.push_back(&other);
    }
    Environment result;
    for (size_t i = 0; i != b.env.size(); ++i)
        if (stays[i] && !b.env[i].is_condition()) result.push_back(b.env[i]);
    for (auto& f : b.env)
        if (f.is_condition()) put(result, f, around(f.condition, b.env));
    return result;
}

} // namespace

List move_out(List list) { return Motion().run(std::move(list)); }

} // namespace mim::plug::ainf
