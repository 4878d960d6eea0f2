// SPDX-License-Identifier: MIT
// Linearity (spec section 1, "Meaning"): a token is consumed exactly once on each path.
//
// A *token* is a value whose type contains an axiom with the property LinearType (outside of function types), also through a type
// variable that somebody instantiates with such a type, or a function that was applied to a token and waits for more arguments.
//
// How it is checked. For a λ, a path is a choice of an arm at each branch of its body. What a node passes to its operands is the exact set
// of paths on which it is evaluated (path_sets.h). A token must be consumed on all paths on which it is made, and nowhere twice. One
// pass over the body, operands after users, checks all tokens at once. A node that is shared by two arms gets the union of both.
//
// Tokens that a λ captures: each λ has a summary of the tokens of outer binders that a call of it consumes, by itself or through the λs
// that it calls or passes as a return: a least fixed point over the calls. Entering a λ consumes each captured token once; that
// this is so is checked in its own body. So a loop that leaves through a continuation which returns an outer token is fine, while
// consuming it in the body would be one use there and another by going around.
//
// A function that may leave through several continuations is a branch of its caller. If it captures a token, and what it returns to as
// well, then it consumes the token on its way out elsewhere and leaves it alone on the way back. What is returned to is entered once: see
// repeats.h. Which continuations these are is a least fixed point over all calls: see leaving.cpp.
//
// A call in direct style that may leave takes a token: it is an effect, and tokens say when effects happen.
//
// A path that ends in a call that never returns may drop tokens. A token that is a constant (an axiom, or made from one) exists once:
// all functions capture it.
#pragma once
#include <span>
#include <vector>

#include "ir/violation.h"
#include "ir/world.h"

namespace mim {

/// All functions that can be reached from the externals, in an order that only depends on the program. For graphs that phases changed: a
/// function that leaves through what it was inlined into may capture tokens as long as nobody calls it again. Once calls are
/// jumps (Axiom::Jumps), nothing is checked.
std::vector<Violation> check_tokens(World&);
/// The same for the phase manager, which must not blame a phase that did no wrong: nothing is said of tokens that such a function carries
/// if it is a value, since paths do not show who consumes them.
std::vector<Violation> check_tokens_between_phases(World&);
/// All functions that can be reached from `roots`, of a program as it was written.
std::vector<Violation> check_tokens(World&, std::span<const Lam* const> roots);

/// Whether a call of this function ends in calls that lead nowhere else: of closed functions and axioms that get no continuation, or
/// only such that end so as well. Walks the functions through which these calls go, and no expressions.
bool ends_for_good(World&, const Lam*);

} // namespace mim
