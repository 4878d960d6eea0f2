// SPDX-License-Identifier: MIT
// Placeholders of inference, and which variables their solutions may mention.
#pragma once
#include <functional>
#include <unordered_set>
#include <vector>

#include "ir/id_table.h"

namespace mim {

class HoleTable {
public:
    explicit HoleTable(World& world)
        : world_(world) {}

    /// A fresh one of this type. Its solution may only mention variables of binders that are open now.
    const Def* make(const Def* type);
    /// The same, for binders that were entered up to this scope.
    const Def* make(const Def* type, uint32_t scope);
    /// From now on the body of this binder is built.
    void enter(const Def* binder) { entered_.put(binder, ++scope_); }
    /// Also in the solutions of other placeholders.
    static bool mentions(const Def* def, const Def* hole);

    /// @name for inference
    ///@{
    void fill(const Hole*, const Def* value);
    /// The scope up to which its solution may mention binders.
    uint32_t scope(const Hole* hole) const { return scopes_[number(hole)]; }
    bool in_scope(const Hole*, const Var*) const;
    /// Whether the binder was entered within the scope of the placeholder.
    bool is_around(const Def* binder, const Hole*) const;
    /// Like find_hole, but recursive types are looked into as well.
    const Hole* find_open(const Def* root, const std::function<bool(const Hole*)>& holds);
    bool holds_open(const Def*);
    /// The placeholder occurs in value; placeholders of deeper scopes in value are raised to this one's scope.
    bool occurs(const Hole*, const Def* value);
    /// Throws for the first open placeholder in root, if any.
    void report(const Def* root) const;
    /// The type that this one stands for is known: where it is still found, it will stay.
    void tied(const Def* hole) { tied_.insert(hole); }
    /// A recursive type around a placeholder, which its flags do not tell.
    void note_around(const Def* type) { around_.insert(type); }
    bool has_around() const { return !around_.empty(); }
    ///@}

private:
    static size_t number(const Hole*);

    World& world_;
    std::vector<uint32_t> scopes_;
    uint32_t scope_ = 0;
    IdTable<uint32_t> entered_;
    std::unordered_set<const Def*> around_;
    std::unordered_set<const Def*> tied_;    ///< those of recursive types
    std::unordered_set<const Def*> without_; ///< expressions that no open one is in any more
};

/// The first placeholder in an expression, and in the solutions of others, that is not solved and that `holds` is true
/// of; null if there is none. It sees each once.
const Hole* find_hole(const Def* root, const std::function<bool(const Hole*)>& holds);

} // namespace mim
