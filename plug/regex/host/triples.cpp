// SPDX-License-Identifier: MIT
#include "regex/host/triples.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#    include <immintrin.h>
#endif

namespace mim::plug::regex {

namespace {

/// The bits that count, of the first, the second and the third character: those that tell letters apart, without case.
constexpr uint32_t firsts = 0x0f, seconds = 0x1f00, thirds = 0x0f0000;
constexpr uint32_t mask = firsts | seconds | thirds;
static_assert(thirds == firsts << 16);

constexpr size_t max_texts = 512; ///< for which the table was measured to tell enough
constexpr unsigned groups  = 8;

/// The bits that the mask has, next to each other.
uint32_t index_of(uint32_t triple) { return (triple & firsts) | (triple & seconds) >> 4 | (triple & thirds) >> 7; }

} // namespace

bool Triples::are_fast() {
#if defined(__x86_64__)
    bool is_slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2"); // these have no circuit for it
    return __builtin_cpu_supports("bmi2") && !is_slow;
#else
    return false;
#endif
}

std::optional<Triples> Triples::of(std::vector<uint32_t> grams) {
    if (!are_fast() || grams.size() > max_texts) return {};
    // texts that begin alike are in one group
    std::ranges::sort(grams, {}, [](uint32_t gram) { return __builtin_bswap32(gram); });
    return Triples(grams);
}

Triples::Triples(const std::vector<uint32_t>& grams)
    : table_(size_t(1) << std::popcount(mask)) {
    for (size_t i = 0; i != grams.size(); ++i) {
        auto gram = grams[i], group = uint32_t(1) << groups * i / grams.size();
        auto any = index_of(firsts); // all of these bits, of a character that the text leaves open
        table_[index_of(gram)] |= group;
        for (uint32_t c = 0; c <= any; ++c) table_[index_of(gram << 8 | c)] |= group << 8;
        for (uint32_t c = 0; c <= any; ++c) table_[index_of(gram >> 16 | c << 16)] |= group << 16;
        table_[index_of(gram >> 8)] |= group << 24;
    }
}

#if defined(__x86_64__)

#    define MIM_BMI2 __attribute__((target("bmi2")))

namespace {

/// The groups of texts that three characters may be a part of.
MIM_BMI2 inline uint32_t facts(const uint32_t* table, const char* at) { return table[_pext_u64(load_gram(at), mask)]; }

/// The first place of a block that the table has, or null: so many facts are not to be kept in registers by who looks
/// for a block.
template<bool Folds>
MIM_BMI2 [[gnu::noinline]] const char* place_in_block(const uint32_t* table, GramTable all, const char* at) {
    auto before = facts(table, at);
    for (auto end = at + Triples::block; at != end; at += 2) {
        auto now  = facts(table, at + 2);
        auto left = before & now >> 16;
        before    = now;
        if ((left & 0xff) && all.has<Folds>(load_gram(at))) return at;
        if ((left & 0xff00) && all.has<Folds>(load_gram(at + 1))) return at + 1;
    }
    return nullptr;
}

} // namespace

template<bool Folds>
MIM_BMI2 const char* Triples::find_in(GramTable all, const char* at, const char* last) const {
    if (at + block > last) return at;
    auto table  = table_.data();
    auto before = facts(table, at); // of a place and the one behind it; the groups that are left are told two places on
    auto two    = [&](const char* p) MIM_BMI2 {
        auto first = facts(table, p), second = facts(table, p + 2);
        auto left = (before & first >> 16) | (first & second >> 16);
        before    = second;
        return left;
    };
    auto four = [&](const char* p) MIM_BMI2 {
        auto left = two(p);
        return left | two(p + 4);
    };
    auto eight = [&](const char* p) MIM_BMI2 {
        auto left = four(p);
        return left | four(p + 8);
    };
    for (; at + block <= last; at += block) {
        auto any = eight(at + 2);
        any |= eight(at + 18);
        if (any == 0) continue;
        if (auto place = place_in_block<Folds>(table, all, at)) return place;
    }
    return at;
}

const char* Triples::find(GramTable all, bool folds, const char* at, const char* last) const {
    return folds ? find_in<true>(all, at, last) : find_in<false>(all, at, last);
}

#else

const char* Triples::find(GramTable, bool, const char* at, const char*) const { return at; }

#endif

} // namespace mim::plug::regex
