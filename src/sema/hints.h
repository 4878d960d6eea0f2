// SPDX-License-Identifier: MIT
// Notes on typical mistakes, on an error that was reported: they say what to write instead. They read the source as the
// user wrote it, and have no influence on what is accepted. Each function adds no note if it knows nothing to say.
#pragma once
#include <span>

#include "sema/errors.h"
#include "sema/result.h"

namespace mim {

/// @name values (hint_values.cpp)
///@{
/// A value at this place that does not have the type that the place asks for.
void hint_value(Errors&, Diagnostic&, const Def* type, const Def* value, Span);
/// An operand of this type of functions, which no operator takes; false if nothing is known about it.
bool hint_operand(Errors&, Diagnostic&, const Pi* type, Span);
/// A value at this place, where a type is asked for.
void hint_type(Errors&, Diagnostic&, const Def* value, Span);
/// The index of an element of this tuple does not have the type of an index.
void hint_index(Errors&, Diagnostic&, const Def* tuple, const Def* index);
/// A type without a name in front of it, as in `(x, y: T)`: the element of the pattern that lacks its type.
void hint_comma(Errors&, Diagnostic&, const ast::TuplePattern*, size_t elem);
///@}

/// @name types that read alike (hint_alike.cpp)
///@{
/// Writes them in full, or marks the variables of one name that they mean, where the message would show one text twice.
/// Its arguments are the type that is expected, the value, and the type of that.
void tell_apart(Errors&, Diagnostic&, const Def* type, const Def* value);
/// A union that is injected into one that has all its members.
void hint_widening(Errors&, Diagnostic&, const Def* part, const Def* union_type, Span);
///@}

/// @name calls that were not evaluated (hint_unfolded.cpp)
///@{
/// One of two types that differ has a call of a recursive function that stays, since not all that it takes is known: the filter by which it would
/// be evaluated.
void hint_unfolded(Errors&, Diagnostic&, const Def* expected, const Def* found);
///@}

/// @name calls (hint_calls.cpp)
///@{
/// A call whose function does not take args[0].
struct MisfitCall {
    const Pi* pi;       ///< of the function
    const Pi* implicit; ///< its type before its implicit arguments were inferred; null if it has none
    const Def* domain;  ///< as it was declared, if it is not known as a whole
    const ast::Expr* head;
    std::span<Arg> args;
    bool is_told; ///< the message shows what is known of the domain
};
void hint_argument(Errors&, Diagnostic&, const MisfitCall&);
/// A value is called that is not a function: `a[0]`, or two lines without a `;` between them.
void hint_callee(Errors&, Diagnostic&, const ast::Expr* callee, const ast::Expr* arg);
/// Whether a `fun` is called like a `lam`: the argument is what it takes besides its continuation.
bool lacks_return(World&, const Pi*, const Def* arg);
/// An annex of another plugin or axiom that does the same to values of this type, which the domain does not take.
void hint_other_annex(Errors&, Diagnostic&, const ast::Expr* head, const Def* domain, const Def* type);
///@}

} // namespace mim
