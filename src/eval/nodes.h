// SPDX-License-Identifier: MIT
// The nodes of the graph that a machine evaluates: what is known of each, and where its value is kept; machine.cpp says
// what a home is.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "eval/value.h"
#include "ir/world.h"

namespace mim::eval {

class Activations;

struct NodeInfo {
    const Def* home = nullptr; ///< the innermost binder whose variable is free in it; null: closed
    uint32_t slot   = 0;       ///< of its value in the memo of its home's frames
    bool known      = false;   ///< whether home and slot are
    uint8_t linear  = 2;       ///< of a type: whether values of it are tokens; 2: not known yet
    uint8_t aborted = 0;       ///< attempts to evaluate it that were given up
    bool counted    = false;   ///< whether the uses of its operands are
    bool is_shared  = false;   ///< several nodes that are counted use it
    const Def* user = nullptr; ///< the first of them
};

class Nodes {
public:
    /// Each node is shown to the activations before it is evaluated for the first time.
    Nodes(World& world, Activations& activations)
        : world_(world)
        , activations_(activations) {}

    /// Holds until a new node is asked for.
    NodeInfo& info(const Def* def) {
        auto id = def->id();
        if (id >= infos_.size()) grow(id);
        return infos_[id];
    }
    /// The frame of env in which the value of def is kept. Throws Failure if a variable of def has no value in env.
    Env home(const Def* def, const Env& env);
    /// The value of def under env if one is kept, and its home in any case.
    bool find(const Def* def, const Env& env, Env& home, Value& value);
    /// Keeps the value of def in its home.
    void keep(const Def* def, Frame& home, const Value& value);
    /// Whether several nodes ask for its value, or for a choice that may be this value.
    bool is_shared(const Def* def);
    /// Whether values of this type are tokens or have some.
    bool is_linear(const Def* type);
    /// Whether this call or `match` makes or takes a token, or may enter code that takes one of the code around it.
    bool may_be_effect(const Def* def);

private:
    void grow(size_t id);
    void learn(NodeInfo&, const Def* def, const Env& env);
    void count_uses(const Def* root);

    World& world_;
    Activations& activations_;
    std::vector<NodeInfo> infos_; ///< by the node's id
    std::unordered_map<const Def*, uint32_t> num_slots_;
};

} // namespace mim::eval
