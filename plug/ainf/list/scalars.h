// SPDX-License-Identifier: MIT
// Operations on numbers, for whoever computes them while a program is compiled or evaluated.
#pragma once
#include "ainf/list/list.h"

namespace mim::plug::ainf {

uint64_t computed(Op, uint64_t, uint64_t);
double computed(Op, double, double);
double computed(Op, double);

} // namespace mim::plug::ainf
