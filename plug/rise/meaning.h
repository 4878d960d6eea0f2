// SPDX-License-Identifier: MIT
#pragma once
#include "eval/machine.h"

namespace mim::plug::rise {

MeaningFn mean_number, mean_unary, mean_compare, mean_logic, mean_not, mean_select, mean_cast, mean_unsigned, mean_index_as_nat,
    mean_nat_as_index, mean_lidx, mean_nat, mean_same, mean_to_mem, mean_let, mean_pair, mean_fst, mean_snd, mean_map_fst,
    mean_map_snd, mean_map, mean_map_level, mean_reduce, mean_reduce_seq, mean_scan_seq, mean_iterate, mean_generate, mean_idx,
    mean_zip, mean_unzip, mean_transpose, mean_split, mean_slide, mean_join, mean_take, mean_drop, mean_concat, mean_gather,
    mean_scatter, mean_pad_cst, mean_pad_clamp, mean_pad_empty, mean_make_array, mean_invoke, mean_into, mean_fma, mean_reorder,
    mean_vec_logic, mean_vec_not, mean_vec_select, mean_vector_from_scalar;

} // namespace mim::plug::rise
