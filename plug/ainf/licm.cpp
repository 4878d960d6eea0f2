// SPDX-License-Identifier: MIT
// Loop-invariant code motion with unswitching. One pass forward: when a binding is looked at, what it uses stands
// where it will stand. A frame of a loop is left if neither the operation nor anything that it uses needs its indices;
// a condition moves out to what it needs, and is never dropped.
#include <algorithm>

#include "ainf.h"
#include "kit/match.h"

namespace mim::plug::ainf {

namespace {

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
    /// The frames that an operand stands under.
    Environment around(const Operand& x, const Environment& env) const;
    bool needs(const Environment& needed, const Frame&) const;
    Environment needed_by(const Binding&) const;
    Environment outermost(const Binding&) const;
    void put(Environment& env, const Frame& condition, const Environment& needed) const;

    std::vector<const Environment*> environments_; ///< of the bindings so far, by their numbers
};

/// Of an index: the frame of this environment that binds it.
Environment Motion::around(const Operand& x, const Environment& env) const {
    if (!x.is_index) return *environments_.at(x.number);
    Environment result;
    for (auto& f : env)
        if (f.binds(x.number)) result = {f};
    return result;
}

bool Motion::needs(const Environment& needed, const Frame& f) const {
    return std::ranges::any_of(needed, [&](auto& other) { return is_same(f, other); });
}

/// All frames that the operands stand under, but those that the operation itself puts around them.
Environment Motion::needed_by(const Binding& b) const {
    Environment result;
    for (size_t i = 0; i != b.p.args.size(); ++i) {
        auto own = frames_around(b.p, i);
        auto env = b.env;
        env.insert(env.end(), own.begin(), own.end());
        for (auto& f : around(b.p.args[i], env))
            if (!needs(own, f)) result.push_back(f);
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
void Motion::put(Environment& env, const Frame& condition, const Environment& needed) const {
    size_t at = 0;
    for (size_t i = 0; i != env.size(); ++i)
        if (needs(needed, env[i])) at = i + 1;
    while (at != env.size() && env[at].is_condition()) ++at; // conditions keep their order
    env.insert(env.begin() + static_cast<std::ptrdiff_t>(at), condition);
}

Environment Motion::outermost(const Binding& b) const {
    auto needed = needed_by(b);
    std::vector<bool> stays(b.env.size(), true);
    for (size_t i = b.env.size(); i-- != 0;) {
        auto& f = b.env[i];
        if (f.is_condition()) {
            for (auto& other : around(f.condition, b.env)) needed.push_back(other);
        } else {
            stays[i] = needs(needed, f) || !may_leave(f, b.p);
        }
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
