// SPDX-License-Identifier: MIT
// What the axioms of %math mean to the evaluator. Written from the definitions in math.mim; shares nothing with the normalizers.
#pragma once
#include "eval/machine.h"

namespace mim::plug::math {

MeaningFn mean_inf, mean_nan, mean_arith, mean_minus, mean_abs, mean_extrema, mean_round, mean_tri, mean_pow, mean_rt, mean_exp,
    mean_er, mean_gamma, mean_cmp, mean_conv;

} // namespace mim::plug::math
