// SPDX-License-Identifier: MIT
// Random patterns against a matcher that has nothing in common with automata: it tries one way after the other, as Perl does, and
// enumerates the matches of languages. It reads the patterns as they were made, automata their normal forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <set>

#include "regex/host/lazy.h"
#include "test/fixture.h"
#include "unit/samples.h"

using namespace mim;
using namespace mim::plug::regex;
using test::Regex;

namespace {

struct Node {
    enum Op { Chars, Not, At, Conj, Disj, Quant, NoCase, Repeat, Alt, Lazy, Group } op;
    unsigned a = 0, b = 0; ///< range, place, kind of quantifier, bounds
    std::vector<Node> kids = {};

    bool language() const {
        if (op == Disj) return true;
        return op != Alt && op != Lazy && std::ranges::all_of(kids, &Node::language);
    }
    /// It has groups that count.
    bool groups() const { return op == Group || (op != Disj && std::ranges::any_of(kids, &Node::groups)); }
};

/// As it would be written, so that a failure can be looked at.
std::string show(const Node& n) {
    static constexpr const char* names[] = {"chars",  "not",    "at",  "conj", "disj", "quant",
                                            "nocase", "repeat", "alt", "lazy", "group"};
    auto text = std::string(names[n.op]) + "." + std::to_string(n.a) + "." + std::to_string(n.b) + " (";
    for (auto& kid : n.kids) text += show(kid) + ", ";
    return text + ")";
}

class Random {
public:
    Random(Regex& world, unsigned seed, bool ordered, bool groups = false)
        : r_(world)
        , dice_(seed)
        , ordered_(ordered)
        , groups_(groups) {}

    Node node(unsigned depth) {
        if (groups_ && depth != 0 && below(3) == 0) return {Node::Group, 1 + below(3), 0, {node(depth - 1)}};
        static constexpr unsigned letters[] = {' ', 'A', 'a', '\n'};
        auto kids                           = [&](Node::Op op, unsigned n, unsigned a = 0, unsigned b = 0) {
            Node result{op, a, b};
            while (n-- != 0) result.kids.push_back(node(depth - 1));
            return result;
        };
        switch (depth == 0 ? below(4) : below(ordered_ ? 16 : 12)) {
            case 0:
            case 1:
            case 2: {
                auto a = letters[below(3)], b = letters[below(3)];
                return {below(4) == 0 ? Node::Not : Node::Chars, std::min(a, b), std::max(a, b)};
            }
            case 3: return below(2) ? Node{Node::At, below(8)} : Node{Node::Chars, letters[below(4)], 'a'};
            case 4:
            case 5:
            case 6: return kids(Node::Conj, below(4));
            case 7:
            case 8: return kids(Node::Disj, below(4));
            case 9: return kids(Node::Quant, 1, below(3));
            case 10: return below(2) ? kids(Node::NoCase, 1) : kids(Node::Quant, 1, below(3));
            case 11: {
                auto a = below(3);
                return kids(Node::Repeat, 1, a, a + below(3));
            }
            case 12:
            case 13: return kids(Node::Alt, 1 + below(3));
            default: return kids(Node::Lazy, 1, below(3));
        }
    }

    const Def* def(const Node& n) {
        std::vector<const Def*> kids;
        for (auto& kid : n.kids) kids.push_back(def(kid));
        switch (n.op) {
            case Node::Chars: return r_.chr(n.a, std::max(n.a, n.b));
            case Node::Not: return r_.un(not_(0), r_.chr(n.a, n.b));
            case Node::At: return r_.w.annex(at(n.a));
            case Node::Conj: return r_.of(conj(0), kids);
            case Node::Disj: return r_.of(disj(0), kids);
            case Node::Alt: return r_.of(alt(0), kids);
            case Node::Quant: return r_.un(quant(n.a), kids[0]);
            case Node::Lazy: return r_.un(lazy(n.a), kids[0]);
            case Node::NoCase: return r_.un(nocase(0), kids[0]);
            case Node::Group: return r_.w.app(r_.w.app(r_.w.annex(capture(0)), r_.w.lit_nat(n.a)), kids[0]);
            case Node::Repeat: return r_.rep(n.a, n.b, kids[0]);
        }
        return nullptr;
    }

private:
    unsigned below(unsigned n) { return unsigned(dice_() % n); }
    Regex& r_;
    std::mt19937 dice_;
    bool ordered_, groups_;
};

class Oracle {
public:
    using Next = std::function<bool(size_t)>;

    explicit Oracle(std::string subject)
        : s_(std::move(subject)) {}

    /// The groups of the first way to match that ends there.
    std::vector<int64_t> groups(const Node& n, int64_t stop, size_t count) {
        places_.assign(2 * count, -1), groups_ = true;
        match(n, 0, false, [&](size_t end) { return int64_t(end) == stop; });
        groups_ = false;
        return places_;
    }

    int64_t first(const Node& n) {
        int64_t result = -1;
        match(n, 0, false, [&](size_t end) { return result = int64_t(end), true; });
        return result;
    }
    /// The leftmost match from a position on, and its end; behind an empty match, the empty one there does not count.
    std::optional<std::pair<size_t, size_t>> next(const Node& n, size_t pos, bool after_empty) {
        for (auto begin = pos; begin <= s_.size(); ++begin) {
            std::optional<size_t> to;
            auto take = [&](size_t end) { return (begin == pos && end == pos && after_empty) ? false : (to = end, true); };
            if (match(n, begin, false, take)) return std::pair(begin, *to);
        }
        return {};
    }

private:
    /// Calls `next` with each end, the preferred one first, until it says yes.
    bool match(const Node& n, size_t pos, bool nocase, const Next& next) {
        if (groups_ ? n.language() && !n.groups() : n.language()) {
            auto all = ends(n, pos, nocase);
            return std::any_of(all.rbegin(), all.rend(), next);
        }
        switch (n.op) {
            case Node::Conj: return sequence(n, 0, pos, nocase, next);
            case Node::Alt: return std::ranges::any_of(n.kids, [&](auto& kid) { return match(kid, pos, nocase, next); });
            case Node::NoCase: return match(n.kids[0], pos, true, next);
            case Node::Group: return group(n, pos, nocase, next);
            case Node::Quant:
            case Node::Lazy: return times(n, n.a == 2 ? 1 : 0, n.a == 0 ? 1 : ~0u, n.op == Node::Lazy, pos, nocase, next);
            case Node::Repeat: return times(n, n.a, n.b, false, pos, nocase, next);
            default: return false;
        }
    }
    bool group(const Node& n, size_t pos, bool nocase, const Next& next) {
        return match(n.kids[0], pos, nocase, [&](size_t end) {
            if (!groups_) return next(end);
            auto before          = places_;
            places_[2 * n.a - 2] = int64_t(pos), places_[2 * n.a - 1] = int64_t(end);
            return next(end) || (places_ = before, false);
        });
    }
    bool sequence(const Node& n, size_t i, size_t pos, bool nocase, const Next& next) {
        if (i == n.kids.size()) return next(pos);
        return match(n.kids[i], pos, nocase, [&](size_t end) { return sequence(n, i + 1, end, nocase, next); });
    }
    bool times(const Node& n, unsigned min, unsigned max, bool lazy, size_t pos, bool nocase, const Next& next) {
        auto more = [&] {
            return max != 0 && match(n.kids[0], pos, nocase, [&](size_t end) {
                       if (end == pos && min <= 1 && max == ~0u) return next(pos); // only a loop ends so
                       return times(n, min == 0 ? 0 : min - 1, max == ~0u ? max : max - 1, lazy, end, nocase, next);
                   });
        };
        if (min != 0) return more();
        return lazy ? next(pos) || more() : more() || next(pos);
    }

    std::set<size_t> ends(const Node& n, size_t pos, bool nocase) {
        std::set<size_t> result;
        auto chr = [&](size_t i) { return i < s_.size() ? int(uint8_t(s_[i])) : -1; };
        auto in  = [&](int c) { return c >= int(n.a) && c <= int(std::max(n.a, n.b)); };
        auto has = [&](int c) { return in(c) || (nocase && (in(std::tolower(c)) || in(std::toupper(c)))); };
        auto all = [&](const std::set<size_t>& from, const Node& kid) {
            std::set<size_t> to;
            for (auto p : from) to.merge(ends(kid, p, nocase));
            return to;
        };
        switch (n.op) {
            case Node::Chars:
                if (chr(pos) >= 0 && has(chr(pos))) result = {pos + 1};
                break;
            case Node::Not:
                // whatever the case is, it is that of the set that is negated
                if (chr(pos) >= 0 && (nocase ? folded_not(n, chr(pos)) : !in(chr(pos)))) result = {pos + 1};
                break;
            case Node::At:
                if (is_at(n.a, pos)) result = {pos};
                break;
            case Node::Conj:
                result = {pos};
                for (auto& kid : n.kids) result = all(result, kid);
                break;
            case Node::Disj:
            case Node::Alt:
                for (auto& kid : n.kids) result.merge(ends(kid, pos, nocase));
                break;
            case Node::NoCase: result = ends(n.kids[0], pos, true); break;
            case Node::Group: result = ends(n.kids[0], pos, nocase); break;
            case Node::Quant:
            case Node::Lazy:
            case Node::Repeat: {
                bool is_repeat = n.op == Node::Repeat;
                unsigned min = is_repeat ? n.a : n.a == 2, max = is_repeat ? n.b : n.a == 0 ? 1 : unsigned(s_.size()) + 1;
                std::set<size_t> now{pos};
                for (unsigned i = 0; i <= max; ++i, now = all(now, n.kids[0]))
                    if (i >= min) result.insert(now.begin(), now.end());
                break;
            }
        }
        return result;
    }
    /// A character whose other case is outside of a negated set is in what it negates without case.
    static bool folded_not(const Node& n, int c) {
        auto out = [&](int x) { return x < int(n.a) || x > int(n.b); };
        return out(c) || out(std::tolower(c)) || out(std::toupper(c));
    }
    bool is_at(unsigned place, size_t pos) {
        auto word  = [&](size_t i) { return i < s_.size() && std::isalpha(uint8_t(s_[i])); };
        bool edge  = (pos != 0 && word(pos - 1)) != word(pos);
        bool after = pos == 0 || s_[pos - 1] == '\n', stop = pos == s_.size();
        const bool answers[] = {pos == 0,  stop, after, stop || s_[pos] == '\n', edge, !edge, pos == 0 || !word(pos - 1),
                                !word(pos)};
        return answers[place];
    }
    std::string s_;
    std::vector<int64_t> places_;
    bool groups_ = false;
};

/// Caches of one state to ten, that are never given up, that are given up at once, or now and then.
LazyLimits small_caches(unsigned seed) {
    LazyLimits limits;
    limits.states = 1 + seed % 10;
    limits.least  = seed % 3;
    limits.pause  = seed % 7;
    return limits;
}

/// Matches and searches for a pattern by automata whose states are made as they are reached.
class LazySearch {
public:
    LazySearch(const Pattern& pattern, const Pattern& reversed, const LazyLimits& limits)
        : words_{numbers(make_nfa(pattern, is_ordered(pattern), Inner::Enclosed)),
                 numbers(make_search_nfa(pattern, Inner::Enclosed)), numbers(make_nfa(reversed, false, Inner::Enclosed)),
                 numbers(make_somewhere_nfa(pattern, max_nodes))}
        , prefix_(words_[0], limits)
        , ends_(words_[1], limits)
        , begins_(words_[2], limits)
        , somewhere_(words_[3], limits)
        , most_(limits.states) {}

    int64_t first(const std::string& s) {
        auto end = prefix_.end(s, 0);
        return end ? int64_t(*end) : -1;
    }
    std::optional<Regex::Span> next(const std::string& s, size_t pos, bool after_empty) {
        auto end = ends_.end(s, pos, after_empty);
        if (!end) return {};
        return Regex::Span{begins_.begin(s, pos, *end), *end};
    }
    std::optional<size_t> somewhere(const std::string& s, size_t pos) { return somewhere_.first_end(s, pos); }
    bool is_bounded() const {
        for (auto cache : {&prefix_, &ends_, &begins_, &somewhere_})
            if (cache->states() > most_) return false;
        return true;
    }

private:
    static Words numbers(const std::optional<Nfa>& nfa) { return words(*make_threads(*nfa)); }

    Words words_[4];
    LazyCache prefix_, ends_, begins_, somewhere_;
    size_t most_;
};

LazySearch lazy_search(Regex& regex, const Def* def, unsigned seed) {
    Patterns patterns(regex.w);
    auto& pattern = patterns.read(def);
    return {pattern, patterns.reversed(pattern), small_caches(seed)};
}

void compare(Regex& regex, unsigned seed, bool ordered, const std::vector<std::string>& subjects) {
    Random random(regex, seed, ordered);
    auto node = random.node(4);
    auto def  = random.def(node);
    auto dfa  = regex.automaton(def);
    REQUIRE(dfa);
    auto threads = regex.threads(def);
    auto lazy    = lazy_search(regex, def, seed);
    for (auto& s : subjects) {
        auto expected = Oracle(s).first(node);
        auto by_lazy  = lazy.first(s);
        if (Regex::run(*dfa, s) == expected && Regex::run(threads, s) == expected && by_lazy == expected) continue;
        INFO("seed " << seed << " ordered " << ordered << " subject `" << s << "` expected " << expected << " of " << show(node));
        REQUIRE(Regex::run(*dfa, s) == expected);
        REQUIRE(Regex::run(threads, s) == expected);
        REQUIRE(by_lazy == expected);
    }
    REQUIRE(lazy.is_bounded());
}

/// All matches, one after the other, also on ways that skip characters, and that none begins where it would be skipped.
void compare_search(Regex& regex, unsigned seed, bool ordered, const std::vector<std::string>& subjects) {
    Random random(regex, seed, ordered);
    auto node   = random.node(3);
    auto def    = random.def(node);
    auto search = regex.automata(def), eager = regex.automata(def, true);
    auto threads = regex.search_threads(def);
    auto lazy    = lazy_search(regex, def, seed);
    auto tally   = make_tally(search.forward);
    auto counter = search.may_be_empty ? std::nullopt : make_counter(search.forward);
    for (auto& s : subjects) {
        size_t pos = 0, count = 0;
        bool after_empty = false;
        INFO("seed " << seed << " ordered " << ordered << " subject `" << s << "` of " << show(node));
        while (true) {
            auto expected = Oracle(s).next(node, pos, after_empty);
            if (auto found = Regex::next(search, s, pos, after_empty); found != expected) {
                INFO("from " << pos << " found " << (found ? int(found->first) : -1) << ", "
                             << (found ? int(found->second) : -1));
                REQUIRE(found == expected);
            }
            REQUIRE(Regex::next(threads, s, pos, after_empty) == expected);
            if (auto found = lazy.next(s, pos, after_empty); found != expected) REQUIRE(found == expected);
            auto place = lazy.somewhere(s, pos); // an empty match counts there
            REQUIRE(place.has_value() == Oracle(s).next(node, pos, false).has_value());
            auto end = expected ? int64_t(expected->second) : -1;
            for (auto ways : {&search, &eager})
                if (Regex::end_on_ways(*ways, s, pos, after_empty) != end)
                    REQUIRE(Regex::end_on_ways(*ways, s, pos, after_empty) == end);
            if (!expected) break;
            ++count;
            auto [begin, to] = *expected;
            if (eager.ways.first) REQUIRE(eager.ways.first->have(s.substr(begin)));
            after_empty = begin == to, pos = to;
        }
        if (tally) REQUIRE(Regex::count(*tally, s) == count);
        if (counter) REQUIRE(Regex::count(*counter, s) == count);
    }
    REQUIRE(lazy.is_bounded());
}

std::vector<std::string> all_subjects(size_t length) {
    std::vector<std::string> result{""};
    for (size_t i = 0; i < result.size(); ++i)
        if (result[i].size() < length)
            for (auto c : {'a', 'A', ' ', '\n'}) result.push_back(result[i] + c);
    return result;
}

} // namespace

TEST_CASE("normal forms and automata keep the language of random patterns") {
    auto subjects = all_subjects(4);
    for (unsigned seed = 0; seed != 1500; ++seed) {
        Regex regex;
        compare(regex, seed, false, subjects);
    }
}

TEST_CASE("of several matches, automata find the one that is tried first") {
    auto subjects = all_subjects(4);
    for (unsigned seed = 0; seed != 1500; ++seed) {
        Regex regex;
        compare(regex, seed, true, subjects);
    }
}

TEST_CASE("two automata find the leftmost match of random patterns, and the ones behind it") {
    auto subjects = all_subjects(4);
    for (unsigned seed = 0; seed < 3000; seed += unit::stride) {
        Regex regex;
        compare_search(regex, seed, seed % 2, subjects);
    }
}

TEST_CASE("groups are where the way that is tried first has them") {
    auto subjects = all_subjects(4);
    for (unsigned seed = 0; seed != 1500; ++seed) {
        Regex regex;
        Random random(regex, seed, seed % 2 != 0, true);
        auto node = random.node(4);
        auto def  = random.def(node);
        auto dfa  = regex.automaton(def);
        REQUIRE(dfa);
        auto threads = make_group_plan(regex.w, def, 3);
        for (auto& s : subjects) {
            Oracle oracle(s);
            auto stop = oracle.first(node);
            INFO("seed " << seed << " subject `" << s << "` stop " << stop << " of " << show(node));
            if (Regex::run(*dfa, s) != stop) REQUIRE(Regex::run(*dfa, s) == stop);
            if (stop < 0) continue;
            auto expected = oracle.groups(node, stop, 3), found = Regex::groups(threads, s, stop, 3);
            if (found != expected) REQUIRE(found == expected);
        }
    }
}
