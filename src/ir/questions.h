// SPDX-License-Identifier: MIT
// Questions about the graph: which expressions are equal, which values a type has, which variables are free.
#pragma once
#include <cstdint>

#include "ir/def.h"

namespace mim {

/// Equality of the calculus: up to α, coinductive on recursive types; fills no placeholder.
bool equal(World&, const Def*, const Def*);
/// T ← e. May fill placeholders on either side.
bool assignable(World&, const Def* type, const Def* value);
/// Whether `callee` may be applied to `arg`: assignable to the domain, except that an element may be 2^64 if the
/// callee's type (or, of a λ that makes types, its body) uses it as a size, that is, as the argument of `Idx` or as an
/// arity. `type` is that of the callee where it is instantiated further than the callee itself.
bool takes(World&, const Def* callee, const Def* arg, const Pi* type = nullptr);
/// Neither is the other, and no substitution makes them equal (ir/apart.h).
bool apart(World&, const Def*, const Def*);
/// equal, but may fill placeholders.
bool unify(World&, const Def*, const Def*);
/// The number of elements of a value of this type: an expression of type Nat (1 if it is no Σ or array).
const Def* arity(World&, const Def* type);
/// The same when it is a literal below 2^32, else -1.
int64_t lit_arity(World&, const Def* type);
const Def* codom(World&, const Pi*, const Def* arg);
/// The i-th element type of `type` for the value e.
const Def* elem_type(World&, const Def* type, const Def* e, const Def* index);
/// def where the index has this value; null if the index is in a binder.
const Def* replace_index(World&, const Def* def, const Def* index, const Def* value);
unsigned level(World&, const Def* type); ///< s if type : Sort s; throws if it is no type
bool is_type(const Def*);
/// A mutable type that something it contains points to.
bool is_recursive(World&, const Def*);
/// No free variables (unset λs count as closed).
bool is_closed(World&, const Def*);
/// Free variables, in the order of their ids, for as long as the world lives. Equal sets are the same memory.
Defs free_vars(World&, const Def*);
bool is_free_in(World&, const Def* var, const Def* def);
/// Whether `inj` would not choose the member that this one has.
bool is_by_hand(World&, const Inj*);
/// The index of its member in its union. It must not be a union itself.
size_t index_of_member(const Inj*);

} // namespace mim
