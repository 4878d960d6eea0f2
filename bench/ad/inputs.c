// SPDX-License-Identifier: MIT
// Inputs of the problems, from the generator of the folder with the C objectives, for bench/ad/run.
#include "data.h"

void gmm_input(Gmm *to, uint32_t seed, uint64_t d, uint64_t k, uint64_t n, double gamma, uint64_t m) { *to = make_gmm(seed, d, k, n, gamma, m); }
void ba_input(Ba *to, uint32_t seed, uint64_t n, uint64_t m, uint64_t p, int zero_rotation) { *to = make_ba(seed, n, m, p, zero_rotation); }
void lstm_input(Lstm *to, uint32_t seed, uint64_t l, uint64_t c, uint64_t b) { *to = make_lstm(seed, l, c, b); }
void nn_input(Nn *to, uint32_t seed, uint64_t in, uint64_t classes, uint64_t n) { *to = make_nn(seed, in, classes, n); }
