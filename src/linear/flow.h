// SPDX-License-Identifier: MIT
// The paths through one λ, see flow.cpp.
#pragma once

namespace mim::linear {

class Check;
struct Fn;

/// Follows the tokens of one λ along all paths and reports what is wrong.
void check_flow(Check&, Fn&);

} // namespace mim::linear
