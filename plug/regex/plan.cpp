// SPDX-License-Identifier: MIT
// The automaton of a pattern, and the way in which it is best run.
#include "plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

/// What a block of code decides: which state follows, or whether the match ends.
struct Decision {
    Decision(const Dfa& dfa, bool whole, uint32_t q) {
        auto run = whole ? counted_run(dfa, q) : std::nullopt;
        auto at  = run ? run->end : q;
        for (uint32_t k = 0; k != dfa.classes; ++k) ways.insert(dfa.to[dfa.cell(at, k)]);
        ways.erase(Dfa::dead);
        if (run) ways.erase(run->beyond);
        loops  = ways.erase(q);
        others = ways.size() + dfa.accepts[dfa.at(at, End)];
        skips  = run || (whole && loops && fits_leave(dfa.loop(q)));
    }
    size_t open() const { return std::max(others + loops, size_t(1)) - 1; }

    std::set<uint32_t> ways; ///< to other states
    size_t others;           ///< and the end of the match
    bool loops, skips;       ///< whether one leads back, and whether the end of a loop, or of a run, is looked for
};

constexpr size_t max_open = 16; ///< ways beside the first of each block: a processor forgets what many branches did

/// Of the blocks that are reached, unless more is open than that.
struct Decisions {
    Decisions(const Dfa& dfa, bool whole) {
        Ids todo(dfa.start.begin(), dfa.start.end());
        while (!todo.empty() && open <= max_open) {
            auto q = todo.back();
            todo.pop_back();
            if (q == Dfa::dead || all.contains(q)) continue;
            auto& made = all.emplace(q, Decision(dfa, whole, q)).first->second;
            open += made.open();
            todo.insert(todo.end(), made.ways.begin(), made.ways.end());
        }
    }
    std::map<uint32_t, Decision> all; ///< by state
    size_t open = 0;
};

/// Where texts lead that match as a whole, if all ways are as likely, but a loop goes on in seven of eight cases.
class Walk {
public:
    Walk(const Dfa& dfa, const Decisions& decisions) {
        std::vector<double> now(dfa.states);
        now[dfa.start[0]] = 1;
        for (unsigned i = 0; i != 48; ++i) {
            std::vector<double> next(dfa.states);
            for (auto& [q, decision] : decisions.all)
                if (now[q] > 0.001) step(q, decision, now[q], next);
            now = std::move(next);
        }
    }
    double bits   = 0; ///< that are decided in a text, of which the end of a loop or run is one
    double length = 0; ///< of a text, without what is skipped

private:
    void step(uint32_t q, const Decision& d, double share, std::vector<double>& next) {
        auto others = double(d.others);
        auto again  = !d.loops || d.skips ? 0.0 : others == 0 ? 1.0 : 7.0 / 8;
        auto each   = others == 0 ? 0 : (1 - again) / others;
        length += share;
        auto told = [](double p) { return p > 0 ? -p * std::log2(p) : 0.0; };
        bits += share * (told(again) + others * told(each) + d.skips);
        next[q] += share * again;
        for (auto to : d.ways) next[to] += share * each;
    }
};

struct Choice {
    by scheme;
    std::string why;
};

/// What speaks against branches.
std::string unforeseen(const std::optional<Walk>& walk, size_t open) {
    if (!walk && open > max_open) return "branches would decide in more than " + std::to_string(max_open) + " places";
    if (!walk) return "texts come back to states, in which branches cannot be foreseen";
    auto tenths = std::lround(walk->bits * 10);
    return "branches decide " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " bits in a text";
}

Choice choose_asked(const Dfa& dfa, by asked, bool sized) {
    if (fits(asked, dfa, sized)) return {asked, "that was asked for"};
    return {by::table, "what was asked for does not fit"};
}

/// What a processor learns by heart of ten thousand texts, as was measured. The more states, the longer the shuffles are, and the more wrong guesses they cost.
double most_bits(const Dfa& dfa, Fast fast) { return dfa.states <= 16 ? 4 : fast.wide_shuffles || dfa.states <= 32 ? 4.5 : 16; }

/// A processor foresees branches where there is little to decide. In long texts, a few wrong guesses cost less than a look-up for two characters.
Choice choose(const Dfa& dfa, Fast fast) {
    if (fits_compare(dfa, false)) return {by::compare, "all of a text is compared at once"};
    bool whole = dfa.is_whole();
    Decisions decisions(dfa, whole);
    if (!whole && decisions.open == 0) return {by::branches, "nothing is to be decided"};
    if (!whole) return {by::table, "a match may end before the subject does, and only what it has is read"};
    std::optional<Walk> walk;
    if (dfa.is_straight() && decisions.open <= max_open) walk.emplace(dfa, decisions);
    auto why    = unforeseen(walk, decisions.open);
    bool narrow = dfa.states <= 16;
    if (walk && walk->bits < most_bits(dfa, fast)) return {by::branches, why};
    if (fits_hash(dfa, false)) return {by::hash, "it is a set of texts; " + why};
    if (narrow && fits_shuffles(dfa, false)) return {by::shuffles, why};
    if (walk && walk->bits <= 8 && walk->length >= 24) return {by::branches, why + ", which is little in a long one"};
    if (fits_shuffles(dfa, false)) return {by::shuffles, why};
    if (fits_strides(dfa, false)) return {by::strides, "it is too large for shuffles; " + why};
    return {by::table, "it is too large for shuffles and strides; " + why};
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
    auto has = [&](const char* feature) { return w.features.contains(std::string_view(feature)); };
    return {has("ssse3") || has("neon"), has("avx512vbmi") || has("neon")};
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
                                            : choose(*dfa, fast_on(w));
            return {scheme, std::move(*dfa), {}, std::move(why)};
        }
    }
    auto scheme = asked == int(by::threads) ? by::threads : by::lazy;
    auto why    = needs_no_automaton(asked) ? "that was asked for" : "an automaton would be too large";
    return {scheme, {}, make_threads(tree, is_ordered(tree)), why};
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
