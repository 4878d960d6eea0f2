// SPDX-License-Identifier: MIT
// Automata are minimal, and bounded.
#include <doctest/doctest.h>
#include <map>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::regex;
using test::Regex;

namespace {

/// States of an automaton that something tells apart, found by refining until nothing changes (Moore).
size_t different_states(const Dfa& dfa) {
    std::vector<size_t> block(dfa.states, 0);
    for (size_t count = 1;;) {
        std::map<std::vector<size_t>, size_t> rows;
        std::vector<size_t> next;
        for (uint32_t q = 0; q != dfa.states; ++q) {
            std::vector<size_t> row{block[q]};
            for (uint32_t k = 0; k != dfa.classes; ++k) {
                row.push_back(dfa.accepts[dfa.cell(q, k)]);
                row.push_back(block[dfa.to[dfa.cell(q, k)]]);
            }
            next.push_back(rows.try_emplace(row, rows.size()).first->second);
        }
        if (rows.size() == count) return count;
        block = next, count = rows.size();
    }
}

} // namespace

TEST_CASE_FIXTURE(Regex, "no two states of a minimal automaton are the same") {
    for (auto text :
         {"a", "(a|b)*abb", "[a-z]+@[a-z]+\\.[a-z]{2,4}", "(aa|ab|ba|bb)*", "\\bfoo\\b|\\Bbar", "(?i)select|insert|update"}) {
        INFO(text);
        auto def = of(conj(0), {parsed(text), w.annex(at::stop)});
        Patterns patterns(w);
        auto& tree = patterns.read(def);
        auto large = make_dfa(*make_nfa(tree, false));
        REQUIRE(large);
        auto small = minimize(*large);
        CHECK(small.states <= large->states);
        CHECK(small.states == different_states(*large));
        CHECK(small.is_whole());
    }
    auto dfa = automaton(of(conj(0), {parsed("\\d{4}-\\d{2}-\\d{2}"), w.annex(at::stop)}));
    CHECK(dfa->states == 12);
    CHECK(dfa->classes == 4);
    CHECK(dfa->is_finite());
    CHECK(!automaton(parsed("a*"))->is_finite());
    CHECK(!automaton(parsed("a*"))->is_whole());
}

TEST_CASE_FIXTURE(Regex, "loops of an automaton") {
    auto loop = [&](const char* text) {
        auto dfa = automaton(of(conj(0), {parsed(text), w.annex(at::stop)}));
        return dfa->loop(dfa->start[0]);
    };
    CHECK(loop("[^,]*") == (range_set(1, 255) & ~range_set(',', ',')));
    CHECK(loop("[b-d]*x") == range_set('b', 'd'));
    CHECK(loop("a[^,]*").none());
    CHECK(fits_leave(loop("[^,]*")));
    CHECK(fits_leave(loop("[A-Za-z0-9_.]*")));
    auto straight = [&](const char* text) { return automaton(parsed(text))->is_straight(); };
    CHECK(straight("a*b+[^c]*c"));
    CHECK(!straight("(ab)*c"));
    CHECK(!straight("a+(b+a+)*c"));
}

TEST_CASE_FIXTURE(Regex, "runs of characters of which only their number counts") {
    auto run = [&](const char* text) {
        auto dfa = automaton(of(conj(0), {parsed(text), w.annex(at::stop)}));
        return dfa->run(dfa->start[0]);
    };
    auto check = [&](const char* text, uint32_t least, uint32_t most, const Set& set) {
        INFO(text);
        auto found = run(text);
        REQUIRE(found);
        CHECK(found->least == least);
        CHECK(found->most == most);
        CHECK(found->set == set);
    };
    check("[a-z]{8,64}", 8, 64, range_set('a', 'z'));
    check("[a-z]{1,200}=x", 1, 200, range_set('a', 'z'));
    check("a{70}", 70, 70, range_set('a', 'a'));
    check("a{0,10}(?:b|c+)", 0, 10, range_set('a', 'a'));
    for (auto text : {"a{3,7}", "a{62}", "a{8,}", "a*", "(?:a{10,20}b)?c", "(?:ab?){9,12}", "a{0,10}[ab]", "(?:..)*",
                      "a{4}b?a{6}", "a{9,12}|a{20}"}) {
        INFO(text);
        CHECK(!run(text));
    }
}

TEST_CASE_FIXTURE(Regex, "an automaton with too many states is none, and a pattern with too many parts an error") {
    CHECK(!automaton(parsed("(a|b)*a(a|b){20}")));
    CHECK(automaton(parsed("(a|b)*a(a|b){5}")));
    auto endless = rep(60000, 60000, rep(60000, 60000, chr('a')));
    CHECK(!automaton(endless));
    CHECK_THROWS_AS(threads(endless), Error);
    auto deep = chr('a');
    for (unsigned i = 0; i != 3000; ++i) deep = un(lazy::star, of(alt(0), {deep, chr('b')}));
    CHECK_THROWS_AS(automaton(deep), Error);
}

TEST_CASE_FIXTURE(Regex, "where an automaton has too many states, threads are as many as its parts") {
    auto a = chr('a'), ab = chr('a', 'b');
    auto late  = of(conj(0), {star(ab), a, rep(20, 20, ab)}); // a language
    auto order = of(alt(0), {late, star(chr('b')), a});
    for (auto def : {late, order, star(order), of(conj(0), {un(lazy::star, order), chr('c')})}) {
        CHECK(!automaton(def));
        auto small = make_plan(w, def).threads;
        CHECK(small.nodes.size() > 20);
        CHECK(small.nodes.size() < 60);
    }
    // a copy of a part for each depth of loops that may have read nothing, not for each set of them
    auto deep = un(lazy::optional, a);
    for (unsigned i = 0; i != 60; ++i) deep = star(of(conj(0), {deep, un(lazy::optional, a)}));
    CHECK(threads(deep).nodes.size() < 20000);
    // one behind the other, they are at the same depth
    std::vector<const Def*> row(100, star(of(alt(0), {a, of(conj(0), {})})));
    CHECK(run(threads(of(conj(0), row)), "aaa") == 3);
}

TEST_CASE_FIXTURE(Regex, "characters in UTF-8 are those that are encoded so") {
    auto encode = [](uint32_t c) {
        std::string s;
        if (c < 0x80) s += char(c);
        else if (c < 0x800) s += char(0xc0 | c >> 6), s += char(0x80 | (c & 63));
        else if (c < 0x10000) s += char(0xe0 | c >> 12), s += char(0x80 | (c >> 6 & 63)), s += char(0x80 | (c & 63));
        else
            s += char(0xf0 | c >> 18), s += char(0x80 | (c >> 12 & 63)), s += char(0x80 | (c >> 6 & 63)),
                s += char(0x80 | (c & 63));
        return s;
    };
    std::pair<uint32_t, uint32_t> ranges[] = {{0, 0x10ffff},  {0x7f, 0x80},     {0x3a3, 0x3c9},
                                              {0x7f0, 0x810}, {0xd000, 0xe100}, {0xfff0, 0x10401}};
    for (auto [lo, hi] : ranges) {
        INFO(lo << " " << hi);
        auto dfa = automaton(w.app(w.annex(utf8(0)), {w.lit_nat(lo), w.lit_nat(hi)}));
        for (uint32_t c = 0; c <= 0x10ffff; c += c > 0x20000 ? 997 : 1) {
            bool is = lo <= c && c <= hi && (c < 0xd800 || c > 0xdfff);
            auto s  = encode(c);
            if (run(*dfa, s) != (is ? int64_t(s.size()) : -1)) REQUIRE(c == ~0u);
        }
    }
    CHECK_THROWS_AS(w.app(w.annex(utf8(0)), {w.lit_nat(0), w.lit_nat(0x110000)}), Error);
}
