// SPDX-License-Identifier: MIT
// Unions with labels (spec section 2): `| nil | cons [T, U]` is the union of ⦃0_2⦄ and [⦃1_2⦄, T, U]. Labels are a view of it, as field
// names are of a tuple (view.h): the type knows the numbers alone. Each label has a function that makes a value, which is made itself when
// somebody mentions it.
#pragma once
#include <deque>
#include <vector>

#include "ir/world.h"
#include "sema/result.h"

namespace mim {

struct LabelledType;

/// The declaration of a label.
struct Constructor {
    LabelledType* type;
    Symbol label;
    Symbol qualified; ///< with the name of the type in front
    Span span;
    uint32_t index;
    Res made = {}; ///< once it was mentioned
};

/// A union that is declared with labels, or a function that makes such ones.
struct LabelledType {
    Symbol name;
    Span span;
    const Def* def                        = nullptr; ///< null: it is not complete yet, or had an error
    const View* view                      = nullptr;
    bool is_complete                      = false;
    std::vector<Constructor> constructors = {};
};

/// Whether the declared type, applied to some arguments, is this one. Sets the arguments, if they are asked for.
bool makes(World&, const LabelledType&, const Def* type, std::vector<const Def*>* args = nullptr);
/// The declared type that makes this one: of several the one with the fewest parameters, of equal ones the last. Null if there are none, or
/// several without parameters, which nobody can tell apart.
const LabelledType* find_maker(World&, const std::deque<LabelledType>&, const Def* type, std::vector<const Def*>* args = nullptr);

/// @name members of unions; a member is a type
///@{
/// The types that a value of this type may have: itself, unless it is a union.
Defs members_of(const Def* const& type);
/// The literal of the singleton that a member begins with; null if it begins with none.
const Lit* label_of(const Def* member);
/// The number of elements behind the label, which the member has.
size_t num_payload(const Def* member);
/// The type of what is behind the label: of one element itself, of more a tuple.
const Def* payload_type(World&, const Def* member);
/// The elements behind the label in a value of the member.
const Def* payload_of(World&, const Def* member, const Def* value);
/// A value of the member; the payload may be null if it has none.
const Def* labelled_value(World&, const Def* member, const Def* payload);
///@}

} // namespace mim
