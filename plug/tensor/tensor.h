// SPDX-License-Identifier: MIT
// What the files of this plugin share: what is registered where, and how shapes are read. One file for each of what is told of an axiom; what becomes of
// the operations is in lower/.
#pragma once
#include <optional>

#include "driver/plugin.h"
#include "kit/match.h"
#include "tensor/annexes.h"

namespace mim::plug::tensor {

MeaningFn mean_size, mean_map_reduce, mean_reduce, mean_map, mean_zip, mean_fold, mean_scan, mean_generate, mean_get, mean_set,
    mean_index, mean_transpose, mean_broadcast, mean_reshape, mean_split, mean_join, mean_slice, mean_reverse, mean_window,
    mean_pad, mean_concat, mean_gather, mean_scatter, mean_load, mean_store, mean_with, mean_owe, mean_inside, mean_total,
    mean_over, mean_walk, mean_map_reduce_both, mean_kind, mean_second, mean_walk_rest;

/// Normalizers take apart what has no more parts than this.
constexpr uint64_t max_rank = 256;

OpEmitterFn emit_index, emit_owe, emit_inside;

/// The message where it does not hold; each `{}` stands for one of the numbers.
const char* text_of(owe);

/// The phase tensor.lower.
void lower(PhaseContext&);

} // namespace mim::plug::tensor
