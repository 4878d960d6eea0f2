// SPDX-License-Identifier: MIT
// Deterministic inputs: the same numbers on every machine.
#pragma once
#include <stddef.h>
#include <stdint.h>
static inline void fill(float* p, size_t n, uint64_t seed) {
    uint64_t s = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < n; ++i) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        p[i] = (float)(s >> 40) / 16777216.0f - 0.5f;
    }
}
