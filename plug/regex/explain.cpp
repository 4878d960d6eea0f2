// SPDX-License-Identifier: MIT
#include "explain.h"

namespace mim::plug::regex {

namespace {

std::string states(const Dfa& dfa) {
    return std::to_string(dfa.states) + " states and " + std::to_string(dfa.classes) + " classes";
}
std::string nodes(const Threads& threads) {
    return std::to_string(threads.nodes.size()) + " nodes and " + std::to_string(threads.sets.size()) + " sets of characters";
}

Reasons explain_search(const Search& search) {
    auto& ways = search.ways;
    std::string why;
    auto add = [&](bool is, const char* words) {
        if (is) why += (why.empty() ? "" : "; ") + std::string(words);
    };
    add(ways.first.has_value(), "few places may begin a match, and these are looked for by vectors");
    add(!ways.cores.empty(), "few places leave a set of its states, and these are looked for by vectors");
    add(!ways.hot.empty(), "few of its states are common, and these are run by shuffles");
    add(why.empty(), "no place is rare, so each character is looked up");
    return {"searched for by automata", states(search.forward) + " forward, " + states(search.backward) + " backward", why};
}

Reasons explain_search(const SearchAttempts& search) {
    return {"tried where a match may begin", states(search.anchored),
            "an automaton that searches would be too large, few places may begin a match, and none is long"};
}

Reasons explain_search(const SearchThreads& search) {
    return {"searched for by `%regex.by.threads`", nodes(search.ends), "that was asked for"};
}

Reasons explain_search(const SearchLazy& search) {
    return {"searched for by `%regex.by.lazy`", nodes(search.ends) + " forward, " + nodes(search.begins) + " backward",
            "automata would be too large, or that was asked for"};
}

} // namespace

Reasons explain(World& w, const Plan& plan) {
    auto name = w.annex(plan.scheme)->as<Axm>()->axiom().name.str();
    return {"matched by `" + name + "`", needs_no_automaton(int(plan.scheme)) ? nodes(plan.threads) : states(plan.dfa), plan.why};
}

Reasons explain(const Searcher& searcher) {
    return std::visit([](const auto& search) { return explain_search(search); }, searcher);
}

Reasons explain_count(const World& w, const Searcher& searcher) {
    auto reasons = explain(searcher);
    auto search  = std::get_if<Search>(&searcher);
    if (auto tally = search ? make_tally(search->forward) : std::nullopt) {
        reasons.way = "counted by bits";
        reasons.why = tally->runs ? "its matches are runs of one set of characters" : "its matches are one character of a set";
    } else if (auto counter = search ? faster_counter(w, *search) : std::nullopt) {
        reasons.way = "counted by shuffles";
        reasons.why = std::to_string(counter->states)
                      + " states count on their way, and too few places are rare to look for these";
    }
    return reasons;
}

} // namespace mim::plug::regex
