// SPDX-License-Identifier: MIT
// Which types have tokens as values (spec section 1, "Meaning"; doc/adr/0012-tokens-in-types.md).
//
// A value is a *token* if its type T may come to hold one. T mentions what it may come to hold, so this is reachability: from T to an axiom
// with the property LinearType, or to a variable that stands for such a type, over the *parts* of types.
//
//     Σ, array, ∪           their element types
//     F a                   F and a: the body of a λ, the right sides of the rules that rewrite an axiom, an argument
//     (T, U)#i, ins         each element
//     match u with …        u, and the bodies of all arms
//     ⦃e⦄                   the type of e
//     [x: T] → U            none: a function holds no token, and one that captures a token does not escape (tokens.h)
//
// Parts that can hold no types themselves are left out: what lives in `*` holds none, since universes are predicative. A variable stands for
// such a type if it may be instantiated with one: see `instantiate`.
//
// A token is never *hidden*. In a package `(%mem.M, m)` of type `[T: *, T]` nothing would show that the second element is a token.
// So no value is assignable to a Σ if one of its elements is a type with tokens and the type of another element, as the Σ states it, has
// that element as a part: see `hidden`. Hence a type variable that the values beside it have as a part never stands for such a type.
#pragma once
#include <functional>
#include <unordered_map>
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
    bool is_token(const Def* value) { return !is_static(value) && contains(value->type()); }
    /// Whether values of this type are tokens.
    bool contains(const Def* type);

    /// A call that instantiates the type variables of a function. A `match` calls its arms with the members that they match. A rule calls its
    /// right side with what the pattern on the left stands for.
    struct Instance {
        const Def* callee;
        const Def* arg;
        enum : uint8_t { Call, Match, Rule } kind = Call; ///< Rule: `callee` is the pattern
    };
    /// Follows types that contain tokens into the type variables of the functions that are instantiated with them.
    void instantiate(const std::vector<Instance>& instances, const std::vector<const Lam*>& lams);

    /// The element of `value` that is a token, while the Σ that it would become an element of does not show that; null if there is none.
    /// Looks into the elements of a value that is assigned to a Σ or array as well.
    struct Hidden {
        const Def* sigma = nullptr;
        const Def* token = nullptr;
        explicit operator bool() const { return token; }
    };
    Hidden hidden(const Def* type, const Def* value);
    /// The same for the elements of this Σ alone, and null for any other type.
    const Def* hidden_here(const Def* type, const Def* value);

    /// The elements of a token of Σ or array type with a literal number of elements, or 0 if it is consumed as a whole, as arrays of more than
    /// 1024 elements are.
    size_t num_elems(const Def* token);
    /// def#i is a token.
    bool is_elem_token(const Def* token, size_t i);

private:
    enum State : uint8_t { Unknown, No, Yes, Open, Later };
    class Walk;
    void read_rules();
    bool may_become_any(const RewriteRule&);
    bool mark(const Def* var, const Def* arg);
    bool mark_pattern(const Def* pattern, const Def* arg);
    bool mark(const Instance&);
    bool passes(const Def* arg);
    bool types_values(const Def* place);
    uint8_t& memo(const Def* type) {
        if (type->id() >= memo_.size()) memo_.resize(type->id() + type->id() / 2 + 64);
        return memo_[type->id()];
    }

    World& world_;
    std::vector<uint8_t> memo_; ///< by id
    DefSet marked_;             ///< type variables that stand for types with tokens
    size_t num_rules_ = 0;
    std::unordered_map<const Axiom*, std::vector<const Def*>>
        rewritten_; ///< right sides of the rules for an axiom; null: any type
};

/// Whether values of this type may hold a function, also behind a pointer.
bool holds_function(const Def* type);
/// The same, but not behind a pointer.
bool holds_function_itself(const Def* type);
/// The type of the last of several parameters of a continuation, if that is one, too: the return of a function, in most cases.
const Pi* last_continuation(const Pi*);
/// Whether values of this type are, or hold, a call that never returns (⊥).
bool holds_never(const Def* type);
using IsFunction = std::function<bool(const Pi*)>;
/// Whether values of this type may hold a function for which `is_such` holds, or one whose results may hold one. `variables`: type variables
/// may stand for such a type.
bool may_hold(const Def* type, const IsFunction& is_such, bool variables = true);
/// Whether values of this type may hold a type.
bool holds_types(const Def* type);
/// Whether the types may be the same, once their free variables are known. `is_node`: two that are closed, or closed
/// parts of others, are so only if they are one node.
bool may_be_same(World&, const Def* type, const Def* other, bool is_node = false);
/// Whether a domain has types among its elements.
bool binds_types(const Def* dom);

} // namespace mim
