// SPDX-License-Identifier: MIT
// The automaton of a pattern, and the way in which it is best run.
#include "plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "costs.h"
#include "pattern.h"
#include "regex.h"
#include "regex/diagnostics.h"

namespace mim::plug::regex {

static bool fits(by scheme, const Dfa& dfa, bool sized) {
    switch (scheme) {
        case by::shifts: return dfa.states <= 10 && dfa.is_whole() && !sized;
        case by::shuffles: return fits_shuffles(dfa, sized);
        case by::strides: return fits_strides(dfa, sized);
        case by::compare: return fits_compare(dfa, sized);
        case by::hash: return fits_hash(dfa, sized);
        case by::branches: return !sized;
        case by::table: return true;
        case by::threads:
        case by::lazy: return false; // they need none
    }
    return false;
}

namespace {

/// Each state that is reached leads to one other at most, or ends the match.
bool decides_nothing(const Dfa& dfa) {
    std::set<uint32_t> seen;
    Ids todo(dfa.start.begin(), dfa.start.end());
    while (!todo.empty()) {
        auto q = todo.back();
        todo.pop_back();
        if (q == Dfa::dead || !seen.insert(q).second) continue;
        std::set<uint32_t> ways;
        for (uint32_t k = 0; k != dfa.classes; ++k)
            if (auto to = dfa.to[dfa.cell(q, k)]; to != Dfa::dead) ways.insert(to);
        if (ways.size() + dfa.accepts[dfa.at(q, End)] > 1) return false;
        todo.insert(todo.end(), ways.begin(), ways.end());
    }
    return true;
}

struct Choice {
    by scheme;
    std::string why;
};

Choice choose_asked(const Dfa& dfa, by asked, bool sized) {
    if (fits(asked, dfa, sized)) return {asked, "that was asked for"};
    return {by::table, "what was asked for does not fit"};
}

constexpr uint32_t max_blocks = 384; ///< of branches: more take long to compile

std::string nanoseconds(double cost) {
    auto tenths = std::lround(cost * 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

struct Candidate {
    by scheme;
    Cost cost;
    double score = 0; ///< how many times as long it takes as the best way, of which subjects that match count twice
};

/// The ways that fit where only whole subjects match, the best one first.
std::vector<Candidate> candidates(const Dfa& dfa, const Features& features, Fast fast) {
    std::vector<Candidate> all;
    for (auto way : {by::branches, by::table, by::shifts, by::shuffles, by::strides, by::compare, by::hash}) {
        if (!fits(way, dfa, false) || (way == by::branches && dfa.states > max_blocks)) continue;
        if (way == by::shuffles && !fast.shuffles) continue;
        all.push_back({way, *cost(way, dfa, features, fast)});
    }
    for (size_t kind = 0; kind != all[0].cost.size(); ++kind) {
        auto of   = [&](const Candidate& c) { return c.cost[kind]; };
        auto best = std::ranges::min(all, {}, of).cost[kind];
        for (auto& c : all) c.score += (kind == 0 ? 2 : 1) * of(c) / best;
    }
    std::ranges::stable_sort(all, {}, &Candidate::score);
    return all;
}

Choice choose_whole(const Dfa& dfa, const Pattern& pattern, World& w) {
    auto all  = candidates(dfa, find_features(dfa, pattern), fast_on(w));
    auto why  = "a subject takes about " + nanoseconds(all[0].cost[0]) + " ns if half of them match";
    auto name = [&](by way) { return w.annex(way)->as<Axm>()->axiom().name.str(); };
    if (all.size() > 1) why += "; by `" + name(all[1].scheme) + "`, " + nanoseconds(all[1].cost[0]);
    return {all[0].scheme, why};
}

Choice choose(const Dfa& dfa, const Pattern& pattern, World& w) {
    if (dfa.is_whole()) return choose_whole(dfa, pattern, w);
    if (fits_compare(dfa, false)) return {by::compare, "all of a text is compared at once"};
    if (decides_nothing(dfa)) return {by::branches, "nothing is to be decided"};
    return {by::table, "a match may end before the subject does, and only what it has is read"};
}

Choice choose_sized(const Dfa& dfa) {
    const std::pair<by, const char*> ways[] = {{by::compare, "all of a text is compared at once"},
                                               {by::hash, "it is a set of texts"},
                                               {by::shuffles, "it is small enough for vectors of states"},
                                               {by::strides, "it is too large for shuffles"}};
    for (auto [scheme, why] : ways)
        if (fits(scheme, dfa, true)) return {scheme, why};
    if (!dfa.is_whole()) return {by::table, "a match may end before the subject does"};
    return {by::table, "it is too large for shuffles and strides"};
}

} // namespace

Fast fast_on(const World& w) {
    auto has  = [&](const char* feature) { return w.features.contains(std::string_view(feature)); };
    bool neon = has("neon");
    return {has("ssse3") || neon, has("avx512vbmi") || neon, has("avx2") || neon};
}

std::optional<Dfa> make_automaton(const Pattern& pattern) { return make_minimal(make_nfa(pattern, is_ordered(pattern))); }

Plan make_plan(World& w, const Def* pattern, bool sized) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    auto asked = patterns.wish.scheme;
    if (!needs_no_automaton(asked)) {
        if (auto dfa = make_automaton(tree)) {
            auto [scheme, why] = asked >= 0 ? choose_asked(*dfa, by(asked), sized)
                                 : sized    ? choose_sized(*dfa)
                                            : choose(*dfa, tree, w);
            return {scheme, std::move(*dfa), {}, std::move(why)};
        }
    }
    auto scheme = asked == int(by::threads) ? by::threads : by::lazy;
    auto why    = needs_no_automaton(asked) ? "that was asked for" : "an automaton would be too large";
    return {scheme, {}, make_threads(tree, is_ordered(tree)), why};
}

std::string features_of(World& w, const Def* pattern) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    auto dfa   = make_automaton(tree);
    return dfa && dfa->is_whole() ? text(*dfa, find_features(*dfa, tree)) : "";
}

uint64_t group_count(const Def* asked) {
    auto n = isa_lit(asked);
    if (!n) fail(diag::not_known("how many groups are asked for is", "give the number"));
    if (n->value() == 0 || n->value() > max_groups)
        fail(diag::too_large("from 1 to " + std::to_string(max_groups) + " groups can be asked for"));
    return n->value() - 1;
}

Threads make_group_plan(World& w, const Def* pattern, uint64_t groups) {
    Patterns patterns(w, true);
    auto threads = make_group_threads(patterns.read(pattern), groups);
    if (threads.nodes.size() * groups > max_places)
        fail(diag::too_large("it has too many parts for so many groups: ask for fewer, or match its parts one after the other"));
    return threads;
}

/// The scheme, as a subtag of %regex.by, the states and the classes; for threads, the nodes and the sets.
const Def* normalize_shape(const Redex& redex) {
    auto& w = redex.w;
    if (redex.arg->is_unstable() || !is_closed(w, redex.arg)) return nullptr;
    auto plan    = make_plan(w, redex.arg);
    bool threads = needs_no_automaton(int(plan.scheme));
    auto states  = threads ? plan.threads.nodes.size() : plan.dfa.states;
    auto classes = threads ? plan.threads.sets.size() : plan.dfa.classes;
    return w.tuple({w.lit_nat(uint64_t(plan.scheme)), w.lit_nat(states), w.lit_nat(classes)});
}

} // namespace mim::plug::regex
