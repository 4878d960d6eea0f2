// SPDX-License-Identifier: MIT
// Matchers that many threads use at once, most of them with caches that are cleared all the time: each thread finds what
// it would find alone. Worth most with -fsanitize=thread.
#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <thread>

#include "regex/host/engine.h"
#include "regex/host/regex.h"
#include "regex/host/regex_set.h"

using namespace mim;
using namespace mim::plug::regex;

namespace {

constexpr unsigned threads = 4;

/// One pattern for each way to search: texts, inner texts, words, loops, many states.
constexpr const char* texts[] = {
    "fa[th]er|mother",
    "\\w+@\\w+\\.org",
    "a.*b.*c",
    "[ab]*a[ab]{8}c",
    "\\b(?:father|fathom|gather|rather|lather|feather|weather|leather|bother|mother|brother|smother)\\b",
    "[^\\n]*x$",
    "(?:ab?)*"};

/// Some have what the patterns look for everywhere, so that looking for it does not pay.
std::string random_subject(std::mt19937& dice) {
    static constexpr const char* parts[] = {"father", "a", "b",      "aab",    "@",   "me@here.org",
                                            "\n",     " ", "mother", "fathom", "xyz", "c"};
    std::string result;
    auto kind = dice() % 3;
    for (auto n = dice() % 200; n != 0; --n) {
        if (kind == 0) result += "a@b.or "[dice() % 7];
        else if (kind == 1) result += parts[dice() % std::size(parts)];
        else result += dice() % 20 == 0 ? parts[dice() % std::size(parts)] : "----";
    }
    return result;
}

/// All that a matcher tells of a subject.
struct Answers {
    std::vector<size_t> spans, lines;
    size_t count;
    std::optional<size_t> prefix;
    bool full, somewhere;
    bool operator==(const Answers&) const = default;
};

Answers ask(LazyRegex& regex, std::string_view subject) {
    Answers result;
    for (auto found = regex.next(subject, 0, false); found; found = regex.next(subject, found->end, found->begin == found->end))
        result.spans.push_back(found->begin), result.spans.push_back(found->end);
    Regex::Line lines[8];
    auto some = regex.in_lines(subject, 0, lines);
    for (size_t i = 0; i != some; ++i) result.lines.push_back(lines[i].end);
    result.count     = regex.count(subject);
    result.prefix    = regex.prefix_match(subject);
    result.full      = regex.full_match(subject);
    result.somewhere = regex.somewhere(subject, 0).has_value();
    return result;
}

/// The function in several threads at once, each with a number.
template<class F>
void at_once(F f) {
    std::atomic<unsigned> ready = 0;
    std::vector<std::thread> all;
    for (unsigned t = 0; t != threads; ++t)
        all.emplace_back([&, t] {
            ++ready;
            while (ready != threads) std::this_thread::yield(); // so that the first calls meet, too
            f(t);
        });
    for (auto& one : all) one.join();
}

} // namespace

TEST_CASE("caches of one to ten states in many threads") {
    std::atomic<int> wrong = 0;
    for (size_t states = 1; states <= 10; ++states) {
        for (auto text : texts) {
            LazyLimits limits;
            limits.states = states;
            limits.least  = states % 2 * 10;
            limits.pause  = 20;
            LazyRegex shared(text, true, limits);
            at_once([&](unsigned t) {
                LazyRegex alone(text, true);
                std::mt19937 dice(unsigned(states) * threads + t);
                for (int i = 0; i != 12; ++i) {
                    auto subject = random_subject(dice);
                    wrong += ask(shared, subject) != ask(alone, subject);
                }
            });
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("patterns and sets of patterns in many threads") {
    std::vector<std::string_view> all(std::begin(texts), std::end(texts));
    RegexSet::Fault fault;
    auto set = RegexSet::compile(all, fault);
    REQUIRE(set);
    std::vector<std::unique_ptr<Regex>> patterns;
    for (auto text : texts) {
        std::string error;
        patterns.push_back(Regex::compile(text, error, {.first = Regex::Matcher::Next, .wait = true}));
        REQUIRE(patterns.back());
    }
    std::atomic<int> wrong = 0;
    at_once([&](unsigned t) {
        std::mt19937 dice(t);
        for (int i = 0; i != 60; ++i) {
            auto subject = random_subject(dice);
            std::vector<size_t> expected;
            for (size_t p = 0; p != patterns.size(); ++p) {
                auto found = patterns[p]->find(subject);
                if (found) expected.push_back(p);
                wrong += (patterns[p]->count(subject) == 0) == found.has_value();
                wrong += patterns[p]->full_match(subject) && !found;
            }
            wrong += set->matches(subject) != expected;
            wrong += set->is_match(subject) == expected.empty();
        }
    });
    CHECK(wrong == 0);
}
