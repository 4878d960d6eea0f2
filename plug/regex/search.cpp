// SPDX-License-Identifier: MIT
#include "search.h"

#include <algorithm>

#include "pattern.h"
#include "plan.h"

namespace mim::plug::regex {

/// Of a character, in nanoseconds, as measured. What is rare is a guess, and texts differ: where places are looked for, searching must seem to take much longer.
constexpr double counter_cost = 0.6, too_long = 3.2;

static std::optional<Search> make_automata(Patterns& patterns, const Pattern& tree, const Dfa& anchored, bool eager) {
    auto forward  = make_minimal(make_search_nfa(tree));
    auto backward = forward ? make_minimal(make_nfa(patterns.reversed(tree), false)) : std::nullopt;
    if (!backward) return {};
    bool may_be_empty = std::ranges::any_of(anchored.start, [&](auto q) { return anchored.accepts_at(q); });
    keep_last_ends(*forward);
    auto ways = find_ways(anchored, *forward, eager);
    return Search{std::move(*forward), std::move(*backward), may_be_empty, std::move(ways)};
}

Searcher make_search(World& w, const Def* pattern, bool eager) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    std::optional<Finder> first;
    if (!needs_no_automaton(patterns.wish.scheme)) {
        if (auto anchored = make_minimal(make_nfa(tree, false))) {
            if (auto automata = make_automata(patterns, tree, *anchored, eager)) return std::move(*automata);
            first      = find_first(*anchored);
            auto tried = first && anchored->is_finite() ? make_automaton(tree) : std::nullopt;
            if (tried) return SearchAttempts{std::move(*tried), *first};
        }
    }
    auto ends = make_search_threads(tree, false);
    if (patterns.wish.scheme == int(by::threads)) return SearchThreads{std::move(ends), make_search_threads(tree, true), first};
    return SearchLazy{std::move(ends), make_threads(patterns.reversed(tree), false), tree.nullable, first};
}

std::optional<Counter> faster_counter(const World& w, const Search& search) {
    auto& ways  = search.ways;
    bool looked = ways.first || !ways.cores.empty();
    bool faster = ways.cost > (looked ? too_long : counter_cost);
    return faster && fast_on(w).shuffles && !search.may_be_empty ? make_counter(search.forward) : std::nullopt;
}

} // namespace mim::plug::regex
