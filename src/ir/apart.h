// SPDX-License-Identifier: MIT
// Private to src/ir: which types are apart, that is, stay different under every substitution (doc/adr/0011-unions.md).
//
// `match` chooses an arm by the member that a value was injected into, so no instance of two members may be one type. T # U, "T is apart
// from U", is the least symmetric relation with
//
//     T and U have different heads
//     ----------------------------  heads: Sort, ⊥, Nat, Idx, Π, Σ with its arity, axioms that nothing rewrites
//                T # U
//
//          a # b               T_i # U_i for one i              T # T' or U # U'
//     ---------------       -------------------------       ------------------------
//     Idx a # Idx b         [… T_i …] # [… U_i …]           [x: T] → U # [x: T'] → U'
//
//       a_i # b_i for one group of arguments          a, b are different literals,
//     ----------------------------------------        or tuples of one length with
//     %p.A a_0 … a_n # %p.A b_0 … b_n                 a_i # b_i for one i, or types that are apart:  a # b
//
//     different literals at one place of a and b             a : A    A # U
//     ------------------------------------------            ---------------
//                  ⦃a⦄ # ⦃b⦄                                    ⦃a⦄ # U
//
// An array of literal length counts as a Σ. Nothing is apart from a variable, a stuck term, ⊤, a union, or an array of unknown length. Every
// rule has one premise, so T # U holds if two nodes that clash can be reached from (T, U): a search over pairs, and a pair that comes back
// is no derivation. A derivation consists of heads and literals only, which substitution keeps; so the relation is stable under it.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/impl.h"

namespace mim {

/// A place in a type, as apartness sees it: a type, a value (what ⦃e⦄ contains, or a part of that), or an argument.
struct Spot {
    enum Kind : uint8_t { Type, Value, Arg };
    const Def* def;
    Kind kind;
    bool operator==(const Spot&) const = default;
};

/// The part of a place that no substitution changes. Two places with different heads clash.
struct Head {
    enum Kind : uint8_t { None, Sort, Bot, Nat, Idx, Pi, Sigma, Axiom, Lit, Tuple };
    Kind kind      = None;  ///< None: anything may become of it
    uint64_t value = 0;     ///< arity; literal; identity of the axiom
    bool is_large  = false; ///< the number 2^64
    explicit operator bool() const { return kind != None; }
    bool operator==(const Head&) const = default;
};

class Apart {
public:
    explicit Apart(World& world)
        : world_(world) {}

    bool check(const Def* a, const Def* b);
    /// Axioms that were met and taken for heads.
    std::unordered_set<const Axiom*> axioms;

    /// Nothing in the type can change. Two such types are apart if they are not one node.
    bool is_rigid(const Def* type) { return is_rigid({type, Spot::Type}); }

    static Spot type(const Def* def);
    Head head(Spot);
    /// The places inside that can clash, numbered; a place has as many as another one with the same head.
    uint64_t num_children(Spot, Head);
    Spot child(Spot, uint64_t i);

private:
    using Pair = std::pair<Spot, Spot>;
    struct PairHash {
        size_t operator()(const Pair&) const;
    };
    bool is_rigid(Spot);
    static Spot holder(Spot);
    Head type_head(const Def*);
    Head axiom_head(const Axm*);
    void push(Spot, Spot);
    void push_children(Spot, Spot, Head);

    World& world_;
    std::vector<Pair> work_;
    std::unordered_set<Pair, PairHash> seen_;
    std::unordered_map<const Def*, bool> rigid_;
};

/// The members of a large union by the heads at a few places, so that those that a type or a value can be an instance of, or the other way
/// round, are found without looking at each: a decision tree.
class MemberIndex {
public:
    MemberIndex(World&, Defs members);
    /// The indices of members that may not be apart from it, ascending.
    std::vector<size_t> candidates(World&, Spot) const;
    const std::unordered_set<const Axiom*>& axioms() const { return axioms_; } ///< whose values it tells apart

private:
    struct Edge { ///< from a place to one in it
        uint32_t place;
        Head head;
        uint64_t child;
        bool operator==(const Edge&) const = default;
    };
    struct EdgeHash {
        size_t operator()(const Edge&) const;
    };
    struct HeadHash {
        size_t operator()(const Head&) const;
    };
    using Marks = std::unordered_map<uint32_t, Head>; ///< by place
    struct Tree {
        uint32_t place = 0;                                                ///< that is looked at
        std::unordered_map<Head, std::unique_ptr<Tree>, HeadHash> by_head; ///< empty: a leaf
        std::vector<size_t> rest;                                          ///< members without a head there; all, in a leaf
    };
    static constexpr size_t max_leaf = 4;
    template<class Number>
    static Marks marks(Apart&, Spot, Number number);
    static std::unique_ptr<Tree> split(const std::vector<Marks>&, std::vector<size_t> group, std::unordered_set<uint32_t>& used);
    static void all(const Tree&, std::vector<size_t>&);

    std::unordered_map<Edge, uint32_t, EdgeHash> places_;
    std::unique_ptr<Tree> root_;
    std::unordered_set<const Axiom*> axioms_;
};

} // namespace mim
