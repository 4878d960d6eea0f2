// SPDX-License-Identifier: MIT
// Private to src/sema: what the printed IR declares at one place. A region is the body of a binder (or the file). Its items are
// the functions, recursive types and shared nodes that mention the binder's variable, directly or from within, and no variable
// bound further inside: they are declared there, in the order of their dependencies.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/world.h"

namespace mim {

class Region {
public:
    struct Item {
        enum Kind : uint8_t { Fun, Let, Rec, Axm };
        const Def* def;
        Kind kind;
    };
    using Component = std::vector<Item>; ///< more than one, or recursive: they need each other
    struct Order {
        std::vector<Component> components; ///< what they depend on first
        size_t num_first = 0;              ///< as many of them are all that the first roots need
        std::unordered_set<const Def*> recursive;
    };

    Region(World& world, const std::unordered_set<const Def*>& bound)
        : world_(world)
        , bound_(bound) {}

    /// `var` is null for the file. `roots` are printed in the region, `first` before others.
    Order run(const Def* var, Defs roots, Defs first = {});

    /// @name shape of the graph as it is printed
    ///@{
    /// Printed in place however often it is used.
    static bool is_atom(const Def*);
    /// Calls f for each part that the text of `def` contains.
    template<class F>
    static void children(World& world, const Def* def, F f);
    /// An arm of a match that is printed in place.
    static bool is_inline_arm(World& world, const Def* arm) {
        auto lam = arm->isa<Lam>();
        return lam && lam->is_set() && lam->filter() == world.tt();
    }
    /// Declared by the text, not by a plugin.
    static bool is_own(const Axiom& a) { return a.own || a.kind != Axiom::Op; }
    static const Def* codom(World& world, const Lam* lam) { return world.codom(lam->pi(), lam->var()); }
    ///@}

private:
    bool depends(const Def*);
    bool is_home(const Def*);
    void collect(const Def*);
    bool is_item(const Def*, Item::Kind&);
    bool is_big(const Def*, size_t& budget);
    void find_edges();
    void edges_from(const Def* def, uint32_t from, std::vector<uint32_t>& to);
    void visit(uint32_t, Order&);

    World& world_;
    const std::unordered_set<const Def*>& bound_;
    const Def* var_ = nullptr;
    std::unordered_map<const void*, const Def*> unbound_; ///< by set of free variables: one that is bound further inside, or null
    std::unordered_map<const Def*, uint32_t> uses_;       ///< of nodes at home here
    std::unordered_set<const Def*> seen_;
    std::vector<const Def*> post_order_;
    std::vector<Item> items_;
    std::unordered_map<const Def*, uint32_t> index_;
    std::unordered_map<const Def*, uint32_t> stamp_;
    struct State {
        uint32_t index = 0, low = 0;
        bool on_stack = false;
        std::vector<uint32_t> edges;
    };
    std::vector<State> states_;
    std::vector<uint32_t> stack_;
    uint32_t count_ = 0;
};

template<class F>
void Region::children(World& world, const Def* def, F f) {
    switch (def->node()) {
        case Node::Lam: {
            auto lam = def->as<Lam>();
            f(lam->dom());
            if (!lam->is_cn()) f(codom(world, lam));
            if (lam->op(0)) f(lam->op(0));
            if (lam->op(1)) f(lam->op(1));
            return;
        }
        case Node::Axm: return f(def->type());
        case Node::Lit: return f(def->type());
        case Node::Var: return;
        case Node::Inj: f(def->op(0)); return f(def->type());
        case Node::Match:
            f(def->op(0));
            for (auto arm : def->as<Match>()->arms()) {
                if (is_inline_arm(world, arm)) {
                    f(arm->as<Lam>()->dom());
                    f(arm->as<Lam>()->body());
                } else {
                    f(arm->type()->as<Pi>()->dom());
                    f(arm);
                }
            }
            return;
        default:
            for (auto op : def->ops())
                if (op) f(op);
    }
}

} // namespace mim
