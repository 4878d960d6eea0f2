// SPDX-License-Identifier: MIT
// What private memory holds at each token: static single assignment on demand (after Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form"), where the chain of tokens is the control flow. From a load, it goes back along the tokens to
// the store that reaches it. At the token of a continuation, it goes on at the token of the only use of that continuation; with several
// uses, the continuation gets the content as a parameter, and each use passes it.
//
// Pointers must not get out of sight, so calls of functions that do not mention the memory leave it alone.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/snapshot.h"
#include "mem.h"

namespace mim::plug::mem {

/// What memory holds: a value of the program, or the parameter that a continuation gets for it, or nothing yet.
struct Content {
    const Def* value = nullptr;
    const Lam* param = nullptr;
};

/// A use of a continuation: the call that leads there, and the token with which it does.
struct Edge {
    const App* call;
    const Def* token;
    enum Kind : uint8_t {
        Call,   ///< it is what is called
        Arm,    ///< it is a choice of what is called
        Return, ///< it is where the call returns to
    } kind;
};

using Lams = std::set<const Lam*>;

/// How continuations are reached, as far as tokens of one kind can be followed. Shared by all memory of a phase.
class Flow {
public:
    Flow(World& world, const Snapshot& program)
        : world_(world)
        , program_(program) {}

    /// The uses of lam, with the token that they pass as the part `token` of its argument (null: none is asked for); null if there are
    /// others.
    const std::vector<Edge>* edges(const Lam* lam, const Def* token);
    /// Its calls begin an activation.
    bool is_function(const Lam* lam);
    /// Functions get into memory.
    bool keeps_functions();
    /// The functions in whose bodies def is, without those around these. Costs one look at each node, for all questions together.
    const Lams& around(const Def* def);
    World& world() { return world_; }
    const Snapshot& program() { return program_; }

private:
    bool find_edges(const Lam* lam, const Def* token, std::vector<Edge>& out);
    bool climb(const Def* def, Edge::Kind, const Def* token, std::vector<Edge>& out);
    bool climb_tuple(const Def* def, const Def* tuple, const Def* token, std::vector<Edge>& out);
    bool add(const App* call, Edge::Kind, const Def* token, std::vector<Edge>& out);

    World& world_;
    const Snapshot& program_;
    struct Known {
        bool ok;
        std::vector<Edge> edges;
    };
    std::unordered_map<const Def*, Known> known_; ///< by token, or function
    std::optional<bool> keeps_functions_;
    const Lams* merge(const Lams*, const Lams*);
    std::set<Lams> sets_; ///< each once, so that equal ones are one
    std::unordered_map<const Def*, const Lams*> around_;
};

/// A value for memory that holds nothing yet; null if its type has no literal.
const Def* nothing(World&, const Def* type);

/// One allocation, and what it holds where.
class Contents {
public:
    Contents(Flow& flow, const App* op)
        : flow_(flow)
        , op_(op) {}

    /// False if it must stay in memory. `steps` bounds the work, and is what is left of it.
    bool analyze(uint64_t& steps);

    const App* op() const { return op_; }
    const Def* type() const { return group(op_, 0); }
    const std::vector<const App*>& loads() const { return loads_; }
    const std::unordered_set<const App*>& stores() const { return stores_; }
    const std::vector<const App*>& frees() const { return frees_; }
    /// The token that one of these operations takes.
    const Def* token_of(const App* op) const;
    /// Continuations that get the content as a parameter, in a fixed order, and how they are reached.
    const std::vector<std::pair<const Lam*, const std::vector<Edge>*>>& params() const { return params_; }
    /// What it holds at this token: that of a load, or of an edge to a continuation with a parameter.
    Content at(const Def* token) const { return at_.at(token); }

private:
    bool find_uses();
    bool find_inside();
    bool follow(const Def* token, uint64_t& steps);
    std::optional<const Def*> before(const Def* token, Content& content);
    std::optional<const Def*> enter(const Lam* lam, const Def* token, Content& content);
    bool leaves_alone(const Lam*, const Edge&);

    Flow& flow_;
    const App* op_;
    const Def* pointer_ = nullptr;
    std::vector<const App*> loads_, frees_;
    std::unordered_set<const App*> stores_;
    std::unordered_set<const Def*> inside_; ///< functions that mention it
    std::unordered_map<const Def*, Content> at_;
    std::unordered_map<const Lam*, const Def*> param_tokens_;
    std::vector<std::pair<const Lam*, const std::vector<Edge>*>> params_;
    DefVec todo_; ///< tokens
};

} // namespace mim::plug::mem
