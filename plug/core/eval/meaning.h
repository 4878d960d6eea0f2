// SPDX-License-Identifier: MIT
// The meanings of %core's axioms for the reference evaluator: what the language says, in the plainest way, sharing nothing with the
// normalizers. What is undefined ends the run with a message.
#pragma once
#include "eval/machine.h"

namespace mim::plug::core {

eval::Value mean_nat(eval::Machine&, const Def*);
eval::Value mean_ncmp(eval::Machine&, const Def*);
eval::Value mean_idx(eval::Machine&, const Def*);
eval::Value mean_bit1(eval::Machine&, const Def*);
eval::Value mean_bit2(eval::Machine&, const Def*);
eval::Value mean_shr(eval::Machine&, const Def*);
eval::Value mean_count(eval::Machine&, const Def*);
eval::Value mean_wrap(eval::Machine&, const Def*);
eval::Value mean_div(eval::Machine&, const Def*);
eval::Value mean_icmp(eval::Machine&, const Def*);
eval::Value mean_extrema(eval::Machine&, const Def*);
eval::Value mean_abs(eval::Machine&, const Def*);
eval::Value mean_conv(eval::Machine&, const Def*);
eval::Value mean_bitcast(eval::Machine&, const Def*);
eval::Value mean_trait(eval::Machine&, const Def*);
eval::Value mean_pe(eval::Machine&, const Def*);
eval::Value mean_zip(eval::Machine&, const Def*);

} // namespace mim::plug::core
