// SPDX-License-Identifier: MIT
#include "grep/newlines.h"

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#    include <immintrin.h>
#endif

namespace mim::plug::regex {

namespace {

size_t count_singly(std::string_view text) { return size_t(std::ranges::count(text, '\n')); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) size_t count_by_avx2(std::string_view text) {
    constexpr size_t width = 32, most = 255; // blocks, after which a counter of a byte is full
    auto newline = _mm256_set1_epi8('\n');
    auto total   = _mm256_setzero_si256();
    auto at      = text.data();
    for (auto blocks = text.size() / width; blocks != 0;) {
        auto some   = std::min(blocks, most);
        auto counts = _mm256_setzero_si256();
        for (size_t i = 0; i != some; ++i, at += width) {
            auto block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
            counts     = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(block, newline));
        }
        total = _mm256_add_epi64(total, _mm256_sad_epu8(counts, _mm256_setzero_si256()));
        blocks -= some;
    }
    alignas(width) uint64_t sums[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums), total);
    auto rest = text.substr(size_t(at - text.data()));
    return size_t(sums[0] + sums[1] + sums[2] + sums[3]) + count_singly(rest);
}
#endif

} // namespace

size_t count_newlines(std::string_view text) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return count_by_avx2(text);
#endif
    return count_singly(text);
}

} // namespace mim::plug::regex
