// SPDX-License-Identifier: MIT
// Texts that are looked for in front of an automaton: no match is lost, whatever begins like one.
#include "regex/host/literals.h"

#include <doctest/doctest.h>

#include <random>

#include "regex/host/engine.h"
#include "regex/host/parse.h"

using namespace mim::plug::regex;

namespace {

std::optional<Places> beginnings(const char* text) {
    Trees trees;
    return find_beginnings(parse_text(trees, text, 1000));
}
std::optional<Places> inner(const char* text) {
    Trees trees;
    return find_inner(parse_text(trees, text, 1000));
}

/// Lines of letters, with parts of the words here and there.
std::string some_text(std::mt19937& dice, size_t size, std::string_view wanted) {
    std::string result;
    while (result.size() < size) {
        if (dice() % 100 == 0) result += wanted.substr(0, dice() % (wanted.size() + 1));
        else result += "etaoinshrd lcumwfgyp\nBVK"[dice() % 24];
    }
    return result;
}

} // namespace

TEST_CASE("what a match begins with is found at any place, wherever the text ends") {
    auto places = beginnings("Fathom|wizard[0-9]");
    REQUIRE(places);
    for (size_t size = 0; size != 150; ++size) {
        std::string text(size, 'e');
        for (size_t at = 0; at + 6 <= size; ++at) {
            auto with = text;
            with.replace(at, 6, at % 2 ? "Fathom" : "wizard");
            REQUIRE(places->find(with.data(), size, 0) == at);
        }
        auto end = places->find(text.data(), size, 0);
        REQUIRE(end <= size);
        REQUIRE(end + places->reach >= size);
    }
}

TEST_CASE("places are looked for where they are rare") {
    CHECK(beginnings("father"));
    CHECK(beginnings("(?i)father"));
    CHECK(beginnings("\\bfather\\b"));
    CHECK(beginnings("(?:foo|bar)?quux"));
    CHECK(!beginnings("e"));
    CHECK(!beginnings("[a-z]+ing"));
    CHECK(!beginnings("(?:father)?"));
    CHECK(inner("[a-z]+ father [A-Z]"));
    CHECK(inner("[a-z]+ .{0,40}father .{0,40}[A-Z]"));
    CHECK(!inner("father"));
    CHECK(!inner("[a-z]+ [a-z]+"));
}

TEST_CASE("with places and without, the same is found") {
    constexpr const char* texts[] = {"father",        "(?i)father",        "\\bfather\\b", "father|mother|fat",
                                     "fath(?:er)?s*", "[a-z]+ father",     ".{0,9}father", "father$",
                                     "(?m)^father",   "(?:fa|mo)ther.{3}", "fatherf?",     "father|(?:[a-z]K){2}"};
    for (unsigned seed = 0; seed != 200; ++seed) {
        std::mt19937 dice(seed);
        auto pattern = texts[seed % std::size(texts)];
        LazyLimits limits;
        limits.states = 2 + seed % 30;
        bool lines    = seed % 3 != 0;
        LazyRegex regex(pattern, lines, limits);
        // the same pattern, of which nothing is known at its beginning
        LazyRegex plain("(?:|(?!\\w)(?<!\\w)\\b)(?:" + std::string(pattern) + "|[^\\x00-\\xff])", lines);
        auto subject = some_text(dice, 3000, "father ");
        INFO("seed " << seed << " `" << pattern << "`");
        size_t pos = 0;
        for (;;) {
            auto found = regex.next(subject, pos, false), expected = plain.next(subject, pos, false);
            REQUIRE(found.has_value() == expected.has_value());
            if (!found) break;
            REQUIRE(found->begin == expected->begin);
            REQUIRE(found->end == expected->end);
            if (lines) {
                auto place = regex.somewhere(subject, pos);
                REQUIRE(place);
                REQUIRE(*place >= found->begin);
                REQUIRE(subject.substr(found->begin, *place - found->begin).find('\n') == std::string::npos);
            }
            pos = found->end;
        }
    }
}
