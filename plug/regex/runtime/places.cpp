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

/// A look with its constants in registers. `Run`: which kind it is.
template<bool Run>
struct Look32 {
    MIM_AVX2 explicit Look32(const Places::Look& look)
        : offset(look.offset)
        , first(Run ? _mm256_set1_epi8(char(look.mask)) : row32(look.low))
        , second(Run ? _mm256_set1_epi8(char(look.least)) : row32(look.high))
        , third(Run ? _mm256_set1_epi8(char(look.more)) : _mm256_set1_epi8(15)) {}

    MIM_AVX2 __m256i groups(const char* at) const {
        auto c = load32(at + offset);
        if constexpr (Run) {
            auto above = _mm256_sub_epi8(_mm256_and_si256(c, first), second);
            return _mm256_cmpeq_epi8(_mm256_min_epu8(above, third), above);
        } else {
            auto low  = _mm256_shuffle_epi8(first, _mm256_and_si256(c, third));
            auto high = _mm256_shuffle_epi8(second, _mm256_and_si256(_mm256_srli_epi16(c, 4), third));
            return _mm256_and_si256(low, high);
        }
    }

    size_t offset;
    __m256i first, second, third; ///< mask, least and more; or low, high and the mask of a half
};

/// The places of a block that no look but the first two excludes, or some of them.
MIM_AVX2 inline __m256i others(const Places& p, const char* at, __m256i groups) {
    for (size_t k = 2; k < p.count; ++k) {
        auto& look = p.looks[k];
        groups     = _mm256_and_si256(groups, look.run ? Look32<true>(look).groups(at) : Look32<false>(look).groups(at));
    }
    return groups;
}

/// Two blocks at a time, by two looks each: whether the first one excludes all places of a block cannot be foreseen.
template<bool Run0, bool Run1>
MIM_AVX2 size_t find_by_two(const Places& p, const char* text, size_t pos, size_t last) {
    const Look32<Run0> first(p.looks[0]);
    const Look32<Run1> second(p.looks[p.count == 1 ? 0 : 1]);
    auto zero  = _mm256_setzero_si256();
    auto place = [&](__m256i groups) MIM_AVX2 {
        auto none = uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, zero)));
        return none == ~0u ? size_t(32) : size_t(__builtin_ctz(~none));
    };
    auto of_block = [&](size_t at) MIM_AVX2 { return _mm256_and_si256(first.groups(text + at), second.groups(text + at)); };
    for (; pos + 64 <= last; pos += 64) {
        auto low = of_block(pos), high = of_block(pos + 32);
        auto any = _mm256_or_si256(low, high);
        if (_mm256_testz_si256(any, any)) continue;
        auto at = place(others(p, text + pos, low));
        if (at == 32) at += place(others(p, text + pos + 32, high));
        if (at != 64) return pos + at;
    }
    if (pos + 32 <= last) {
        auto at = place(others(p, text + pos, of_block(pos)));
        if (at != 32) return pos + at;
        pos += 32;
    }
    return find_singly(p, text, pos, last);
}

MIM_AVX2 size_t find_by_avx2(const Places& p, const char* text, size_t pos, size_t last) {
    bool first = p.looks[0].run, second = p.looks[p.count == 1 ? 0 : 1].run;
    if (first) return second ? find_by_two<true, true>(p, text, pos, last) : find_by_two<true, false>(p, text, pos, last);
    return second ? find_by_two<false, true>(p, text, pos, last) : find_by_two<false, false>(p, text, pos, last);
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

MIM_AVX2 size_t find_one_by_avx2(const Places::Look& look, const char* text, size_t pos, size_t last) {
    const Look32<false> looks(look);
    for (; pos + 32 <= last; pos += 32) {
        auto groups = looks.groups(text + pos);
        auto none   = uint32_t(_mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, _mm256_setzero_si256())));
        if (none != ~0u) return pos + size_t(__builtin_ctz(~none));
    }
    while (pos != last && look.groups(uint8_t(text[pos])) == 0) ++pos;
    return pos;
}

#endif

} // namespace

size_t find_one(const Places::Look& look, const char* text, size_t size, size_t from) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return find_one_by_avx2(look, text, from, size);
#endif
    while (from != size && look.groups(uint8_t(text[from])) == 0) ++from;
    return from;
}

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
