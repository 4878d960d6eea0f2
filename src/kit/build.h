// SPDX-License-Identifier: MIT
// Programs from C++. One function is World::lam, or World::con:
//
//     auto more = w.con(w.nat(), [&](auto i) { return w.app(loop, w.call(core::nat::add, {i, one})); });
//
// Functions that call each other are made first, and get their bodies then.
#pragma once
#include <string_view>
#include <type_traits>
#include <vector>

#include "ir/world.h"

namespace mim {

/// f (0), …, f (n - 1).
template<class F>
DefVec def_vec(size_t n, F f) {
    DefVec result;
    result.reserve(n);
    for (size_t i = 0; i != n; ++i) result.push_back(f(i));
    return result;
}
/// f (x) for each x.
template<class Range, class F>
DefVec map_defs(const Range& xs, F f) {
    DefVec result;
    result.reserve(xs.size());
    for (auto x : xs) result.push_back(f(x));
    return result;
}

/// A group of functions that may call each other. None of their calls is reduced: their filters are ff.
class Functions {
public:
    explicit Functions(World& world)
        : world_(world) {}

    /// A function of this type that has no body yet.
    Lam* lam(const Def* pi, std::string_view name = {}) {
        auto lam = world_.mut_lam(pi);
        if (!name.empty()) world_.notes.set_name(lam, world_.sym(name));
        world_.set_filter(lam, world_.ff());
        all_.push_back(lam);
        return lam;
    }
    /// A continuation of this domain.
    Lam* con(const Def* dom, std::string_view name = {}) { return lam(world_.cn(dom), name); }
    /// A continuation that takes nothing.
    Lam* block(const Def* body, std::string_view name) {
        auto block = con(world_.unit_type(), name);
        world_.set_body(block, body);
        return block;
    }
    /// Calls one of two blocks.
    const Def* branch(const Def* cond, const Def* yes, const Def* no) {
        return world_.app(world_.select(cond, yes, no), world_.unit());
    }
    const std::vector<Lam*>& all() const { return all_; }
    /// All have their bodies.
    void close() { world_.close(all_); }

private:
    World& world_;
    std::vector<Lam*> all_;
};

} // namespace mim
