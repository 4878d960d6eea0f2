// SPDX-License-Identifier: MIT
// Tables for `%regex.run.hash`, for patterns of finitely many texts: a subject is looked up in a table that has one place for each text and no two
// texts at one place. The place are the upper bits of a sum of the subject's words of eight characters, each times a factor: a universal family
// (Dietzfelbinger et al., "A Reliable Randomized Algorithm for the Closest-Pair Problem", 1997), so some random factors soon do if there
// is much more room than texts.
#include <algorithm>
#include <bit>

#include "plan.h"
#include "regex.h"
#include "tables.h"
#include "vec/annexes.h"

namespace mim::plug::regex {

namespace {

constexpr size_t max_texts = 256, max_table = 1 << 16; ///< bytes
constexpr unsigned tries = 400;                        ///< for each size of a table

struct KnownText {
    std::array<uint64_t, 4> words{}; ///< its characters, and zeros behind them
    size_t length = 0;
};

class Texts {
public:
    Texts(const Dfa& dfa, bool sized)
        : dfa_(dfa)
        , sized_(sized) {
        KnownText text;
        fits = visit(dfa.start[0], text);
    }
    bool fits     = false;
    size_t length = 0; ///< of the longest one
    std::vector<KnownText> all;

private:
    bool visit(uint32_t q, KnownText& text) {
        // a state may lead to a match by a terminator only, so not each way leads to a text
        if (++visited_ > max_texts * sizeof(text.words)) return false;
        if (dfa_.accepts[dfa_.at(q, End)]) {
            if (all.size() == max_texts) return false;
            all.push_back(text);
            length = std::max(length, text.length);
        }
        for (unsigned c = sized_ ? 0 : 1; c != 256; ++c) { // no terminator
            auto to = dfa_.to[dfa_.at(q, c)];
            if (to == Dfa::dead) continue;
            auto n = text.length++;
            if (n == sizeof(text.words) - 1) return false;
            auto& word = text.words[n / 8];
            word |= uint64_t(c) << n % 8 * 8;
            bool done = visit(to, text);
            word &= ~(uint64_t(255) << n % 8 * 8);
            text.length = n;
            if (!done) return false;
        }
        return true;
    }
    const Dfa& dfa_;
    bool sized_;
    size_t visited_ = 0;
};

struct Hash {
    explicit Hash(const Texts& texts)
        : words(texts.length < 16 ? 2 : 4) {
        for (bits = unsigned(std::bit_width(texts.all.size())); size_t(8 * words) << bits <= max_table; ++bits)
            for (unsigned i = 0; i != tries; ++i)
                if (draw(), place(texts)) return;
        places.clear();
    }
    size_t words;
    unsigned bits = 0;
    std::array<uint64_t, 4> factors{};
    std::vector<const KnownText*> places; ///< empty if no factors were found

private:
    /// Steele et al., "Fast Splittable Pseudorandom Number Generators" (2014).
    void draw() {
        for (auto& factor : factors) {
            auto z = state_ += 0x9e3779b97f4a7c15;
            z      = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
            z      = (z ^ z >> 27) * 0x94d049bb133111eb;
            factor = (z ^ z >> 31) | 1;
        }
    }
    bool place(const Texts& texts) {
        places.assign(size_t(1) << bits, nullptr);
        for (auto& text : texts.all) {
            uint64_t sum = 0;
            for (size_t i = 0; i != words; ++i) sum += text.words[i] * factors[i];
            auto& at = places[sum >> (64 - bits)];
            if (at) return false;
            at = &text;
        }
        return true;
    }
    uint64_t state_ = 0;
};

bool may_fit(const Dfa& dfa) { return dfa.is_whole() && !dfa.looks_back() && dfa.start[0] != Dfa::dead && dfa.is_finite(); }

} // namespace

bool fits_hash(const Dfa& dfa, bool sized) {
    if (!may_fit(dfa)) return false;
    Texts texts(dfa, sized);
    return texts.fits && !Hash(texts).places.empty();
}

const Def* hash(World& w, const Dfa& dfa, bool sized) {
    Texts texts(dfa, sized);
    Hash hash(texts);
    auto lanes = 8 * hash.words;
    auto from  = w.apply<vec::from>({w.lit_nat(lanes), w.idx(256)});
    // no subject that ends at a terminator has characters behind it; others have the length that is asked for, 0
    auto none = [](size_t i) { return i == 1 ? 1 : 0; };
    DefVec rows;
    for (auto text : hash.places) {
        auto byte = [&](size_t i) { return text ? text->words[i / 8] >> i % 8 * 8 & 255 : none(i); };
        rows.push_back(w.app(from, array(w, lanes, 8, byte)));
    }
    auto factors = array(w, hash.words, 64, [&](size_t i) { return hash.factors[i]; });
    auto shift   = w.lit(w.i64_type(), 64 - hash.bits);
    auto lengths = array(w, rows.size(), 8, [&](size_t i) { return hash.places[i] ? hash.places[i]->length : 0; });
    return w.call(run::hash, {w.lit_bool(sized), factors, shift, w.tuple(rows), lengths});
}

} // namespace mim::plug::regex
