// SPDX-License-Identifier: MIT
// Facts on the nodes of a program, found in one walk over the graph: what is a token, what is made from one, and what
// is on a cycle.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "linear/nodes.h"

namespace mim::linear {

class Facts {
public:
    struct Fact {
        uint32_t order     = 0; ///< of visits; 0: not visited
        uint32_t component = 0; ///< strongly connected component of the graph; 0: not known yet
        bool known         = false;
        bool token         = false;
        bool has_token     = false; ///< made from tokens
        bool reaches       = false; ///< has tokens, or functions that do not return, in it, also in bodies of functions
        bool anchored      = false; ///< made from λs that are not closed, and reach some
        bool cyclic        = false;
    };

    Facts(World& world, TokenTypes& types)
        : world_(world)
        , types_(types) {}

    /// Adds what can be reached from the roots to the program.
    void connect(std::span<const Lam* const> roots);
    /// Finds the tokens of the program, once all is connected. Whether there are some.
    bool find_tokens();
    /// Finds the other facts.
    void find();

    /// All that the program is made of: operands come first, but for cycles.
    const std::vector<const Def*>& nodes() const { return nodes_; }
    /// All functions of the program.
    const std::vector<const Lam*>& lams() const { return lams_; }

    /// The values in the types that the node has for operands: where the types are needed at run time, these are evaluated. Those that mention
    /// a variable of a type are left out, but not what they are made from.
    std::span<const Def* const> type_values(const Def*);

    /// Also of a node that was made after the walk.
    const Fact& of(const Def* d) {
        auto& fact    = at(d);
        bool is_known = fact.known || fact.component != 0 || d->node() == Node::Lam;
        return is_known ? fact : made_later(d, fact);
    }
    bool is_token(const Def* d) { return of(d).token; }
    /// On a cycle of the graph through this λ.
    bool is_recursive(const Lam* lam) { return of(lam).cyclic; }
    /// The strongly connected component of the graph that this is in, from 1 to `num_components`; 0 if it was made
    /// after the walk.
    uint32_t component(const Def* d) { return of(d).component; }
    uint32_t num_components() const { return num_components_; }

    /// The elements of a token that are told apart; 0 if it is consumed as a whole.
    size_t num_elems(const Def* token) { return token->type()->node() == Node::Pi ? 0 : types_.num_elems(token); }
    /// It, or what it is a projection of, takes a token.
    bool makes_from_token(const Def*);
    /// Whether this use of a node may consume a token. Most nodes never do: the elements of a table of constants, say.
    bool matters(const Key&);
    /// Whether it chooses one of several constants: tables have thousands, and none of them matters.
    bool is_table(const Key& choice);

private:
    Fact& at(const Def* d) {
        if (d->id() >= facts_.size()) facts_.resize(d->id() + d->id() / 2 + 64);
        return facts_[d->id()];
    }
    const Fact& made_later(const Def*, Fact&);
    void classify(const Def*);

    World& world_;
    TokenTypes& types_;
    std::vector<Fact> facts_; ///< by id
    std::unordered_map<const Def*, std::vector<const Def*>> type_values_;
    std::vector<const Def*> nodes_;
    std::vector<const Lam*> lams_;
    uint32_t num_components_ = 0, num_visits_ = 0;
};

} // namespace mim::linear
