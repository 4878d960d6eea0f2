// SPDX-License-Identifier: MIT
// Automata whose states are made while they run: what they find does not depend on the cache, which stays within its
// bound. What random patterns match is tested in random_test.cpp.
#include "regex/host/lazy.h"

#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <thread>

#include "regex/host/engine.h"
#include "regex/host/lazy_set.h"
#include "regex/host/parse.h"
#include "regex/host/regex.h"
#include "regex/host/regex_set.h"
#include "test/fixture.h"
#include "test/lazy_checks.h"

using namespace mim;
using namespace mim::plug::regex;
using test::matches, test::Spans;

namespace {

/// A text of a pattern, with parts that are nested so many times.
std::string random_text(std::mt19937& dice, unsigned depth) {
    static constexpr const char* parts[] = {"a", "b", "[ab]", ".", "\\b", "^", "$", "\\w", "é", "(?m:^)", "[^a]", "ab"};
    auto more                            = [&] { return random_text(dice, depth - 1); };
    if (depth == 0) return parts[dice() % std::size(parts)];
    auto inner = [&] { return "(?:" + more() + ")"; };
    switch (dice() % 9) {
        case 0: return inner() + "*";
        case 1: return inner() + "+?";
        case 2: return inner() + "{0,3}";
        case 3: return more() + "|" + more();
        case 4: return "(?:" + more() + "|" + more() + "|" + more() + ")";
        case 5: return inner() + "??";
        case 6: return "(?i)" + more();
        default: return more() + more();
    }
}

std::string random_subject(std::mt19937& dice, size_t size) {
    static constexpr char letters[] = "abAB \n\xc3\xa9";
    std::string result(size, ' ');
    for (auto& c : result) c = letters[dice() % (sizeof(letters) - 1)];
    return result;
}

/// Calls the function in four threads, in each for fifty texts of 200 characters.
template<class F>
void in_threads(F f) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t != 4; ++t)
        threads.emplace_back([&, t] {
            std::mt19937 dice(t);
            for (int i = 0; i != 50; ++i) {
                std::string subject(200, 'b');
                for (auto& c : subject) c = "ab"[dice() % 2];
                f(subject);
            }
        });
    for (auto& thread : threads) thread.join();
}

std::string random_words(size_t count) {
    std::mt19937 dice(1);
    std::string result;
    for (size_t i = 0; i != count; ++i) {
        if (i != 0) result += '|';
        for (size_t n = 4 + dice() % 6; n != 0; --n) result += char('a' + dice() % 26);
    }
    return result;
}

} // namespace

TEST_CASE("texts of patterns are matched as automata match them that are made at once") {
    auto text    = [](std::mt19937& dice) { return random_text(dice, 3); };
    auto subject = [](std::mt19937& dice) { return random_subject(dice, dice() % 30); };
    test::compare_with_automata(400, text, subject);
}

TEST_CASE("patterns within lines are matched as automata match them that are made at once") {
    for (unsigned seed = 0; seed != 200; ++seed) {
        std::mt19937 dice(seed);
        test::Regex regex;
        auto text   = random_text(dice, 3);
        auto search = regex.automata(regex.un(lines(0), regex.parsed(text)));
        LazyRegex lazy(text, true);
        for (int i = 0; i != 10; ++i) {
            auto subject = random_subject(dice, dice() % 30);
            INFO("seed " << seed << " `" << text << "` on `" << subject << "`");
            REQUIRE(matches(lazy, subject) == test::Regex::all(search, subject));
        }
    }
}

TEST_CASE("a cache is cleared when it is full, and keeps within its bound") {
    LazyLimits limits;
    limits.bytes = 20'000;
    limits.least = 0;
    Trees trees;
    auto pattern = trees.nary(Pattern::Conj, {trees.chars(range_set('a', 'a')), trees.chars(range_set('a', 'b'))});
    for (int i = 0; i != 12; ++i) pattern = trees.nary(Pattern::Conj, {pattern, trees.chars(range_set('a', 'b'))});
    auto nfa = make_somewhere_nfa(*pattern, max_nodes); // 2^13 states
    REQUIRE(nfa);
    auto numbers = words(*make_threads(*nfa));
    LazyCache small(numbers, limits);
    LazyCache large(numbers);
    std::mt19937 dice(7);
    for (int i = 0; i != 2000; ++i) {
        std::string subject(20, 'b');
        if (i % 2) subject.resize(5 + dice() % 10);
        for (auto& c : subject) c = "ab"[dice() % 2];
        REQUIRE(small.first_end(subject, 0) == large.first_end(subject, 0));
        REQUIRE(small.bytes() <= limits.bytes);
    }
    CHECK(small.clears() > 10);
    CHECK(large.clears() == 0);
}

TEST_CASE("where new states are met all the time, none are kept for a while") {
    LazyLimits limits;
    limits.states = 16;
    limits.pause  = 1000;
    LazyRegex lazy("[ab]*a[ab]{14}c", false, limits);
    std::mt19937 dice(3);
    std::string subject(10'000, 'b');
    for (auto& c : subject) c = "ab"[dice() % 2];
    subject[9'000] = 'c', subject[9'000 - 15] = 'a';
    CHECK(matches(lazy, subject) == Spans{{0, 9'001}});
}

TEST_CASE("what many steps lead to is the same by rows") {
    std::mt19937 dice(11);
    auto letters = [&](size_t size) {
        std::string result(size, 'a');
        for (auto& c : result) c = "abcdefgh"[dice() % 8];
        return result;
    };
    std::string text;
    for (int i = 0; i != 300; ++i) text += (i ? "|" : "") + letters(5 + dice() % 5);
    LazyLimits limits;
    limits.states = 4;
    limits.pause  = 1 << 20;
    auto subject  = letters(150'000);
    for (auto pattern : {text, "a[^c]{0,5}c(?:" + text + ")?h|" + text}) {
        Trees trees;
        auto nfa = make_somewhere_nfa(parse_text(trees, pattern, LazyRegex::max_parts), max_nodes);
        REQUIRE(nfa);
        auto numbers = words(*make_threads(*nfa));
        LazyCache small(numbers, limits), large(numbers);
        std::optional<size_t> from = 0;
        while (from) {
            auto next = small.first_end(subject, *from);
            REQUIRE(next == large.first_end(subject, *from));
            from = next;
        }
    }
}

TEST_CASE("sets of many words") {
    auto text = random_words(2000);
    LazyRegex set("\\b(?:" + text + ")\\b", false);
    auto last    = text.substr(text.rfind('|') + 1);
    auto subject = "x" + last + " " + last + " y" + last + "\n" + last;
    auto size    = last.size();
    CHECK(matches(set, subject) == Spans{{size + 2, 2 * size + 2}, {subject.size() - size, subject.size()}});
    CHECK(set.full_match(last));
    CHECK(!set.full_match(last + "x"));
    CHECK(set.prefix_match(last + " ") == size);
    CHECK(!set.is_small(false));

    std::string error;
    auto regex = mim::Regex::compile(text, error);
    REQUIRE(regex);
    CHECK(regex->full_match(last));
    CHECK(regex->count(subject) == 4);
    CHECK(regex->find(subject) == mim::Regex::Span{1, 1 + size});
}

TEST_CASE("an automaton with many states in many threads") {
    LazyLimits limits;
    limits.states = 50;
    LazyRegex lazy("[ab]*a[ab]{12}c", false, limits);
    std::atomic<int> wrong = 0;
    in_threads([&](std::string subject) {
        wrong += lazy.count(subject) != 0;
        subject[150] = 'c', subject[150 - 13] = 'a';
        wrong += lazy.count(subject) != 1;
        wrong += !lazy.full_match(subject.substr(0, 151));
    });
    CHECK(wrong == 0);
}

TEST_CASE("machine code takes over when much was read") {
    std::string error;
    auto waits = mim::Regex::compile("x\\d+", error, {.lines = true, .wait = true});
    REQUIRE(waits);
    std::string subject;
    for (int i = 0; i != 4'000'000; ++i) subject += "abcdefgh \n";
    subject += "x12\n";
    for (int i = 0; i != 3; ++i) {
        auto place = waits->somewhere(subject, 0);
        REQUIRE(place);
        CHECK(*place >= subject.size() - 4);
        CHECK(*place < subject.size());
    }
    CHECK(waits->next(subject, 0, false) == mim::Regex::Span{subject.size() - 4, subject.size() - 1});
}

namespace {

/// Patterns one by one, which say what a set of them finds.
class Alone {
public:
    explicit Alone(const std::vector<std::string>& texts) {
        for (auto& text : texts) all_.push_back(std::make_unique<LazyRegex>(text, false));
    }
    std::vector<size_t> matches(std::string_view subject) {
        std::vector<size_t> result;
        for (size_t i = 0; i != all_.size(); ++i)
            if (all_[i]->somewhere(subject, 0)) result.push_back(i);
        return result;
    }

private:
    std::vector<std::unique_ptr<LazyRegex>> all_;
};

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

} // namespace

TEST_CASE("a set of patterns finds those that match one by one") {
    for (unsigned seed = 0; seed != 200; ++seed) {
        std::mt19937 dice(seed);
        std::vector<std::string> texts;
        for (auto n = dice() % 8; n != 0; --n) texts.push_back(random_text(dice, dice() % 3));
        mim::RegexSet::Fault fault;
        auto set = mim::RegexSet::compile(views(texts), fault);
        REQUIRE(set);
        CHECK(set->size() == texts.size());
        Alone alone(texts);
        for (int i = 0; i != 20; ++i) {
            auto subject  = random_subject(dice, dice() % 30);
            auto expected = alone.matches(subject);
            INFO("seed " << seed << " on `" << subject << "`");
            REQUIRE(set->matches(subject) == expected);
            REQUIRE(set->is_match(subject) == !expected.empty());
        }
    }
}

TEST_CASE("what a set finds does not depend on its cache") {
    std::vector<std::string> texts{"a[ab]{9}c", "b[ab]{9}c", "ab", "bb", "^b", "c$", "[ab]{40}c"};
    Trees trees;
    std::vector<const Pattern*> patterns;
    for (auto& text : texts) patterns.push_back(&parse_text(trees, text));
    auto numbers = words(*make_threads(*make_set_nfa(patterns, max_nodes)));
    LazyLimits limits;
    limits.bytes = 20'000;
    LazySet large(numbers.graph());
    for (size_t least : {0, 10, 1'000'000}) {
        limits.least = least, limits.pause = 50;
        LazySet small(numbers.graph(), limits);
        std::mt19937 dice(5);
        for (int i = 0; i != 500; ++i) {
            std::string subject(dice() % 200, 'b');
            for (auto& c : subject) c = "aaabbbc"[dice() % 7];
            Subject s{subject.data(), subject.size()};
            Hits in_small(texts.size()), in_large(texts.size());
            small.search(s, in_small, false), large.search(s, in_large, false);
            REQUIRE(in_small.numbers() == in_large.numbers());
            REQUIRE(small.bytes() <= limits.bytes);
        }
        CHECK(small.clears > 3);
    }
}

TEST_CASE("a set of ten thousand words, of which one is wrong") {
    std::mt19937 dice(1);
    std::vector<std::string> texts;
    for (int i = 0; i != 10'000; ++i) {
        std::string word(4 + dice() % 6, ' ');
        for (auto& c : word) c = char('a' + dice() % 26);
        texts.push_back(word);
    }
    mim::RegexSet::Fault fault;
    auto set = mim::RegexSet::compile(views(texts), fault, {.ignore_case = true});
    REQUIRE(set);
    std::string subject(1000, '-');
    subject += texts[77] + "." + texts[9'999];
    subject[1000] = char(subject[1000] - 'a' + 'A');
    auto found    = set->matches(subject);
    CHECK(std::ranges::find(found, 77u) != found.end());
    CHECK(std::ranges::find(found, 9'999u) != found.end());
    for (auto i : found) CHECK(LazyRegex("(?i)" + texts[i], false).somewhere(subject, 0));
    CHECK(set->matches(std::string(1000, '-')).empty());

    texts[500] = "a(b";
    CHECK(!mim::RegexSet::compile(views(texts), fault));
    CHECK(fault.pattern == 500);
    CHECK(fault.fault.part.has_value());
    Trees trees;
    const Pattern* words[] = {&parse_text(trees, "abc"), &parse_text(trees, "abd")};
    CHECK(make_set_nfa(words, 10));
    CHECK(!make_set_nfa(words, 5));
    CHECK(!mim::RegexSet::compile({}, fault)->is_match("a"));
}

TEST_CASE("a set of patterns in many threads") {
    std::vector<std::string> texts{"[ab]*a[ab]{12}c", "ab+a", "c"};
    mim::RegexSet::Fault fault;
    auto set = mim::RegexSet::compile(views(texts), fault);
    REQUIRE(set);
    Alone alone(texts);
    std::atomic<int> wrong = 0;
    in_threads([&](const std::string& subject) { wrong += set->matches(subject) != alone.matches(subject); });
    CHECK(wrong == 0);
}
