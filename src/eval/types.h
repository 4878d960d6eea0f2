// SPDX-License-Identifier: MIT
// Types at run time: a type is an expression with an environment, looked at one level at a time. Equality decides which
// arm of a match is taken and compares structurally.
#pragma once
#include <cstdint>

#include "eval/type_pairs.h"
#include "eval/value.h"

namespace mim::eval {

class Budget;

/// How a type looks outside, with the operands as values: enough to compute with types.
struct TypeView {
    enum Form { Nat, Idx, Pi, Sigma, Arr, Union, Axiom, Sort, Bot, Top, Sing, Other } form;
    Value type;                  ///< the reduced type
    uint64_t size           = 0; ///< Idx: its n (0: 2^64; is_empty tells 0 apart); Arr: arity; Sigma, Union: number
    bool is_empty           = false;
    const mim::Axiom* axiom = nullptr; ///< Axiom: the head…
    Values groups;                     ///< … and its arguments
};

class Types {
public:
    Types(Machine& m, Budget& budget, Heap& heap)
        : m_(m)
        , budget_(budget)
        , heap_(heap) {}

    TypeView view(const Value& type);
    /// The type that all members of a union are with these values of the variables; None if there are several.
    Value sole_member(const Def* union_type, const Env& env);
    /// Which member of the union the value is. Throws Failure if it is none.
    uint64_t member_of(const TypeView& union_type, const Value& value, const Def* where);
    /// The i-th element type of a Sigma or Arr for the aggregate `agg` (may be None if nothing depends on it); the i-th
    /// member of a Union.
    Value elem_type(const Value& type, uint64_t i, const Value& agg = {});
    /// The declared type of an element of a Σ, which decides the layout: earlier elements are unknown there, so an
    /// `Idx n` takes 64 bits.
    Value elem_shape(const Value& shape, uint64_t i);
    bool same_type(const Value& a, const Value& b);
    /// A number, a type that mentions no variable, a plugin's type or a tuple of such as an expression again; all else
    /// fails.
    const Def* reify(const Value& v, const Def* where);

private:
    Values members(const TypeObj& union_type);
    Values in_order(Values types);
    bool is_reifiable(const Value& v);
    Value without_arrays_of_one(const Value& type);
    Value rigid(const Value& type, unsigned depth);
    bool same(const Value& a, const Value& b);
    bool same_values(const Values& a, const Values& b);
    bool same_value(const Value& a, const Value& b);
    bool same_form(const Value& a, const Value& b);
    bool same_function(const TypeObj& a, const TypeObj& b);
    bool same_aggregate(const TypeView& a, const TypeView& b);
    bool covers(const TypeView& a, const TypeView& b);

    Machine& m_;
    Budget& budget_;
    Heap& heap_;
    TypePairs same_; ///< assumed to be equal
};

} // namespace mim::eval
