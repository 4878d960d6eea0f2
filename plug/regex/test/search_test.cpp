// SPDX-License-Identifier: MIT
// Searching: all matches as Python's re finds them (`[m.span() for m in re.finditer(pattern, text)]`), and where a match may begin.
#include <doctest/doctest.h>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::regex;
using test::Regex;

TEST_CASE_FIXTURE(Regex, "empty matches are found as Python finds them") {
    using Spans = std::vector<Span>;
    auto found  = [&](const char* pattern, const char* text) { return all(automata(parsed(pattern)), text); };
    CHECK(found("a*", "baac") == Spans{{0, 0}, {1, 3}, {3, 3}, {4, 4}});
    CHECK(found("|a", "a") == Spans{{0, 0}, {0, 1}, {1, 1}});
    CHECK(found("\\b|b", "ab b") == Spans{{0, 0}, {1, 2}, {2, 2}, {3, 3}, {3, 4}, {4, 4}});
    CHECK(found("a|ab|", "xabab") == Spans{{0, 0}, {1, 2}, {2, 2}, {3, 4}, {4, 4}, {5, 5}});
    CHECK(found("(?m)^", "a\nb\n") == Spans{{0, 0}, {2, 2}, {4, 4}});
    CHECK(found("\\B", "ab c") == Spans{{1, 1}});
    CHECK(found("x*?", "xx") == Spans{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}});
    CHECK(found("\\w+?\\b", "ab cd") == Spans{{0, 2}, {3, 5}});
}

TEST_CASE_FIXTURE(Regex, "within lines nothing matches a newline, and a line has a start and a stop") {
    auto found  = [&](const char* pattern, const char* text) { return all(automata(un(lines(0), parsed(pattern))), text); };
    using Spans = std::vector<Span>;
    CHECK(found("[^x]+", "ab\n\nc") == Spans{{0, 2}, {4, 5}});
    CHECK(found("\\A.", "ab\nc") == Spans{{0, 1}, {3, 4}});
    CHECK(found("(?s).\\z", "ab\nc\n") == Spans{{1, 2}, {3, 4}});
    CHECK(found("\n", "a\nb").empty());
    CHECK(found("b|\\s*", "a\nb") == Spans{{0, 0}, {1, 1}, {2, 3}, {3, 3}});
    CHECK(un(lines(0), chr('\n')) == of(disj(0), {}));
    CHECK(un(lines(0), w.annex(at::word)) == w.annex(at::word));
}

TEST_CASE_FIXTURE(Regex, "where matches begin is looked for if that is rare") {
    auto first = [&](const char* pattern) { return automata(parsed(pattern)).ways.first; };
    CHECK(!first("a*"));
    CHECK(!first("[a-z]+"));
    CHECK(!first("."));
    CHECK(!first("[aeiou]"));
    CHECK(first("e"));
    auto name = first("Sherlock|Holmes");
    REQUIRE(name);
    CHECK(name->rate() < 1e-3);
    CHECK(name->have("Sherry"));
    CHECK(name->have("Holmes"));
    CHECK(!name->have("Shop"));
    CHECK(!name->have("Hopes"));
    // shorter than what is looked at; and more sets than there are groups
    auto or_short = first("Qx|abcd");
    REQUIRE(or_short);
    CHECK(or_short->have("Qxz"));
    CHECK(or_short->have("Qx"));
    auto words = first("\\b(?:alignas|break|catch|default|else|float|goto|if|long|mutable|new|operator|private)\\b");
    REQUIRE(words);
    for (auto word : {"alignas", "break", "catch", "default", "else", "float", "goto", "if", "long", "private"})
        CHECK(words->have(word));
}

TEST_CASE_FIXTURE(Regex, "a start state is where nothing has begun only if what is before it says so") {
    // behind `A` a match has begun, and the state is the one at the start
    auto word = of(disj(0), {un(not_(0), chr(' ', 'A')), chr('A'), w.annex(at::word)});
    auto def  = of(disj(0), {un(not_(0), chr('A')), of(conj(0), {word, chr('a'), chr('A')}), chr('a')});
    CHECK(end_on_ways(automata(def, true), "AaA", 0, false) == 3);
}

TEST_CASE_FIXTURE(Regex, "states that are seldom left are skipped through, and known again by a few characters") {
    auto cores = [&](const char* pattern) { return automata(parsed(pattern)).ways.cores; };
    auto email = cores("\\w+@\\w+\\.[a-z]+");
    REQUIRE(email.size() == 1);
    CHECK(email[0].states.size() == 2);
    CHECK(email[0].back == 1);
    CHECK(email[0].finder.have("@"));
    CHECK(!email[0].finder.have("word @"));
    auto line = cores("[^\\n]*error[^\\n]*");
    REQUIRE(line.size() == 2);
    CHECK(line[0].back == 4);
    CHECK(!line[0].finder.have("rrand")); // the first letter is common: behind it, a text is still in the core
    CHECK(line[0].finder.have("rror"));
    CHECK(line[1].back == 0);
    CHECK(line[1].finder.have("\n"));
    // what precedes the number is not known by any number of characters
    auto search = automata(parsed("(?:[a-z]+ ){3}\\d+"));
    CHECK(search.ways.cores.empty());
    CHECK(search.ways.hot.size() == 8);
    CHECK(!search.ways.first);
}

TEST_CASE_FIXTURE(Regex, "characters of a set, and runs of such, are counted without an automaton") {
    auto tally = [&](const char* pattern) { return make_tally(automata(parsed(pattern)).forward); };
    auto count = [&](const char* pattern, const char* text) { return Regex::count(*tally(pattern), text); };
    CHECK(count("[aeiou]", "seventeen houses") == 7);
    CHECK(count("\\w+", "two words, a_b") == 3);
    CHECK(count("\\w+?", "two words") == 8);
    CHECK(count("[^ -~]", "a\n\x80 \xff") == 3);
    for (auto none : {"a*", "ab", "a|bc", "\\b\\w+", "(?m)a$", "aa+", "a+b", "[^\\x00-\\xff]",
                      "[\\x10\\x21\\x32\\x43\\x54\\x65\\x76\\x87\\x98]"}) {
        INFO(none);
        CHECK(!tally(none));
    }
}

TEST_CASE_FIXTURE(Regex, "few states count matches without looking for one after the other") {
    auto counter = [&](const char* pattern) { return make_counter(automata(parsed(pattern)).forward); };
    auto count   = [&](const char* pattern, const char* text) {
        auto found = counter(pattern);
        REQUIRE(found);
        return Regex::count(*found, text);
    };
    CHECK(count("[aeiou][^aeiou][aeiou]", "banana canoe") == 2);
    CHECK(count("[aeiou][^aeiou][aeiou]", "seven") == 1);
    CHECK(count("(?:[a-z]+ ){3}\\d+", "a b c d 12 e f g 3") == 2);
    CHECK(count("\\b[a-c]+\\b", "ab abcd c") == 2);
    CHECK(count("(?m)^.$", "a\n\nbc\nd") == 2);
    // behind an end that is the last one, what was read is read as the next search would
    CHECK(count("a(?:bb)*", "abababbab") == 4);
    CHECK(count("aa|aaab?", "aaaabaaaaaaab") == 5);
    CHECK(count("\\Aab", "abab") == 1);
    CHECK(counter("[aeiou][^aeiou][aeiou]")->states == 4);
    CHECK(!counter("a(?:[^x]*b)?")); // of any number of matches it is not known for long whether they are some
    CHECK(!counter("father.{0,9}error"));
}

TEST_CASE_FIXTURE(Regex, "counting by shuffles is chosen where it is faster, and shuffles are") {
    auto chosen = [&](const char* pattern) { return faster_counter(w, automata(parsed(pattern))).has_value(); };
    w.features  = {"ssse3"};
    CHECK(chosen("[aeiou][^aeiou][aeiou]"));
    CHECK(!chosen("application"));
    CHECK(!chosen("(?:[aeiou][^aeiou])*"));
    w.features = {};
    CHECK(!chosen("[aeiou][^aeiou][aeiou]"));
}

TEST_CASE_FIXTURE(Regex, "what is too large for automata, but short, is tried where it may begin") {
    auto is = [&](const char* pattern) { return make_search(w, parsed(pattern)).index(); };
    CHECK(is("ab.{3}cd") == 0);
    CHECK(is("\\bfather.{0,40}error\\b") == 1);
    CHECK(is("father.{0,40}error") == 1);
    CHECK(is("father[^x]*.{0,40}error") == 2);
}
