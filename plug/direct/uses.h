// SPDX-License-Identifier: MIT
// The graph of uses of one closed function: who needs what, and in which context.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/domtree.h"
#include "analysis/program.h"

namespace mim::plug::direct {

/// Facts that hold in every function.
class Facts {
public:
    explicit Facts(World& world)
        : world_(world) {}
    World& world() { return world_; }
    /// What becomes control: a call in direct style, a selection that must not evaluate all its elements, a `match` of a value.
    bool is_control(const Def* def);
    bool is_call(const Def* def);
    /// A selection by an unknown index from elements that are written down.
    const Extract* isa_selection(const Def* def);
    /// A call of a selection that is control, `((f, g)#i) a`, as the selection of calls `(f a, g a)#i`; all else as it is.
    const Def* distributed(const Def* def);
    bool is_match(const Def* def) { return def->isa<Match>() && !def->type()->isa<Bot>(); }
    /// Whether evaluating def costs nothing but time on a path that does not need it.
    bool is_speculatable(const Def* def);
    bool is_closed(const Def* def) { return world_.is_closed(def); }
    /// A λ that computes a value, no type.
    bool is_run_time(const Lam* lam) { return lam->is_set() && is_term(lam->body()); }

private:
    World& world_;
    std::unordered_map<const Def*, bool> speculatable_;
};

class Uses {
public:
    struct Vertex {
        enum Kind : uint8_t { Simple, Control, Function, Arm, Thunk };
        Kind kind      = Simple;
        const Def* def = nullptr; ///< the expression; Arm: the expression that the arm stands for
        uint32_t owner = 0;       ///< Arm: the selection
        uint32_t order = 0;       ///< operands come before what uses them
        uint32_t home  = 0;       ///< the innermost context that dominates it
        std::vector<uint32_t> succs;
        bool is_context() const { return kind >= Function; }
    };

    Uses(Facts& facts, const Lam* root);

    Vertex& operator[](uint32_t v) { return vertices_[v]; }
    size_t size() const { return vertices_.size(); }
    /// -1 if def is no vertex: a literal, a variable, a closed function.
    int64_t vertex(const Def* def) const {
        auto i = ids_.find(def);
        return i == ids_.end() ? -1 : int64_t(i->second);
    }
    /// What is to be done in `context`, operands first: its own controls, functions and thunks to define, and outer thunks to force.
    /// Contexts are entered from the outside in.
    const std::vector<uint32_t>& enter(uint32_t context);

private:
    uint32_t add(const Def* def, Vertex::Kind kind, std::vector<uint32_t>& todo);
    void connect(uint32_t v, std::vector<uint32_t>& todo);
    void dominators();
    const std::vector<uint32_t>& needs(uint32_t v);
    void collect(uint32_t from, std::vector<uint32_t>& out);

    Facts& facts_;
    std::vector<Vertex> vertices_;
    std::unordered_map<const Def*, uint32_t> ids_;
    std::vector<std::vector<uint32_t>> children_; ///< of the dominator tree
    std::unordered_map<uint32_t, std::vector<uint32_t>> items_, needs_;
    std::unordered_set<uint32_t> strict_;
};

} // namespace mim::plug::direct
