// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "ir/world.h"

namespace mim::plug::rise {

/// The parts of a program that the graph does not keep.
struct Printed {
    std::string name;
    std::vector<std::string> binders = {}, facts = {};
    std::vector<std::pair<const Def*, std::string>> sizes = {}; ///< what they are called
};

/// The program in RISE.
std::string print(World&, const Lam* program, const Printed&);

/// Any term, type or size, in one line, cut off where it is long; names that it does not bind are as the user wrote them.
std::string print_short(World&, const Def*);

} // namespace mim::plug::rise
