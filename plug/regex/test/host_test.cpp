// SPDX-License-Identifier: MIT
// Patterns that are compiled at run time.
#include "regex/host/regex.h"

#include <doctest/doctest.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <regex>
#include <thread>

#include "regex/host/regex_c.h"

using namespace mim;

namespace {

using Spans = std::vector<Regex::Span>;

std::unique_ptr<Regex> compile(std::string_view pattern, const Regex::Options& options = {}) {
    std::string error;
    auto regex = Regex::compile(pattern, error, options);
    CHECK(error == "");
    REQUIRE(regex);
    return regex;
}

#if defined(__OPTIMIZE__) && !defined(__clang__) // sanitizers are built with clang, and take their time
/// The least milliseconds of the processor that compiling a pattern took, once others were compiled.
double warm_time(std::string_view pattern, Regex::Matcher matcher) {
    double least = 1e9;
    for (int i = 0; i != 5; ++i) {
        timespec begin, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        compile(pattern, {.first = matcher});
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        least = std::min(least, double(end.tv_sec - begin.tv_sec) * 1e3 + double(end.tv_nsec - begin.tv_nsec) / 1e6);
    }
    return least;
}
#endif

} // namespace

TEST_CASE("a pattern that is compiled at run time matches and searches") {
    auto date = compile("\\d{4}-\\d\\d-\\d\\d");
    CHECK(date->full_match("2026-11-22"));
    CHECK(!date->full_match("2026-11-22."));
    CHECK(date->prefix_match("2026-11-22.") == 10);
    CHECK(!date->prefix_match(" 2026-11-22"));
    CHECK(date->find("on 2026-11-22 and 2027-01-01") == Regex::Span{3, 13});
    CHECK(date->find_all("on 2026-11-22 and 2027-01-01") == Spans{{3, 13}, {18, 28}});
    CHECK(date->count("on 2026-11-22 and 2027-01-01") == 2);
    CHECK(!date->find(""));
    CHECK(date->next("2026-11-22", 1, false) == std::nullopt);
}

TEST_CASE("the code of a pattern") {
    auto number  = compile("\\d+");
    auto matches = number->full_matcher();
    CHECK(matches(2, "12a"));
    CHECK(!matches(3, "12a"));
}

TEST_CASE("many subjects in one call") {
    const std::string_view subjects[] = {"12", "", "a", "3", "12a"};
    bool found[std::size(subjects)];
    auto number = compile("\\d+");
    CHECK(number->full_matches(subjects, found) == 2);
    CHECK((found[0] && !found[1] && !found[2] && found[3] && !found[4]));
    CHECK(number->full_matches({}, {}) == 0);

    std::vector<std::string_view> many; // several blocks, the last of which is not full
    for (size_t i = 0; i != 200; ++i) many.push_back(i % 3 == 0 ? "x" : "007");
    bool each[200];
    CHECK(number->full_matches(many, each) == 133);
    for (size_t i = 0; i != 200; ++i) CHECK(each[i] == (i % 3 != 0));
}

TEST_CASE("patterns and subjects of any bytes") {
    CHECK(compile("")->find_all("ab") == Spans{{0, 0}, {1, 1}, {2, 2}});
    CHECK(compile("\"\\\\\n\t")->find("x\"\\\n\t") == Regex::Span{1, 5});
    CHECK(compile("é+")->find("aéé") == Regex::Span{1, 5});
    CHECK(compile(std::string_view("a\0b", 3))->count(std::string_view("a\0ba\0b", 6)) == 2);
    CHECK(compile("[^a]")->count(std::string_view("a\0\xff", 3)) == 2);
}

TEST_CASE("options of patterns that are compiled at run time") {
    CHECK(compile("^a.*$", {.lines = true})->find_all("ab\nba\nac") == Spans{{0, 2}, {6, 8}});
    CHECK(compile("\\s+", {.lines = true})->find_all("a \n b") == Spans{{1, 2}, {3, 4}});
    CHECK(compile("aB", {.ignore_case = true, .opt_level = 0})->count("AB ab Ab a") == 3);
}

TEST_CASE("whole subjects of any length and of any bytes, in each way to match") {
    // one length, several; a table of texts; registers of 16, 32 and 64 states; rows in memory; a table; threads
    auto patterns = {"a{20}",          "[^b]{3,40}",    "|a|aaa|a{15}|a{31}|ab\\x00", "x(?:a{4}|b)*[^a]", "x(?:a{20}|b)*[^b]",
                     "x(?:a{45}|b)*c", "[ab]*a[ab]{6}", "[ab]*a[ab]{10}|[cx]",        "[ab]*a[ab]{13}"};
    std::mt19937 random(1);
    for (std::string pattern : patterns) {
        auto regex    = compile(pattern);
        auto expected = std::regex(pattern);
        auto check    = [&](const std::string& subject) {
            auto copy = std::make_unique<char[]>(subject.size()); // sanitizers see what is read behind it
            std::copy(subject.begin(), subject.end(), copy.get());
            bool same = regex->full_match({copy.get(), subject.size()}) == std::regex_match(subject, expected);
            if (!same) INFO(pattern << " on " << subject);
            REQUIRE(same);
        };
        for (size_t n = 0; n != 100; ++n) {
            check(std::string(n, 'a'));
            check("x" + std::string(n, 'a'));
            for (auto last : {'a', 'b', 'c', '\0', '\x80'}) check("x" + std::string(n, 'a') + last);
            std::string any(random() % 70, 'a');
            for (auto& c : any)
                if (random() % 8 == 0) c = "abcx\0\xff"[random() % 6];
            check(any);
        }
    }
}

TEST_CASE("matchers are compiled when they are asked for, by many threads at once") {
    auto date              = compile("\\d\\d-\\d\\d", {.first = Regex::Matcher::Count});
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back([&] {
            wrong += !date->full_match("12-34") + (date->prefix_match("12-345") != 5)
                     + (date->find("a 12-34") != Regex::Span{2, 7}) + (date->count("12-34 56-78") != 2);
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("many patterns, one after the other, each as if it were the only one") {
    std::string error;
    for (int i = 0; i != 40; ++i) {
        auto n = std::to_string(i);
        CHECK(compile("a{" + n + "}b")->full_match(std::string(size_t(i), 'a') + "b"));
        if (i % 10 == 0) CHECK(!Regex::compile("a{" + n, error, {}) == (error != ""));
    }
}

TEST_CASE("patterns come and go in many threads") {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t)
        threads.emplace_back([&wrong, t] {
            std::vector<std::unique_ptr<Regex>> kept; // others go in between
            for (int i = 0; i != 12; ++i) {
                auto n = std::to_string(10 * t + i);
                kept.push_back(compile("x" + n + "[ab]*"));
                if (i % 3 == 0) kept.erase(kept.begin());
                for (auto& regex : kept) wrong += regex->full_match("x" + n + "ab") != (regex == kept.back());
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

#if defined(__OPTIMIZE__) && !defined(__clang__) // sanitizers are built with clang, and take their time
// Bounds are four to five times what a processor of 2025 takes: what gets slower by some factor is found, no less.
TEST_CASE("patterns are compiled soon in a process that has compiled others") {
    CHECK(warm_time("[a-z0-9]+(?:[._-]+[a-z0-9]+)*@[a-z0-9]+(?:[_-]+[a-z0-9]+)*\\.[a-z]+", Regex::Matcher::Full) < 40);
    CHECK(warm_time("\\d{4}-\\d{2}-\\d{2}", Regex::Matcher::Full) < 20);
    CHECK(warm_time("alignas|alignof|asm|auto|bool|break|case|catch|char|class|concept|const|constexpr|continue|decltype|default|"
                    "delete|double|"
                    "else|enum|explicit|export|extern|false|float|for|friend|goto|if|inline|int|long|mutable|namespace|new|"
                    "noexcept|nullptr|"
                    "operator|private|protected|public|register|requires|return|short|signed|sizeof|static|struct|switch|"
                    "template|this|throw|"
                    "true|try|typedef|typeid|typename|union|unsigned|using|virtual|void|volatile|while",
                    Regex::Matcher::Next)
          < 110);
}
#endif

TEST_CASE("patterns with too many states for an automaton") {
    auto regex = compile("[ab]*a[ab]{14}c");
    CHECK(regex->full_match("bbabababababababac"));
    CHECK(regex->find_all("xababababababababacbbbbbbbbbbbbbbbbbbc") == Spans{{1, 19}});
}

TEST_CASE("what is wrong with a pattern is told, and where") {
    std::string error;
    CHECK(!Regex::compile("a(b", error));
    CHECK(error == "there is no `)` for this `(` [E-regex-01]\n  a(b\n   ^");
    CHECK(!Regex::compile("é[z-a]", error, {.ignore_case = true}));
    CHECK(error == "nothing is from `z` to `a`: the smaller one comes first [E-regex-06]\n  é[z-a]\n    ^~~");
    CHECK(!Regex::compile("a\n\nb(", error));
    CHECK(error == "there is no `)` for this `(` [E-regex-01]\n  b(\n   ^");
    Regex::Fault fault;
    CHECK(!Regex::compile("a\\", fault, {}));
    CHECK(fault.message == "this is no character: nothing follows the `\\` [E-regex-04]");
    CHECK(fault.part == Regex::Span{1, 2});
    CHECK(Regex::check("a\\", {})->part == Regex::Span{1, 2});
    CHECK(!Regex::check("a", {}));
    CHECK(!Regex::compile("(?:a{1000}b?){12600}", error));
    CHECK(error.find("at most 12582912 [E-regex-08]") != error.npos);
}

TEST_CASE("patterns that are compiled from C") {
    char error[24] = "";
    CHECK(!mim_regex_compile("a(b", 3, error, sizeof error));
    CHECK(std::string(error) == "there is no `)` for thi");
    auto regex = mim_regex_compile("b*", 2, error, sizeof error);
    REQUIRE(regex);
    size_t span[2];
    CHECK(mim_regex_full_match(regex, "bb", 2));
    CHECK(!mim_regex_full_match(regex, "ba", 2));
    CHECK(mim_regex_next(regex, "abb", 3, 0, true, span));
    CHECK(span[0] == 1);
    CHECK(span[1] == 3);
    CHECK(!mim_regex_next(regex, "abb", 3, 3, true, span));
    CHECK(mim_regex_count(regex, "abb", 3) == 3);
    size_t end = 0;
    CHECK(mim_regex_prefix_match(regex, "bba", 3, &end));
    CHECK(end == 2);
    CHECK(mim_regex_full_matcher(regex)(2, "bba"));
    const char* subjects[] = {"b", "ab", ""};
    const size_t sizes[]   = {1, 2, 0};
    bool found[3];
    CHECK(mim_regex_full_matches(regex, 3, subjects, sizes, found) == 2);
    CHECK((found[0] && !found[1] && found[2]));
    mim_regex_free(regex);
}

TEST_CASE("sets of patterns from C") {
    const char* patterns[] = {"a+b", "^c", "(", "d$"};
    const size_t sizes[]   = {3, 2, 1, 2};
    char error[16]         = "";
    size_t wrong           = 0;
    CHECK(!mim_regex_set_compile(4, patterns, sizes, &wrong, error, sizeof error));
    CHECK(wrong == 2);
    CHECK(std::string(error) == "there is no `)`");
    auto set = mim_regex_set_compile(2, patterns, sizes, &wrong, error, sizeof error);
    REQUIRE(set);
    bool found[2] = {true, true};
    CHECK(mim_regex_set_matches(set, "xaab", 4, found) == 1);
    CHECK((found[0] && !found[1]));
    CHECK(mim_regex_set_matches(set, "", 0, found) == 0);
    mim_regex_set_free(set);
}
