// SPDX-License-Identifier: MIT
// Tables for `%regex.run.threads` and `%regex.run.lazy`, for patterns whose deterministic automaton would be too large.
#include "threads.h"

#include "kit/build.h"
#include "regex.h"

namespace mim::plug::regex {

static Threads flatten(const std::optional<Nfa>& nfa) {
    auto threads = nfa ? make_threads(*nfa, max_nodes) : std::nullopt;
    if (!threads) too_large("its parts", max_nodes);
    return std::move(*threads);
}

Threads make_threads(const Pattern& pattern, bool ordered) { return flatten(make_nfa(pattern, ordered, Inner::Enclosed)); }

Threads make_group_threads(const Pattern& pattern, uint64_t groups) { return flatten(make_group_nfa(pattern, groups)); }

Threads make_search_threads(const Pattern& pattern, bool with_places) {
    return flatten(make_search_nfa(pattern, Inner::Enclosed, with_places));
}

static DefVec constants(World& w, const Words& words) {
    auto array = [&](const std::vector<uint64_t>& all) {
        return w.tuple(def_vec(all.size(), [&](size_t i) { return w.lit(w.i64_type(), all[i]); }));
    };
    return {array(words.nodes), array(words.sets)};
}

DefVec tables(World& w, const Threads& threads, bool sized) {
    auto result = constants(w, words(threads, sized));
    result.push_back(w.tuple(def_vec(256, [&](size_t c) { return w.lit_idx(256, behind(unsigned(c))); })));
    return result;
}

DefVec lazy_tables(World& w, const Threads& threads, bool sized) {
    auto result = constants(w, words(threads, sized));
    result.insert(result.begin(), w.lit_bool(threads.ordered));
    return result;
}

} // namespace mim::plug::regex
