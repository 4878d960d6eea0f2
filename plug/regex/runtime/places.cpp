// SPDX-License-Identifier: MIT
#include "places.h"

#if defined(__x86_64__)
#    include <immintrin.h>
#endif

namespace mim::plug::regex {

namespace {

/// From `pos` to `last`: the first place, or `last`.
size_t find_singly(const Places& p, const char* text, size_t pos, size_t last) {
    for (; pos != last; ++pos) {
        uint8_t groups = 0xff;
        for (size_t k = 0; k != p.count && groups != 0; ++k) groups &= p.looks[k].groups(uint8_t(text[pos + p.looks[k].offset]));
        if (groups != 0) return pos;
    }
    return last;
}

#if defined(__x86_64__)

#    define MIM_AVX2 __attribute__((target("avx2")))
#    define MIM_SSSE3 __attribute__((target("ssse3")))

MIM_AVX2 inline __m256i load32(const char* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
MIM_AVX2 inline __m256i row32(const uint8_t* row) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
}

MIM_AVX2 inline __m256i groups_of(const Places::Look& look, __m256i c) {
    if (look.run) {
        auto above = _mm256_sub_epi8(_mm256_and_si256(c, _mm256_set1_epi8(char(look.mask))), _mm256_set1_epi8(char(look.least)));
        return _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8(char(look.more))), above);
    }
    auto half = _mm256_set1_epi8(15);
    auto low  = _mm256_shuffle_epi8(row32(look.low), _mm256_and_si256(c, half));
    auto high = _mm256_shuffle_epi8(row32(look.high), _mm256_and_si256(_mm256_srli_epi16(c, 4), half));
    return _mm256_and_si256(low, high);
}

MIM_AVX2 size_t find_by_avx2(const Places& p, const char* text, size_t pos, size_t last) {
    for (; pos + 32 <= last; pos += 32) {
        auto groups = groups_of(p.looks[0], load32(text + pos + p.looks[0].offset));
        for (size_t k = 1; k < p.count && !_mm256_testz_si256(groups, groups); ++k)
            groups = _mm256_and_si256(groups, groups_of(p.looks[k], load32(text + pos + p.looks[k].offset)));
        auto none = uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, _mm256_setzero_si256())));
        if (none != ~0u) return pos + size_t(__builtin_ctz(~none));
    }
    return find_singly(p, text, pos, last);
}

MIM_SSSE3 inline __m128i groups_of(const Places::Look& look, __m128i c) {
    if (look.run) {
        auto above = _mm_sub_epi8(_mm_and_si128(c, _mm_set1_epi8(char(look.mask))), _mm_set1_epi8(char(look.least)));
        return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(char(look.more))), above);
    }
    auto half = _mm_set1_epi8(15);
    auto low  = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(look.low)), _mm_and_si128(c, half));
    auto high = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(look.high)),
                                 _mm_and_si128(_mm_srli_epi16(c, 4), half));
    return _mm_and_si128(low, high);
}

MIM_SSSE3 size_t find_by_ssse3(const Places& p, const char* text, size_t pos, size_t last) {
    for (; pos + 16 <= last; pos += 16) {
        auto groups = _mm_set1_epi8(-1);
        for (size_t k = 0; k != p.count; ++k) {
            auto at = reinterpret_cast<const __m128i*>(text + pos + p.looks[k].offset);
            groups  = _mm_and_si128(groups, groups_of(p.looks[k], _mm_loadu_si128(at)));
        }
        auto none = uint32_t(_mm_movemask_epi8(_mm_cmpeq_epi8(groups, _mm_setzero_si128())));
        if (none != 0xffff) return pos + size_t(__builtin_ctz(~none));
    }
    return find_singly(p, text, pos, last);
}

#endif

} // namespace

size_t Places::find(const char* text, size_t size, size_t from) const {
    if (size < from + reach) return from;
    auto last = size - reach + 1; // of it and what follows, it is not known
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return find_by_avx2(*this, text, from, last);
    if (__builtin_cpu_supports("ssse3")) return find_by_ssse3(*this, text, from, last);
#endif
    return find_singly(*this, text, from, last);
}

} // namespace mim::plug::regex
