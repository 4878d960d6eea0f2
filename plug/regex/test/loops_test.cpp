// SPDX-License-Identifier: MIT
// States that most characters do not leave, and the lines that have a match: what is found does not depend on how many
// characters are looked at a time.
#include <doctest/doctest.h>

#include <random>

#include "regex/host/engine.h"
#include "regex/host/parse.h"
#include "test/fixture.h"
#include "test/lazy_checks.h"

using namespace mim;
using namespace mim::plug::regex;

namespace {

/// Parts of which many are loops, with characters of all halves.
std::string random_text(std::mt19937& dice) {
    static constexpr const char* parts[] = {".*", "[^a]*", "[^ab]*",     "a",      "b", "\xc3\xa9", "(?s:.)*", "\\b",
                                            "x+", "$",     "[^\\n -~]*", "[^ac]*", "c", "\\w*",     "(?:ab)?", "[a-y ]*"};
    std::string result;
    for (auto n = 1 + dice() % 5; n != 0; --n) result += parts[dice() % std::size(parts)];
    return dice() % 4 == 0 ? "(?:" + result + ")|a.*c" : result;
}

/// Few of its characters are something else than `x`.
std::string random_subject(std::mt19937& dice) {
    static constexpr char letters[] = "abcz \n\xc3\xa9";
    std::string result(dice() % 600, 'x');
    auto rare = 2 + dice() % 50;
    for (auto& c : result)
        if (dice() % rare == 0) c = letters[dice() % (sizeof(letters) - 1)];
    return result;
}

} // namespace

TEST_CASE("states that most characters do not leave") { test::compare_with_automata(300, random_text, random_subject); }

TEST_CASE("characters are passed as long as that pays") {
    Trees trees;
    auto& pattern = parse_text(trees, "a.*b.*c");
    auto numbers  = words(*make_threads(*make_somewhere_nfa(pattern, max_nodes)));
    LazyCache cache(numbers);
    std::string rare, common;
    for (int i = 0; i != 2'000; ++i) rare += std::string(60, 'x') + "abcd\n"[i % 5], common += "ba\nb"[i % 4];
    CHECK(cache.first_end(rare, 0) == 2 * 61 + 60 + 1);
    for (size_t from = 0; from + 400 < rare.size(); from += 100) CHECK(cache.first_end(rare, from));
    CHECK(cache.passes());
    for (int i = 0; i != 200; ++i) CHECK(!cache.first_end(common, 0));
    CHECK(!cache.passes());
    CHECK(cache.first_end(rare, 0) == 2 * 61 + 60 + 1);
}

TEST_CASE("lines that have a match are found many at a time as one by one") {
    for (unsigned seed = 0; seed != 200; ++seed) {
        std::mt19937 dice(seed);
        auto text = random_text(dice);
        LazyRegex lazy(text, true);
        std::string error;
        auto regex = mim::Regex::compile(text, error, {.first = mim::Regex::Matcher::Next, .lines = true, .wait = true});
        REQUIRE(regex);
        for (int i = 0; i != 20; ++i) {
            auto subject = random_subject(dice);
            std::vector<size_t> expected, found; // the ends of lines
            for (size_t begin = 0; begin <= subject.size();) {
                auto newline = std::min(subject.find('\n', begin), subject.size());
                auto end     = std::min(newline + 1, subject.size());
                if (lazy.somewhere(std::string_view(subject).substr(0, newline), begin)) expected.push_back(end);
                begin = newline + 1;
            }
            std::vector<mim::Regex::Line> lines(1 + dice() % 8);
            for (size_t from = 0, count = lines.size(); count == lines.size();) {
                count = regex->in_lines(subject, from, lines);
                for (size_t j = 0; j != count; ++j) {
                    CHECK(lines[j].place >= from);
                    CHECK(lines[j].place <= lines[j].end);
                    found.push_back(from = lines[j].end);
                }
                if (from == subject.size() && !subject.ends_with('\n')) break;
                if (!found.empty() && found.size() > 1 && found[found.size() - 2] == found.back()) break;
            }
            INFO("seed " << seed << " `" << text << "` on `" << subject << "`");
            CHECK(found == expected);
        }
    }
}

TEST_CASE("lines where a large subject is taken apart") {
    constexpr size_t step = 1 << 20;
    auto subject          = std::string(step - 1, 'x') + "\n\nx\ny\n";
    auto ends             = [&](const char* text) {
        std::string error;
        auto regex = mim::Regex::compile(text, error, {.first = mim::Regex::Matcher::Next, .lines = true, .wait = true});
        REQUIRE(regex);
        std::vector<mim::Regex::Line> lines(10);
        lines.resize(regex->in_lines(subject, 0, lines));
        std::vector<size_t> result;
        for (auto& line : lines) result.push_back(line.end);
        return result;
    };
    CHECK(ends("^$") == std::vector{step + 1, step + 5});
    CHECK(ends("x") == std::vector{step, step + 3});
    CHECK(ends("y|x$") == std::vector{step, step + 3, step + 5});
    CHECK(ends("z").empty());
}
