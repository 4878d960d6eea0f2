// SPDX-License-Identifier: MIT
// What functions that escape together take from around them: parts of variables and results of effects, which are passed by value.
#pragma once
#include <functional>
#include <unordered_set>
#include <vector>

#include "analysis/snapshot.h"
#include "ir/world.h"

namespace mim::plug::clos {

class Captures {
public:
    /// `is_outer` says of a function that it is known as a value outside.
    Captures(World& world, const Snapshot& program, std::function<bool(const Lam*)> is_outer)
        : world_(world)
        , program_(program)
        , is_outer_(std::move(is_outer)) {}

    /// Of functions with the same free variables, which refer to each other. The type of a value mentions only values before it, and no
    /// value is a part of another one.
    DefVec operator()(const std::vector<const Lam*>& group);
    /// The functions that become part of the group's code, from the outside in.
    const std::vector<const Lam*>& inner() const { return inner_; }

private:
    void find_enclosing(const Def*);
    void collect(const std::vector<const Lam*>& group);
    const Def* whole(const Def*);
    void visit(const Def* root);
    void leaf(const Def*);
    bool is_leaf(const Def*);
    bool is_leaf_function(const Lam*);
    bool is_outer_effect(const Def*);
    void find_nested();

    World& world_;
    const Snapshot& program_;
    std::function<bool(const Lam*)> is_outer_;
    std::unordered_set<const Def*> outer_, enclosing_, seen_, group_;
    DefSet nested_;                         ///< functions that become code of the group, with its own; once somebody asks
    std::unordered_set<const Def*> wholes_; ///< all values that are captured, once they are known
    DefVec leaves_;
    std::vector<const Lam*> inner_;
};

} // namespace mim::plug::clos
