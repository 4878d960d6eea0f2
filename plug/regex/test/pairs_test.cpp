// SPDX-License-Identifier: MIT
// Places by two and by three characters, where the processor has what that takes: no place is lost, and few others are
// found.
#include "regex/host/pairs.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>

#include "regex/host/triples.h"

using namespace mim::plug::regex;

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c | 32) : c; }

/// Characters of words, some of which are any byte.
std::string random_text(std::mt19937& dice, size_t size, unsigned letters) {
    std::string result(size, ' ');
    for (auto& c : result) c = dice() % 50 == 0 ? char(dice()) : char("aA"[dice() % 8 == 0] + dice() % letters);
    return result;
}

/// A table that has these texts, and hardly more.
struct Texts {
    Texts(std::mt19937& dice, size_t count, bool folds)
        : folds(folds)
        , slots(1 << 16) {
        while (texts.size() != count) {
            auto text = random_text(dice, Pairs::length, 26);
            if (folds)
                for (auto& c : text) c = lower(c);
            if (!texts.insert(text).second) continue;
            grams.push_back(load_gram(text.data()));
            slots[folds ? table().slot<true>(grams.back()) : table().slot<false>(grams.back())] = 1;
        }
    }
    GramTable table() const { return {0x85ebca6b, 16, slots.data()}; }
    bool has(std::string text) const {
        if (folds)
            for (auto& c : text) c = lower(c);
        return texts.contains(text);
    }

    bool folds;
    std::set<std::string> texts;
    std::vector<uint32_t> grams;
    std::vector<uint8_t> slots;
};

/// All places of texts are found, and few others. `find` finds the next one from a place on, or where blocks end.
template<class Find>
void check_places(std::mt19937& dice, const Texts& texts, size_t block, Find find) {
    auto text = random_text(dice, dice() % 5000, 26);
    for (int i = 0; i != 40 && text.size() > 10; ++i) {
        auto gram = texts.grams[dice() % texts.grams.size()];
        std::memcpy(&text[dice() % (text.size() - 4)], &gram, sizeof gram);
    }
    auto end      = text.data() + text.size();
    auto last     = end - std::min(text.size(), Pairs::length);
    auto is       = [&](const char* p) { return p + Pairs::length <= end && texts.has(std::string(p, Pairs::length)); };
    size_t places = 0;
    for (const char* from = text.data();; ++places) {
        auto place = find(from, last);
        for (auto p = from; p < place; ++p) REQUIRE(!is(p));
        if (place + block > last && !is(place)) break; // blocks end
        from = place + 1;
    }
    CHECK(places < 50 + text.size() / 50);
}

} // namespace

TEST_CASE("texts are found at each place by pairs of their characters") {
    for (unsigned seed = 0; seed != 60; ++seed) {
        std::mt19937 dice(seed);
        Texts texts(dice, 1 + dice() % 150, seed % 2);
        auto pairs = Pairs::of(texts.grams, texts.folds);
        if (!pairs) {
            MESSAGE("pairs are not tested: this processor has none");
            return;
        }
        check_places(dice, texts, Pairs::block, [&](auto from, auto last) { return pairs->find(texts.table(), from, last); });
    }
}

TEST_CASE("texts are found at each place by three of their characters") {
    if (!Triples::are_fast()) {
        MESSAGE("triples are not tested: this processor has none");
        return;
    }
    for (unsigned seed = 0; seed != 60; ++seed) {
        std::mt19937 dice(seed);
        Texts texts(dice, 1 + dice() % 500, seed % 2);
        auto triples = Triples::of(texts.grams);
        REQUIRE(triples);
        check_places(dice, texts, Triples::block,
                     [&](auto from, auto last) { return triples->find(texts.table(), texts.folds, from, last); });
    }
}

TEST_CASE("pairs are not for texts that begin in all ways") {
    std::mt19937 dice(1);
    auto grams = Texts(dice, 20'000, false).grams;
    CHECK(!Pairs::of(grams, false));
    CHECK(!Triples::of(grams));
}
