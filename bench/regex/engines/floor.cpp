// SPDX-License-Identifier: MIT
// What no engine can be faster than: a call that does nothing, and one that reads up to 64 bytes of the line.
#include <immintrin.h>

#include "measure.h"

namespace {

__attribute__((noinline)) bool nothing(const char* s, size_t) {
    asm volatile("" : : "r"(s) : "memory");
    return false;
}

__attribute__((noinline)) bool load(const char* s, size_t n) {
#ifdef __AVX512BW__
    auto v = _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, unsigned(n < 64 ? n : 64)), s);
    asm volatile("" : : "v"(v));
#else
    for (size_t i = 0; i < 64 && i < n; i += 16) {
        auto v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + i));
        asm volatile("" : : "x"(v));
    }
#endif
    return false;
}

const Engine floors([](Bench& b) {
    b.measure("call", nothing, false);
    b.measure("load", load, false);
});

} // namespace
