// SPDX-License-Identifier: MIT
#include "regex/host/pairs.h"

#include <algorithm>
#include <bit>

#include "regex/host/finder.h"

#if defined(__x86_64__)
#    include <immintrin.h>
#endif

namespace mim::plug::regex {

namespace {

struct Pair {
    size_t first, second; ///< which characters
};
/// In this order as many as pay: those that have different characters tell most.
constexpr Pair pairs[] = {{0, 1}, {2, 3}, {1, 2}, {0, 2}, {1, 3}, {0, 3}};

/// Invertible matrices of bits, one for each pair, that GF2P8AFFINEQB takes: row i tells which bits of the character make
/// bit 7 - i.
constexpr uint64_t matrices[] = {0xf69cb59e21ad019a, 0xc1394bcef0958cf5, 0xb88bfb2d5cadff5b,
                                 0xb9655548abbae658, 0x5048efbdd1d642b4, 0x14967de33e0cf449};

// Cycles, about: of a block, of a table and a block, and of a place that is none but has to be asked about.
constexpr double block_cost = 8, table_cost = 4, place_cost = 16;
constexpr double max_cost = 4; ///< of a character: other ways take as long, since places are guessed to be too many

unsigned transform(uint64_t matrix, unsigned c) {
    unsigned result = 0;
    for (unsigned i = 0; i != 8; ++i) result |= unsigned(std::popcount(uint8_t(matrix >> 8 * i) & c) & 1) << (7 - i);
    return result;
}

unsigned char_of(uint32_t gram, size_t i) { return gram >> 8 * i & 255; }

std::array<double, 256> frequencies(bool folds) {
    std::array<double, 256> result{};
    for (unsigned c = 0; c != 256; ++c) {
        Set set;
        set.set(c);
        result[folds ? c | 0x20 : c] += frequency(set);
    }
    return result;
}

/// The probability that a pair of characters has each hash.
std::array<double, 128> weights(uint64_t matrix, const std::array<double, 256>& rates) {
    std::array<double, 128> result{};
    for (unsigned a = 0; a != 128; ++a) {
        auto hash = transform(matrix, a);
        for (unsigned b = 0; b != 128; ++b) result[(hash ^ b) & 127] += rates[a] * rates[b];
    }
    return result;
}

bool has_instructions() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni");
#else
    return false;
#endif
}

} // namespace

std::optional<Pairs> Pairs::of(std::vector<uint32_t> grams, bool folds) {
    if (!has_instructions()) return {};
    if (folds)
        for (auto& gram : grams) gram |= 0x20202020; // as what is read
    // texts that begin alike are in one group
    std::ranges::sort(grams, {}, [](uint32_t gram) { return __builtin_bswap32(gram); });
    Pairs made(grams, folds);
    return made.cost_ <= max_cost ? std::optional(made) : std::nullopt;
}

/// As many tables as pay.
Pairs::Pairs(const std::vector<uint32_t>& grams, bool folds)
    : folds_(folds) {
    auto rates = frequencies(folds);
    std::array<double, 8> left; // of places, by group
    left.fill(1);
    for (size_t k = 0; k != max_tables; ++k) {
        auto& [groups, matrix] = tables_[k];
        groups.fill(0), matrix = matrices[k];
        for (size_t i = 0; i != grams.size(); ++i) {
            auto first = char_of(grams[i], pairs[k].first), second = char_of(grams[i], pairs[k].second);
            groups[(transform(matrix, first) ^ second) & 127] |= uint8_t(1u << 8 * i / grams.size());
        }
        auto weight = weights(matrix, rates);
        double sum  = 0;
        for (size_t g = 0; g != 8; ++g) {
            double part = 0;
            for (size_t h = 0; h != 128; ++h) part += groups[h] >> g & 1 ? weight[h] : 0;
            sum += left[g] *= part;
        }
        auto cost = (block_cost + table_cost * double(k + 1)) / block + place_cost * std::min(sum, 1.0);
        if (k == 0 || cost < cost_) cost_ = cost, count_ = k + 1;
    }
}

#if defined(__x86_64__)

#    define MIM_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))

template<bool Folds, size_t Count>
MIM_VBMI const char* Pairs::find_by(GramTable all, const char* at, const char* last) const {
    __m512i low[Count], high[Count], matrix[Count];
    for (size_t k = 0; k != Count; ++k) {
        low[k]    = _mm512_loadu_si512(tables_[k].groups.data());
        high[k]   = _mm512_loadu_si512(tables_[k].groups.data() + 64);
        matrix[k] = _mm512_set1_epi64(int64_t(tables_[k].matrix));
    }
    auto small = _mm512_set1_epi8(0x20);
    for (; at + block <= last; at += block) {
        __m512i c[length];
        for (size_t i = 0; i != length; ++i) {
            c[i] = _mm512_loadu_si512(at + i);
            if (Folds) c[i] = _mm512_or_si512(c[i], small);
        }
        auto groups = _mm512_set1_epi8(-1);
        for (size_t k = 0; k != Count; ++k) {
            auto hash = _mm512_xor_si512(_mm512_gf2p8affine_epi64_epi8(c[pairs[k].first], matrix[k], 0), c[pairs[k].second]);
            groups    = _mm512_and_si512(groups, _mm512_permutex2var_epi8(low[k], hash, high[k]));
        }
        for (uint64_t places = _mm512_test_epi8_mask(groups, groups); places != 0; places &= places - 1) {
            auto place = at + std::countr_zero(places);
            if (all.has<Folds>(load_gram(place))) return place;
        }
    }
    return at;
}

template<bool Folds>
const char* Pairs::find_by_all(GramTable all, const char* at, const char* last) const {
    switch (count_) {
        case 1: return find_by<Folds, 1>(all, at, last);
        case 2: return find_by<Folds, 2>(all, at, last);
        case 3: return find_by<Folds, 3>(all, at, last);
        case 4: return find_by<Folds, 4>(all, at, last);
        case 5: return find_by<Folds, 5>(all, at, last);
        default: return find_by<Folds, 6>(all, at, last);
    }
}

const char* Pairs::find(GramTable all, const char* at, const char* last) const {
    return folds_ ? find_by_all<true>(all, at, last) : find_by_all<false>(all, at, last);
}

#else

const char* Pairs::find(GramTable, const char* at, const char*) const { return at; }

#endif

} // namespace mim::plug::regex
