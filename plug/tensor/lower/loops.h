// SPDX-License-Identifier: MIT
// Loops over index spaces, and the values that they compute. A loop is `%affine.For`; an array is carried from turn to turn and updated, which the
// back end does in place. A value that loops compute is pure: code in continuation-passing style, called in direct style.
//
// An invariant of the turns is taken out of such code and passed to it as an argument, which is evaluated before the
// loop. An argument is evaluated even if no turn comes to need it, so only what cannot
// fail is taken past a loop that may have no turns; what may is evaluated behind a question for the number of turns.
// Loops that have no turns themselves if that one has none do not fail then.
#pragma once
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "ir/world.h"
#include "lower/schedule.h"

namespace mim::plug::tensor {

class Loops {
public:
    explicit Loops(World& world)
        : w(world) {}

    /// Nobody has put anything into it.
    const Def* blank(Defs shape, const Def* type);
    /// The array of this shape whose elements, of the type `type`, are what `element` makes of their indices. Loops
    /// are in this order.
    const Def* array(Defs shape, const Dims& order, const Def* type, const std::function<const Def*(Defs)>& element);
    /// The same, which takes the place of the array `blank`.
    const Def* fill(const Def* blank, Defs shape, const Dims& order, const std::function<const Def*(Defs)>& element);
    /// The same of several arrays at once: `elements` makes a tuple.
    const Def* arrays(Defs shape, const Dims& order, Defs types, const std::function<const Def*(Defs)>& elements);
    /// Makes the value that is carried to the next turn of the index and of the value that this turn gets.
    using Step = std::function<const Def*(Defs index, const Def* acc)>;
    /// `acc` after one step for each index of the shape, in row-major order.
    const Def* reduce(Defs shape, const Def* acc, const Step&);
    /// The second part of what is carried, after all steps.
    const Def* reduce_to_second(Defs shape, const Def* acc, const Step&);

    /// The number that the loop of this index counts. No type mentions the extent then, which may differ from turn to turn of
    /// the loops around.
    const Def* count(const Def* index);

    /// `array` with `value` at the index.
    const Def* insert(const Def* array, Defs shape, Defs index, const Def* value);
    /// The element, of the type `type`, at the index.
    const Def* extract(const Def* array, Defs shape, const Def* type, Defs index);
    const Def* array_type(Defs shape, const Def* type);

    /// Evaluating it neither fails nor runs for ever.
    bool is_total(const Def*);

    World& w;

private:
    class Nest;
    class Replacing;
    /// Expressions that loops evaluate in each turn.
    using Roots = std::vector<const Def*>;
    /// The functions that loops consist of.
    using Binders = std::unordered_set<const Def*>;

    using AtEnd = std::function<const Def*(const Def*)>;

    const Def* in_order(Defs shape, const Dims& order, const Def* acc, const Step&);
    const Def* turn_by_turn(Defs shape, const Def* acc, const Step&);
    const Def* run(Defs shape, const Def* init, const Def* result, const Step&, const AtEnd&);
    const Def* evaluate_before(const DefVec& values, const Def* code, Binders&);
    const Def* if_any(const Def* extent, const Def* code, const Def* otherwise, Binders&);

    DefVec invariants(const Roots&, const Binders&, bool only_total = false);
    Roots outside(Defs values, const Def* init, const Binders&);
    Roots with_effects_before(const Roots&, const Def* loops, const Binders&);
    bool is_given(const Def*);
    bool is_costly(const Def*);
    bool is_total_app(const Def*);
    bool is_total_callee(const Def*);
    bool is_total_code(const Def*);
    bool keep_if_total(const Def*, bool result);
    bool fails_without(const Def*, const Def* extent);
    const Def* element(const Def* tuple, size_t i, size_t n) { return n == 1 ? tuple : w.extract(tuple, i); }
    const Def* type_of_tuple(const DefVec& values, const Binders& own);
    const Def* in_terms_of(const Def* tuple, const DefVec& values, const Def* type, const Binders& own);

    std::unordered_map<const Def*, bool> costly_, total_;
};

} // namespace mim::plug::tensor
