// SPDX-License-Identifier: MIT
// The files of this plugin share this: types of derivatives (types.cpp), and the transformations that the phase
// consists of. One file for each.
#pragma once
#include "autodiff/annexes.h"
#include "driver/plugin.h"
#include "kit/match.h"

namespace mim {
class Lowered;
}

namespace mim::plug::autodiff {

MeaningFn mean_ad, mean_vjp, mean_jvp, mean_rule, mean_custom, mean_checkpoint, mean_stop, mean_zero, mean_add, mean_accumulate,
    mean_lift, mean_lift_with, mean_recorded, mean_keep, mean_kept, mean_array, mean_reverse;

/// The type of tangents of `type`.
const Def* tangent(World&, const Def* type);
/// Whether its tangents carry nothing, for whatever the variables in it stand for.
bool has_no_tangent(World&, const Def* type);
/// Whether it is a function, or holds one.
bool holds_function(World&, const Def* type);
/// Whether all is known of it, and it holds no functions, pointers or tokens.
bool is_plain(World&, const Def* type);
/// Whether its values are differentiated by reverse mode: plain ones, tokens, and pointers to such.
bool is_reversible(World&, const Def* type);
/// Whether there is a number in it, or in what it points to.
bool changes(World&, const Def* type);
/// Whether its tangents carry nothing, for pointers as well: their cotangents are in the shadow.
bool is_silent(World&, const Def* type);
/// Whether it is a token, or has one.
bool holds_token(World&, const Def* type);
/// Whether it is a pointer, or has one.
bool holds_pointer(World&, const Def* type);
/// The type of the values of a type in a program that is differentiated.
const Def* augmented(World&, const Def* type);
/// The zero of the tangents of a plain type.
const Def* zero_of(World&, const Def* type);
/// The sum of two tangents of a plain type.
const Def* sum_of(World&, const Def* type, const Def* a, const Def* b);

/// How many elements values of the type have, or how many members a union; negative: it is not known.
int64_t num_parts(World&, const Def* type);
/// The type of element i, or member i.
const Def* part_type(World&, const Def* type, uint64_t i);
/// The tangent of a value of the union for that of one of a member of it, or of a union of some of these.
const Def* injected_tangent(World&, const Def* type, const Def* member, const Def* tangent);
/// The other way: the part of the tangent of a value of the union that belongs to this member, or to a union of some.
const Def* member_tangent(World&, const Def* type, const Def* member, const Def* tangent);

/// T and U of `Fn T → U`, if the type is one, and U does not depend on the argument.
std::optional<std::pair<const Def*, const Def*>> continuation_style(const Pi*);
/// f, of the type T → U or Fn T → U, as T → U, with all functions in it in direct style; see straight.h.
const Def* straight(World&, const Def* f);
/// f with its operations that take functions as %autodiff.lift and %autodiff.lift_with; see lift.cpp.
const Def* lifted(World&, const Def* f);
/// f (g c), for `%autodiff.lift f g c`.
const Def* unlifted(World&, const Def* f, const Def* g, const Def* c);
/// f (g c) x, for `%autodiff.lift_with f g (c, x)`.
const Def* unlifted_with(World&, const Def* f, const Def* g, const Def* cx);
/// ‹i: n; f i›
const Def* array_of(World&, const Def* n, const Def* f);
/// Whether the functions that an operation takes call one around it.
bool calls_around(World&, const Def* operation);
/// Whether an operation, which lacks the last argument, has a derivative as %autodiff.lift_with: it takes and returns plain
/// values, and functions before.
bool is_differentiated_lifted(World&, const Def* operation);
/// Element i of n; one element is the whole.
const Def* part_of(World&, const Def* value, size_t i, size_t n);

/// How often the pullback of one activation is applied.
enum class Applied { Often, Once };

/// f as [AD T] → [AD U, Tan U → Tan T], where what f refers to is constant.
const Def* reversed(World&, const Def* f, Applied = Applied::Often);
/// f as [T, Tan U, Tan T] → Tan T, which adds the cotangent of its argument to the last one; that is `start`, of which
/// the parts that are zero are known.
const Def* accumulating(World&, const Def* f, const Def* start);
/// f as [T, Tan T] → [U, Tan U], likewise. `is_nested`: it is inside of what is differentiated.
const Def* forward(World&, const Def* f, bool is_nested);

/// The derivative that an operation is registered with, in which no other derivative is left to be made, but for those that
/// stay operations inside of others (nested.h). Null: none. `is_nested`: it is inside of what is differentiated.
const Def* registered(World&, const Def* operation, bool is_nested = false);
/// An expression in which no other derivative is left to be made, likewise.
const Def* inner(World&, const Def*, bool is_nested = false);

/// It takes a token, and is an operation of `mem` (memory.cpp).
bool is_memory_operation(const Def*);
/// Whether the function comes to mention the other one.
bool refers_to(World&, const Def* from, const Def* to);
/// Whether the accumulator begins with a token.
bool is_loop_over_memory(const Def* accumulator);
/// A loop and its pullback, with a tape of what the pullbacks of turns refer to; see loops.cpp.
const Def* lower_taped(const Lowered&);

/// Equal functions become one; see share.cpp.
void share(PhaseContext&);
/// The phase autodiff.differentiate.
void differentiate(PhaseContext&);

} // namespace mim::plug::autodiff
