// SPDX-License-Identifier: MIT
// The meanings of %core's axioms for the reference evaluator: what the language says, in the plainest way, sharing nothing with the
// normalizers. What is undefined ends the run with a message.
#pragma once
#include "eval/machine.h"

namespace mim::plug::core {

MeaningFn mean_nat, mean_ncmp, mean_idx, mean_absurd, mean_bit1, mean_bit2, mean_shr, mean_count, mean_rotate, mean_reverse,
    mean_wrap, mean_div, mean_icmp, mean_extrema, mean_abs, mean_conv, mean_bitcast, mean_trait, mean_pe, mean_zip, mean_quot;

} // namespace mim::plug::core
