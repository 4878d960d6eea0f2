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

/// This word, and some more of which a place may be the begin.
std::string father_and_more(const std::string& last) {
    std::mt19937 dice(4);
    std::string result = "father";
    for (int i = 0; i != 60; ++i) {
        result += '|';
        for (auto n = 4 + dice() % 4; n != 0; --n) result += char('a' + dice() % 26);
    }
    return result + "|fathom|her" + last;
}

std::optional<Grams> grams(const std::string& text) {
    Trees trees;
    auto& pattern = parse_text(trees, text, 100'000);
    return Grams::of(*make_nfa(pattern, is_ordered(pattern), Inner::Enclosed));
}

} // namespace

TEST_CASE("of many words, the beginning of each is found at any place") {
    std::string words, folded;
    std::vector<std::string> all;
    std::mt19937 dice(7);
    for (int i = 0; i != 500; ++i) {
        std::string word;
        for (auto n = 4 + dice() % 5; n != 0; --n) word += char('a' + dice() % 26);
        all.push_back(word);
        words += (i == 0 ? "" : "|") + word;
    }
    auto few = words.substr(0, words.find('|', 500));
    for (auto& pattern : {words, few, "(?i)(?:" + few + ")", few + "|xyz"}) {
        auto some = grams(pattern);
        REQUIRE(some);
        size_t others = 0;
        for (size_t size = 0; size != 80; ++size) {
            for (size_t at = 0; at + 8 <= size; ++at) {
                std::string text(size, '-');
                auto& word = all[(size * 80 + at) % 50];
                text.replace(at, word.size(), word);
                auto place = some->find(text, 0);
                for (; place < at; place = some->find(text, place + 1)) ++others;
                REQUIRE(place == at);
            }
            REQUIRE(some->find(std::string(size, '-'), 0) == Grams::nowhere);
        }
        CHECK(others < 200); // of 80,000 places
    }
}

TEST_CASE("grams are for sets of texts that are neither short nor long") {
    auto set = father_and_more("");
    CHECK(grams(set));
    CHECK(grams("\\b(?:" + set + ")\\b"));
    CHECK(grams("(?:" + set + ").{200}"));
    CHECK(!grams("(?:" + set + ").*"));
    CHECK(!grams("(?:" + set + ").{300}"));
    CHECK(!grams(set + "|a"));
    CHECK(!grams("[a-z]{4,6}"));
}

TEST_CASE("where many places begin like a word, grams are given up") {
    auto set = "(?:" + father_and_more("") + ")\\d";
    LazyRegex regex(set, false);
    CHECK(regex.attempts());
    std::string subject;
    for (int i = 0; i != 5000; ++i) subject += "fathom ";
    CHECK(regex.count(subject + "father1 ") == 1);
    CHECK(!regex.attempts());
    CHECK(regex.count(subject + "father1 ") == 1);
}

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

TEST_CASE("patterns that are found in their line alone") {
    auto within = [](const char* text) {
        Trees trees;
        return is_within_line(parse_text(trees, text, 1000));
    };
    CHECK(within("[a-z]+ .{0,40}father"));
    CHECK(within("\\bfather\\b"));
    CHECK(within("(?m)^father$"));
    CHECK(within("\\Afather"));
    CHECK(!within("father\\z"));
    CHECK(!within("father\\s"));
    CHECK(!within("[^a]father"));
    CHECK(!within("father(?s:.)*"));
}

TEST_CASE("with places and without, the same is found") {
    constexpr const char* some[] = {"father",           "(?i)father",        "\\bfather\\b",      "father|mother|fat",
                                    "fath(?:er)?s*",    "[a-z]+ father",     ".{0,9}father",      "father$",
                                    "(?m)^father",      "(?:fa|mo)ther.{3}", "fatherf?",          "father|(?:[a-z]K){2}",
                                    "[a-z]+ father\\z", "[a-z]*\\s+father",  "(?m)[a-z]* father$"};
    auto sets                    = {"(?:" + father_and_more("") + ")", "\\b(?:" + father_and_more("") + ")\\b",
                                    "(?i)(?:" + father_and_more("") + ")", "(?:" + father_and_more("|fa\\d|fo") + ")[a-z]{0,2}"};
    std::vector<std::string> texts(std::begin(some), std::end(some));
    texts.insert(texts.end(), sets.begin(), sets.end());
    for (unsigned seed = 0; seed != 200; ++seed) {
        std::mt19937 dice(seed);
        auto pattern = texts[seed % texts.size()];
        LazyLimits limits;
        limits.states = 2 + seed % 30;
        bool lines    = seed % 3 != 0;
        LazyRegex regex(pattern, lines, limits);
        // the same pattern, of which nothing is known at its beginning
        LazyRegex plain("(?:|(?!\\w)(?<!\\w)\\b)(?:" + std::string(pattern) + "|[^\\x00-\\xff])", lines);
        auto subject = some_text(dice, 3000, "father ");
        INFO("seed " << seed << " `" << pattern << "`");
        REQUIRE(regex.count(subject) == plain.count(subject));
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
