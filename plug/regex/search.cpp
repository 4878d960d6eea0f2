// SPDX-License-Identifier: MIT
#include "search.h"

#include <algorithm>

#include "plan.h"

namespace mim::plug::regex {

static std::optional<Search> make_automata(Patterns& patterns, const Pattern& tree, bool eager) {
    auto make = [](const std::optional<Nfa>& nfa) {
        auto large = nfa ? make_dfa(*nfa) : std::nullopt;
        return large ? std::optional(minimize(*large)) : std::nullopt;
    };
    auto anchored = make(make_nfa(tree, false));
    auto forward  = anchored ? make(make_search_nfa(tree)) : std::nullopt;
    auto backward = forward ? make(make_nfa(patterns.reversed(tree), false)) : std::nullopt;
    if (!backward) return {};
    bool may_be_empty = std::ranges::any_of(anchored->start, [&](auto q) { return anchored->accepts_at(q); });
    keep_last_ends(*forward);
    auto ways = find_ways(*anchored, *forward, eager);
    return Search{std::move(*forward), std::move(*backward), may_be_empty, std::move(ways)};
}

Searcher make_search(World& w, const Def* pattern, bool eager) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    if (patterns.wish.scheme != int(by::threads))
        if (auto automata = make_automata(patterns, tree, eager)) return std::move(*automata);
    return SearchThreads{make_search_threads(tree, false), make_search_threads(tree, true)};
}

} // namespace mim::plug::regex
