// SPDX-License-Identifier: MIT
// What the axioms of %math mean to the evaluator. Written from the definitions in math.mim; shares nothing with the normalizers.
#pragma once
#include "eval/machine.h"

namespace mim::plug::math {

eval::Value mean_inf(eval::Machine&, const Def*);
eval::Value mean_nan(eval::Machine&, const Def*);
eval::Value mean_arith(eval::Machine&, const Def*);
eval::Value mean_minus(eval::Machine&, const Def*);
eval::Value mean_abs(eval::Machine&, const Def*);
eval::Value mean_extrema(eval::Machine&, const Def*);
eval::Value mean_round(eval::Machine&, const Def*);
eval::Value mean_tri(eval::Machine&, const Def*);
eval::Value mean_pow(eval::Machine&, const Def*);
eval::Value mean_rt(eval::Machine&, const Def*);
eval::Value mean_exp(eval::Machine&, const Def*);
eval::Value mean_er(eval::Machine&, const Def*);
eval::Value mean_gamma(eval::Machine&, const Def*);
eval::Value mean_cmp(eval::Machine&, const Def*);
eval::Value mean_conv(eval::Machine&, const Def*);

} // namespace mim::plug::math
