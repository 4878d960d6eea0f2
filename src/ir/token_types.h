// SPDX-License-Identifier: MIT
// Which values are tokens. Private to the check in tokens.h.
#pragma once
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim {

/// Whether def is a type or a universe.
inline bool is_static(const Def* def) { return def->node() == Node::Sort || !def->type() || def->type()->node() == Node::Sort; }

class TokenTypes {
public:
    explicit TokenTypes(World& world)
        : world_(world) {}

    /// A value whose type contains a linear type.
    bool is_token(const Def* value);
    /// Whether values of this type are tokens.
    bool contains(const Def* type);
    /// Follows types that contain tokens into the type variables of the functions that `calls` instantiate with them.
    void instantiate(const std::vector<const App*>& calls, const std::vector<const Lam*>& lams);
    /// The elements of a token of Σ or array type with a literal number of elements, or 0 if it is consumed as a whole.
    size_t num_elems(const Def* token);
    /// def#i is a token.
    bool is_elem_token(const Def* token, size_t i);

private:
    bool mark(const Def* var, const Def* arg);
    bool passes(const Def* dom, const Def* arg);

    World& world_;
    enum : uint8_t { Unknown, No, Yes };
    uint8_t& memo(const Def* type) {
        if (type->id() >= memo_.size()) memo_.resize(type->id() + type->id() / 2 + 64);
        return memo_[type->id()];
    }
    std::vector<uint8_t> memo_; ///< by id
    DefSet marked_;             ///< type variables that stand for types with tokens
    DefSet existential_;        ///< variables with an element whose type is such a type variable
};

/// Whether values of this type may hold a function, also behind a pointer.
bool holds_function(const Def* type);
/// Whether the types may be the same: those with free variables may become any other.
bool may_be_same(World&, const Def* type, const Def* other);
/// Whether a domain has types among its elements.
bool binds_types(const Def* dom);

} // namespace mim
