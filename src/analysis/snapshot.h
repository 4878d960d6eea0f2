// SPDX-License-Identifier: MIT
// The program as it is before a phase: what is reachable from the functions visible outside, and who uses what. Linear in the graph;
// makes no nodes.
#pragma once
#include <functional>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim {

class Snapshot {
public:
    explicit Snapshot(World&);

    /// Outside in: whatever a node is made of comes later, or is part of something that came before.
    const std::vector<const Def*>& nodes() const { return nodes_; }
    /// The axioms that occur: whoever looks for one need not look at all nodes for none.
    const std::vector<const Axiom*>& axioms() const { return axioms_; }
    bool contains(const Def* def) const { return def->id() < index_.size() && index_[def->id()] != 0; }
    /// What def is a part of; a node that has it twice comes twice. Empty for a node that was made later.
    Defs users(const Def* def) const {
        if (!contains(def)) return {};
        auto i = index_[def->id()] - 1;
        return Defs(users_.data() + first_[i], first_[i + 1] - first_[i]);
    }
    bool is_external(const Def* def) const { return contains(def) && index_[def->id()] <= num_externals_; }
    /// It still is the program: nodes never change, so the same external functions are the same program.
    bool is_current(const World&) const;

private:
    std::vector<const Def*> nodes_, users_;
    std::vector<const Axiom*> axioms_;
    std::vector<uint32_t> index_; ///< by id: position in nodes_ + 1
    std::vector<uint32_t> first_; ///< by position: of its users
    std::vector<External> externals_;
    uint32_t num_externals_ = 0; ///< they come first
};

/// Whether something evaluates the effect, and only the bodies of such functions do. Such an effect happens when they
/// are called, even if it depends on nothing that they bind: it may be one of several ways to go on with a token.
bool happens_only_in(const Snapshot&, const Def* effect, const std::function<bool(const Def* lam)>& is_such);

} // namespace mim
