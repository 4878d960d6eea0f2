// SPDX-License-Identifier: MIT
// Functions that hold a token and are used as values, see escape.cpp.
#pragma once
#include "ir/violation.h"
#include "linear/fn.h"

namespace mim::linear {

class Check;
struct Edge;

/// Of a function that waits for more arguments, and got a token: that token; else null.
const Def* token_argument(Check&, const Def* function);
/// That `function`, which holds the token, is used as a value in the body of `around`; its notes say how to write it
/// instead.
Violation token_escape(Check&, const Lam* around, const Def* function, const Def* token);
/// Whether the user keeps the function that it is given, which got a token.
bool keeps_function(Check&, const Def* user, const Edge&);
/// Reports the functions that hold a token and are used as values in a call of this one.
void check_escapes(Check&, const Fn&);
/// Drops what was said of tokens that a function captures which is a value and may leave, and of tokens that share effects with these.
void drop_carried(Check&);

} // namespace mim::linear
