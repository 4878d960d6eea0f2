// SPDX-License-Identifier: MIT
// Private to src/sema: what the printed IR declares where. A region is the body of a binder (or the file). Its nodes are those that
// mention the binder's variable, directly or from within, and no variable bound further inside; its items are the functions, recursive
// types and shared nodes among them: they are declared there, in the order of their dependencies.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/world.h"

namespace mim {

/// The regions of a place: its own, and those of the binders inside of it.
class Regions {
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

    /// Of a place where `var` is bound and, with it, all of `bound`; `var` is null for the file. `roots` are printed there, `first` before
    /// others.
    Regions(World& world, const std::unordered_set<const Def*>& bound, const Def* var, Defs roots, Defs first = {});

    /// What is declared at the place itself.
    Order order() { return order(nullptr); }
    /// Whether `body` is all that is printed where `var` is bound, and inside of this place. Types with several places where their variable
    /// is bound have no region here.
    bool has(const Def* var, const Def* body) const {
        auto it = bodies_.find(var);
        return it != bodies_.end() && it->second == body;
    }
    Order order(const Def* var);

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
    /// The call that is printed for an arm out of place whose domain is ⦃e⦄: the reader takes `e` for the name that is bound there, so that
    /// the arm mentions this node. Null: the domain is another one.
    static const Def* known_call(World& world, const Def* arm) {
        auto only = arm->type()->as<Pi>()->dom()->isa<Sing>();
        return only ? world.app(arm, only->value()) : nullptr;
    }
    /// Declared by the text, not by a plugin.
    static bool is_own(const Axiom& a) { return a.own || a.kind != Axiom::Op; }
    static const Def* codom(World& world, const Lam* lam) { return mim::codom(world, lam->pi(), lam->var()); }
    ///@}

private:
    struct Vertex {
        const Def* def;
        uint32_t uses               = 1;
        uint32_t post               = 0;     ///< its place in the order of the region
        uint32_t nesting            = 0;     ///< of its text where it is used
        bool is_deep                = false; ///< its text would nest too deeply where it is used: it is declared
        std::vector<uint32_t> edges = {}; ///< vertices of the same region that its text mentions, or that of what is inside of it
    };
    struct Region {
        std::vector<Vertex> vertices;
        std::vector<uint32_t> order; ///< what a vertex is made of before it, where there are no cycles
        size_t num_first = 0;        ///< of `order`: what the first roots need
    };
    struct Position {
        Region* region;
        uint32_t vertex;
        uint32_t depth;
    };
    /// The innermost variable that a node mentions, null for one of the place itself, and how many binders of the place are around it.
    struct Home {
        const Def* var = nullptr;
        uint32_t depth = 0;
    };
    class Search;
    static constexpr uint32_t None = ~0u;

    Home home(const Def*);
    uint32_t depth(const Def* var);
    uint32_t walk(const Def*, const Position* user);
    uint32_t enter(const Def*, const Position&);
    uint32_t enter_arm(const Lam*, const Position& match);
    void count_again(const Def*, uint32_t place);
    void connect(const Position* user, const Position& to);
    void note_body(const Def* binder, const Def* var);
    uint32_t& around(uint32_t depth) {
        if (around_.size() <= depth) around_.resize(depth + 1, None);
        return around_[depth];
    }
    bool is_item(const Vertex&, Item::Kind&);
    bool is_big(const Def*, size_t& budget);

    World& world_;
    const Def* var_;
    std::unordered_map<const void*, Home> homes_;     ///< by set of free variables
    std::unordered_map<const Def*, uint32_t> depths_; ///< of variables; 0: bound outside
    std::unordered_map<const Def*, Region> regions_;  ///< by variable
    std::unordered_map<const Def*, Position> positions_;
    std::unordered_map<const Def*, const Def*> bodies_; ///< by variable; null if something else mentions it
    std::unordered_map<const Def*, uint32_t>
        counted_again_; ///< inside of a shared arm: the place of the innermost such arm so far
    /// By depth: the vertex of the region one less deep around where we are. None: it has no text of its own, as a rule.
    std::vector<uint32_t> around_;
};

template<class F>
void Regions::children(World& world, const Def* def, F f) {
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
        case Node::Inj:
            f(def->op(0));
            if (is_by_hand(world, def->as<Inj>())) f(def->op(1));
            return f(def->type());
        case Node::Match:
            f(def->op(0));
            for (auto arm : def->as<Match>()->arms()) {
                if (is_inline_arm(world, arm)) {
                    f(arm->as<Lam>()->dom());
                    f(arm->as<Lam>()->body());
                } else {
                    auto call = known_call(world, arm);
                    f(arm->type()->as<Pi>()->dom());
                    f(call ? call : arm);
                }
            }
            return;
        default:
            for (auto op : def->ops())
                if (op) f(op);
            if (is_declared(def)) f(def->type());
    }
}

} // namespace mim
