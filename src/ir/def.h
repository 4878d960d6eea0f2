// SPDX-License-Identifier: MIT
// The node of the graph. There is one syntactic category: a type is a Def like any term, and each Def has one type.
//
// A Def is a header of 32 bytes with its operands in line behind it. *Immutable* nodes are hash-consed by the World: pointer
// equality is syntactic equality. *Mutable* nodes bind a variable or are recursive; they are created first, filled once and then
// sealed. Sealing a non-recursive type or pack canonicalizes it up to α, so types mostly compare by pointer; mim::equal
// decides the rest. Locations and names live in side tables of the World.
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mim {

class Def;
class World;
struct Axiom;
struct VarSet;
using Defs   = std::span<const Def* const>;
using DefVec = std::vector<const Def*>;

// clang-format off
// X(name, operands): the closed set of nodes.
#define MIM_NODES(X)                                                                      \
    X(Sort,    "level in the header")             /* Sort s : Sort s+1 */                 \
    X(Bot,     "")                                /* ⊥ : * */                             \
    X(Top,     "")                                /* ⊤ : * */                             \
    X(Nat,     "")                                /* Nat : * */                           \
    X(Idx,     "")                                /* Idx : Nat → * */                     \
    X(Lit,     "value in the header")             /* n : Nat, i_n : Idx n */              \
    X(Axm,     "descriptor in the header")        /* axm %p.a: T, and C functions */      \
    X(Var,     "binder")                          /* the variable of a mutable */         \
    X(Hole,    "solution")                        /* a placeholder of inference */        \
    X(Pi,      "domain codomain")                 /* [x: T] → U */                        \
    X(Lam,     "filter body")                     /* λ x: T @f: U = e */                  \
    X(App,     "callee argument")                 /* e e */                               \
    X(Sigma,   "types…")                          /* [x0: T0, …] */                       \
    X(Tuple,   "elements…")                       /* (e0, …) */                           \
    X(Arr,     "arity body")                      /* «x: n; T» */                         \
    X(Pack,    "arity body")                      /* ‹x: n; e› */                         \
    X(Extract, "tuple index")                     /* e#i */                               \
    X(Insert,  "tuple index value")               /* ins(e, i, v) */                      \
    X(Union,   "members…")                        /* T ∪ U, in canonical order */         \
    X(Inj,     "value member")                    /* e inj @M T: M is one of T's members */ \
    X(Match,   "scrutinee arms…")                 /* one λ per member, in their order */  \
    X(Sing,    "value")                           /* ⦃e⦄ */
// clang-format on

enum class Node : uint8_t {
#define MIM_NODE_ENUM(name, ops) name,
    MIM_NODES(MIM_NODE_ENUM)
#undef MIM_NODE_ENUM
};
std::string_view node_name(Node);
inline constexpr size_t num_nodes = 0
#define MIM_NODE_COUNT(name, ops) +1
    MIM_NODES(MIM_NODE_COUNT)
#undef MIM_NODE_COUNT
    ;

class Def {
public:
    enum Flag : uint8_t {
        Mut      = 1,   ///< binds a variable or is recursive; never hash-consed
        IsSet    = 2,   ///< mutable: its operands are in place
        Sealed   = 4,   ///< mutable: its operands will not change any more
        HasDep   = 8,   ///< some Var or some mutable is reachable through immutable nodes (a cheap over-approximation of "open")
        HasHole  = 16,  ///< an unfilled (or filled, not yet rebuilt) placeholder is reachable through immutable nodes
        Stale    = 32,  ///< some call in it waits for a body that was not set: rebuild when the component closes
        Implicit = 64,  ///< Pi: the argument is inferred at a call
        Placed   = 128, ///< a place in the text is known
    };

    Node node() const { return node_; }
    /// Every node has a type; null only for a mutable type that is not sealed yet and was created without one.
    const Def* type() const { return node_ == Node::Sort ? sort_type() : type_; }
    uint32_t id() const { return id_; } ///< order of creation: deterministic; use it for every order, never the address
    uint32_t hash() const { return hash_; }
    size_t num_ops() const { return num_ops_; }
    const Def* op(size_t i) const {
        assert(i < num_ops_);
        return ops_begin()[i];
    }
    Defs ops() const { return {ops_begin(), num_ops_}; }

    bool has(Flag f) const { return flags_ & f; }
    bool is_mut() const { return has(Mut); }
    bool is_set() const { return !is_mut() || has(IsSet); }
    bool is_sealed() const { return !is_mut() || has(Sealed); }
    /// Contains placeholders or calls that must be rebuilt.
    bool is_unstable() const { return flags_ & (HasHole | Stale); }
    /// The variable a mutable binds (after normalization: a variable of singleton type is the singleton's value); else null.
    const Def* var() const { return is_mut() && node_ != Node::Hole ? ops_begin()[num_ops_] : nullptr; }

    template<class T>
    const T* isa() const {
        return node_ == T::Tag ? static_cast<const T*>(this) : nullptr;
    }
    template<class T>
    const T* as() const {
        assert(node_ == T::Tag);
        return static_cast<const T*>(this);
    }
    template<class T>
    T* isa_mut() const {
        return node_ == T::Tag && is_mut() ? const_cast<T*>(static_cast<const T*>(this)) : nullptr;
    }
    template<class T>
    T* as_mut() const {
        assert(node_ == T::Tag && is_mut());
        return const_cast<T*>(static_cast<const T*>(this));
    }

    Def(const Def&)            = delete;
    Def& operator=(const Def&) = delete;

protected:
    Def(Node node, const Def* type, size_t num_ops)
        : type_(type)
        , num_ops_(static_cast<uint32_t>(num_ops))
        , node_(node) {}
    const Def* const* ops_begin() const { return reinterpret_cast<const Def* const*>(this + 1); }
    const Def** ops_begin() { return reinterpret_cast<const Def**>(this + 1); }
    const Def* sort_type() const;

    const Def* type_;
    union Payload {
        uint64_t value;     ///< Lit
        World* world;       ///< Sort
        const Axiom* axiom; ///< Axm
        const void* deps;   ///< all others: cached free variables, see ir/free_vars.cpp
    } payload_{0};
    uint32_t id_   = 0;
    uint32_t hash_ = 0;
    uint32_t num_ops_;
    Node node_;
    mutable uint8_t flags_ = 0;
    uint16_t aux_ =
        0; ///< Sort: level; Lit: 1 for 2^64; Tuple: 1 if declared; App, Axm: groups until the axiom is saturated + 1 (0: no axiom)

    friend struct WorldImpl;
    friend class FreeVars;
    friend class HoleTable;
    friend class Notes;
};
static_assert(sizeof(Def) == 40 || sizeof(Def) == 32);

#define MIM_NODE(name)                                                                                                           \
public:                                                                                                                          \
    static constexpr Node Tag = Node::name;                                                                                      \
                                                                                                                                 \
private:                                                                                                                         \
    using Def::Def;                                                                                                              \
    friend struct WorldImpl;

class Sort : public Def {
    MIM_NODE(Sort)
public:
    unsigned level() const { return aux_; }
};
class Bot : public Def {
    MIM_NODE(Bot)
};
class Top : public Def {
    MIM_NODE(Top)
};
class Nat : public Def {
    MIM_NODE(Nat)
};
class Idx : public Def {
    MIM_NODE(Idx)
};

class Lit : public Def {
    MIM_NODE(Lit)
public:
    /// The value; 0 for 2^64, which is_2_64() tells apart.
    uint64_t value() const { return payload_.value; }
    /// The Nat 2^64: a size only, never an operand of arithmetic.
    bool is_2_64() const { return aux_ != 0; }
};

class Axm : public Def {
    MIM_NODE(Axm)
public:
    const Axiom& axiom() const { return *payload_.axiom; }
};

class Var : public Def {
    MIM_NODE(Var)
public:
    const Def* binder() const { return op(0); }
};

/// A placeholder that inference fills with HoleTable::fill.
class Hole : public Def {
    MIM_NODE(Hole)
public:
    const Def* solution() const { return has(IsSet) ? op(0) : nullptr; }
};

class Pi : public Def {
    MIM_NODE(Pi)
public:
    const Def* dom() const { return op(0); }
    /// May mention var(); codom(w, pi, arg) instantiates it.
    const Def* codom() const { return op(1); }
    bool is_implicit() const { return has(Implicit); }
    bool is_cn() const { return codom()->node() == Node::Bot; }
};

class Lam : public Def {
    MIM_NODE(Lam)
public:
    const Pi* pi() const { return type()->as<Pi>(); }
    const Def* dom() const { return pi()->dom(); }
    const Def* filter() const { return op(0); }
    const Def* body() const { return op(1); }
    bool is_cn() const { return pi()->is_cn(); }
    /// Its body is not known yet, or not completely: calls cannot be reduced.
    bool is_waiting() const { return !is_set() || body()->has(HasHole); }
};

class App : public Def {
    MIM_NODE(App)
public:
    const Def* callee() const { return op(0); }
    const Def* arg() const { return op(1); }
};

class Sigma : public Def {
    MIM_NODE(Sigma)
};
class Tuple : public Def {
    MIM_NODE(Tuple)
public:
    /// Its type is a dependent Σ that was declared for it, not the Σ of the types of its elements (doc/adr/0014-declared-types.md).
    bool is_declared() const { return aux_ != 0; }
};

/// A tuple with a type that was declared for it.
inline bool is_declared(const Def* def) { return def->node() == Node::Tuple && def->as<Tuple>()->is_declared(); }

class Arr : public Def {
    MIM_NODE(Arr)
public:
    const Def* arity() const { return op(0); }
    const Def* body() const { return op(1); }
};

class Pack : public Def {
    MIM_NODE(Pack)
public:
    const Def* arity() const { return op(0); }
    const Def* body() const { return op(1); }
};

class Extract : public Def {
    MIM_NODE(Extract)
public:
    const Def* tuple() const { return op(0); }
    const Def* index() const { return op(1); }
};

class Insert : public Def {
    MIM_NODE(Insert)
public:
    const Def* tuple() const { return op(0); }
    const Def* index() const { return op(1); }
    const Def* value() const { return op(2); }
};

class Union : public Def {
    MIM_NODE(Union)
};

class Inj : public Def {
    MIM_NODE(Inj)
public:
    const Def* value() const { return op(0); }
    /// The member of the union that the value was injected into, an operand of that type. If it is a union itself, all its members are
    /// members: the value keeps its own one, and only its type is wider.
    const Def* member() const { return op(1); }
};

class Match : public Def {
    MIM_NODE(Match)
public:
    const Def* scrutinee() const { return op(0); }
    Defs arms() const { return ops().subspan(1); }
};

class Sing : public Def {
    MIM_NODE(Sing)
public:
    const Def* value() const { return op(0); }
};
#undef MIM_NODE

} // namespace mim
