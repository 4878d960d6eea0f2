// SPDX-License-Identifier: MIT
// The graph of uses of one closed function: who needs what, and in which context.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/domtree.h"
#include "facts.h"

namespace mim::plug::direct {

class Uses {
public:
    struct Vertex {
        enum Kind : uint8_t { Simple, Control, Function, Arm, Delay, Thunk };
        Kind kind = Simple;
        const Def* def =
            nullptr; ///< the expression; Function: a λ, or a pack that code fills; Arm: the expression that the arm stands for; Delay: the argument
        uint32_t owner = 0;       ///< Arm: the selection; Delay: the call
        Leaf* leaf     = nullptr; ///< Delay: what it is passed as
        uint32_t order = 0;       ///< operands come before what uses them
        uint32_t home  = 0;       ///< the innermost context that dominates it
        bool is_strict = false;   ///< evaluated whenever its home is: each arm of a selection counts as a case
        std::vector<uint32_t> succs;
        bool is_context() const { return kind >= Function; }
    };

    /// `deciding`: how arguments are passed is still to be found out, so that each that may be passed by need is a Delay.
    Uses(Facts& facts, const Lam* root, bool deciding = false);

    Vertex& operator[](uint32_t v) { return vertices_[v]; }
    size_t size() const { return vertices_.size(); }
    /// The arms of a selection or match, in order.
    std::vector<uint32_t> arms(uint32_t v) const;
    using Users = std::vector<std::vector<uint32_t>>; ///< who needs it, by vertex
    Users find_users() const;
    /// A call or a choice that makes a token.
    bool is_effect(uint32_t v) const { return vertices_[v].kind == Vertex::Control && facts_.is_effect(vertices_[v].def); }
    bool has_delays() const { return has_delays_; }
    /// -1 if def is no vertex: a literal, a variable, a closed function.
    int64_t vertex(const Def* def) const {
        auto i = ids_.find(def);
        return i == ids_.end() ? -1 : int64_t(i->second);
    }
    /// What is to be done in `context`, operands first: its own controls, functions and thunks to define, and outer thunks to force.
    /// Contexts are entered from the outside in.
    const std::vector<uint32_t>& enter(uint32_t context);
    /// Controls that are evaluated whenever v is: those reached without entering an arm or a function, and those that all arms of a
    /// selection among them need.
    const std::vector<uint32_t>& needs(uint32_t v);
    /// Whether a path through its home may call this thunk more than once, or what is passed by need may.
    bool is_repeated(uint32_t thunk);
    /// Whether no path calls this thunk twice, for certain. (A second evaluation of a value by another thunk does no
    /// harm, so is_repeated() does not see that.)
    bool is_once(uint32_t thunk);

    /// Which element of the choice of functions that `end` calls this function is, if nothing else uses it; -1 if it
    /// is none.
    int64_t last_arm(const Def* end, uint32_t function);

private:
    void connect_call(uint32_t v, const App* call, std::vector<uint32_t>& todo);
    void to(uint32_t v, const Def* def, std::vector<uint32_t>& todo);
    void to_type(uint32_t v, uint32_t function, const Lam* lam, std::vector<uint32_t>& todo);
    void arm(uint32_t v, const Def* def, std::vector<uint32_t>& todo, Leaf* leaf = nullptr);
    uint32_t add(const Def* def, Vertex::Kind kind, std::vector<uint32_t>& todo);
    void connect(uint32_t v, std::vector<uint32_t>& todo);
    void outside_of_packs();
    /// Lets contexts need effects that are certain there, and those around recursions what is older than these; whether there are any.
    bool place_effects();
    class Effects;
    bool binds(uint32_t context, Defs vars) const;
    bool is_pack(uint32_t v) const;
    std::vector<uint32_t> outside_of(uint32_t pack, bool strictly) const;
    void dominators();
    /// What is evaluated whenever `from` is; `out`: the controls and thunks among it.
    std::unordered_set<uint32_t> collect(uint32_t from, std::vector<uint32_t>& out);
    const std::vector<uint32_t>& common(uint32_t selection);
    std::vector<uint32_t> meet(std::vector<std::vector<uint32_t>> sets, uint32_t selection);
    struct Intersection;
    void forget(uint32_t v);
    unsigned count(uint32_t thunk, uint32_t context);
    unsigned count_in(uint32_t thunk, uint32_t v);
    bool is_in_function(uint32_t thunk);
    template<class IsPast, class GoesOn>
    bool visit_askers(uint32_t thunk, IsPast, GoesOn);
    bool knows_who_asks(uint32_t thunk);
    const App* only_call(uint32_t function);
    unsigned most_calls(uint32_t thunk);
    unsigned count_entered(uint32_t thunk, uint32_t context);
    const Def* only_user(int64_t v);

    void find_strict(const std::vector<uint32_t>& order, const std::vector<std::vector<uint32_t>>& preds);

    Facts& facts_;
    bool deciding_, has_delays_ = false;
    std::vector<Vertex> vertices_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> may_need_; ///< who may need it, though only a function inside asks for it
    std::vector<uint32_t> idoms_;
    std::unordered_map<const Def*, uint32_t> ids_;
    std::vector<std::vector<uint32_t>> children_; ///< of the dominator tree
    Users users_;                                 ///< once somebody asks
    std::unordered_map<uint32_t, std::vector<uint32_t>> items_, needs_, common_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> entered_;     ///< what contexts need, as it was when they were entered
    std::unordered_map<uint32_t, std::vector<uint32_t>> looked_into_; ///< by which selections, to find out what their arms need
    std::unordered_set<uint32_t> strict_;
    /// How often a context calls the thunk that somebody asked for last.
    struct Counted {
        uint32_t asked = 0;
        unsigned count = 0;
    };
    std::vector<Counted> counts_; ///< by vertex
    /// Functions that one call enters, and that call, by the contexts that they are in. For the thunk that somebody
    /// asked for last.
    std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, const App*>>> entered_once_;
    uint32_t num_asked_   = 0;
    unsigned num_counted_ = 0; ///< contexts, for this one
};

} // namespace mim::plug::direct
