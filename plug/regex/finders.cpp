// SPDX-License-Identifier: MIT
// What searches, of its automata: functions of regex.mim with their tables.
#include <algorithm>
#include <bit>

#include "plan.h"
#include "regex.h"
#include "search.h"
#include "tables.h"
#include "vec/annexes.h"

namespace mim::plug::regex {

namespace {

/// The highest bits of an entry, as regex.mim reads them.
constexpr uint32_t Matched = 1u << 31, Dead = 1u << 30, Way = 1u << 29, way_shift = 24;
static_assert(max_cells <= 1u << way_shift);

uint32_t entry_of(const Dfa& dfa, uint32_t state, uint8_t way) {
    return state * dfa.classes | (way == Ways::Step ? 0 : Way | uint32_t(way) << way_shift);
}

/// The tables that all have: classes, that of the end, entries, whether what is before counts. A power of two of entries makes any number an
/// index by one instruction.
DefVec tables(World& w, const Dfa& dfa, const std::vector<uint8_t>& ways) {
    auto entry = [&](size_t i) {
        if (i >= dfa.to.size()) return 0u;
        auto to = dfa.to[i];
        return entry_of(dfa, to, ways[to]) | (dfa.accepts[i] ? Matched : 0) | (to == Dfa::dead ? Dead : 0);
    };
    // behind an empty match, what is before may count where it does not count else: with an empty text, anything is found at once
    bool looks    = dfa.looks_back() || std::ranges::any_of(dfa.again, [&](auto q) { return q != dfa.again[0]; });
    unsigned bits = dfa.classes > 256 ? 16 : 8;
    return {array(w, 256, bits, [&](size_t c) { return dfa.class_of[c]; }), w.lit_idx(uint64_t(1) << bits, dfa.class_of[End]),
            array(w, std::bit_ceil(dfa.to.size()), 32, entry), w.lit_bool(looks)};
}

const Def* starts(World& w, const Dfa& dfa, const std::array<uint32_t, 4>& states, const std::vector<uint8_t>& ways) {
    return array(w, 4, 32, [&](size_t b) { return entry_of(dfa, states[b], ways[states[b]]); });
}

const Def* length(World& w, const Finder& finder) { return w.lit(w.i64_type(), finder.reach()); }

const Def* row(World& w, const Finder::Row& r) {
    auto from = w.apply<vec::from>({w.lit_nat(16), w.idx(256)});
    return w.app(from, array(w, 16, 8, [&](size_t i) { return r[i]; }));
}

const Def* skip(World& w, const Finder& finder) {
    auto& looks = finder.looks;
    auto bytes  = [&](auto member) { return array(w, looks.size(), 8, [&](size_t k) { return looks[k].*member; }); };
    DefVec is_run, halves;
    for (auto& look : looks) {
        is_run.push_back(w.lit_bool(look.run));
        halves.push_back(w.tuple({row(w, look.low), row(w, look.high)}));
    }
    auto offsets = array(w, looks.size(), 64, [&](size_t k) { return looks[k].offset; });
    auto runs    = w.tuple({bytes(&Finder::Look::mask), bytes(&Finder::Look::least), bytes(&Finder::Look::more)});
    return w.call(run::skip, {w.lit_bool(finder.rare()), length(w, finder), offsets, w.tuple(is_run), runs, w.tuple(halves)});
}

/// Sixteen numbers below sixteen for each character.
const Def* steps(World& w, const std::function<uint64_t(unsigned c, size_t lane)>& elem) {
    auto from = w.apply<vec::from>({w.lit_nat(16), w.idx(16)});
    DefVec rows;
    for (unsigned c = 0; c != 256; ++c) rows.push_back(w.app(from, array(w, 16, 4, [&](size_t z) { return elem(c, z); })));
    return w.tuple(rows);
}

const Def* hot(World& w, const Dfa& dfa, const Ids& states) {
    constexpr uint64_t none = Ways::max_hot;
    auto lane               = [&](unsigned c, size_t z) {
        auto cell  = z < states.size() ? dfa.at(states[z], c) : 0;
        auto to    = std::ranges::find(states, dfa.to[cell]);
        bool plain = z < states.size() && !dfa.accepts[cell] && to != states.end();
        return plain ? uint64_t(to - states.begin()) : none;
    };
    auto places = array(w, 16, 32, [&](size_t z) { return z < states.size() ? entry_of(dfa, states[z], Ways::Step) : ~0u; });
    return w.apply(run::hot, {steps(w, lane), places});
}

const Def* counter(World& w, const Counter& c) {
    auto number = [&](unsigned q) { return w.lit_idx(16, q); };
    auto rows   = steps(w, [&](unsigned ch, size_t q) { return c.rows[ch][q]; });
    auto ends   = array(w, 16, 8, [&](size_t q) { return c.ends[q]; });
    return w.apply(run::counter, {rows, number(c.start), number(c.counting - 1u), ends});
}

/// One after the other is asked whether it is the way whose number the entry has.
const Def* way(World& w, const Dfa& dfa, const Ways& ways) {
    const Def* result = nullptr;
    auto add          = [&](uint8_t number, const Def* it) {
        auto n = w.lit(w.idx(uint64_t(1) << 32), number);
        result = result ? w.apply(run::either, {n, it, result}) : it;
    };
    std::vector<uint8_t> steps(dfa.states, Ways::Step);
    if (!ways.hot.empty()) add(Ways::Hot, hot(w, dfa, ways.hot));
    if (ways.first) {
        auto looks = w.lit_bool(dfa.looks_back());
        auto args  = {looks, starts(w, dfa, dfa.start, steps), length(w, *ways.first), skip(w, *ways.first)};
        add(Ways::First, w.apply(run::first, args));
    }
    for (size_t i = 0; i != ways.cores.size(); ++i) {
        auto& core = ways.cores[i];
        auto from  = w.lit(w.idx(uint64_t(1) << 32), entry_of(dfa, core.from, Ways::Step));
        auto args  = {from, w.lit(w.i64_type(), core.back), length(w, core.finder), skip(w, core.finder)};
        add(uint8_t(Ways::Cores + i), w.apply(run::core, args));
    }
    return result ? result : w.annex(run::stay);
}

const Def* scan(World& w, const Dfa& dfa, const Ways& ways) {
    auto by_state = ways.by_state(dfa);
    auto args     = tables(w, dfa, by_state);
    args.push_back(starts(w, dfa, dfa.start, by_state));
    args.push_back(starts(w, dfa, dfa.again, by_state));
    auto code = w.call(run::scan, Defs(args));
    return w.app(code, way(w, dfa, ways));
}

const Def* back(World& w, const Dfa& dfa) {
    std::vector<uint8_t> steps(dfa.states, Ways::Step);
    auto args = tables(w, dfa, steps);
    args.push_back(starts(w, dfa, dfa.start, steps));
    return w.call(run::back, Defs(args));
}

/// The arguments of what runs threads: tables, and in front of them how to find places where a match may begin.
DefVec arguments(World& w, const Threads& threads, const std::optional<Finder>& first) {
    auto args = tables(w, threads, true);
    args.insert(args.begin(), {w.lit_bool(first.has_value()), first ? skip(w, *first) : w.annex(run::nowhere)});
    return args;
}

/// Anywhere a match ends; with a list of all ways at hand, in the order in which they are preferred.
const Def* reach(World& w, const Threads& threads, const std::optional<Finder>& first) {
    auto args = arguments(w, threads, first);
    args.insert(args.begin(), w.lit_bool(threads.ordered));
    return w.call(run::reach, Defs(args));
}

const Def* find_next(World& w, const Search& search) {
    return w.apply(run::next, {scan(w, search.forward, search.ways), back(w, search.backward)});
}
const Def* find_next(World& w, const SearchAttempts& search) {
    auto dfa = search.anchored;
    keep_last_ends(dfa);
    return w.apply(run::attempts, {scan(w, dfa, {}), skip(w, search.first)});
}
const Def* lazy_scan(World& w, const Threads& threads, const std::optional<Finder>& first) {
    auto find = first ? skip(w, *first) : w.annex(run::nowhere);
    return w.apply(run::lazy_scan, {find, w.call(lazy_ends(0), Defs(lazy_tables(w, threads, true)))});
}
const Def* find_next(World& w, const SearchLazy& search) {
    auto back = w.apply(run::lazy_back, w.call(lazy_begins(0), Defs(lazy_tables(w, search.begins, true))));
    return w.apply(run::next, {lazy_scan(w, search.ends, search.first), back});
}
const Def* find_next(World& w, const SearchThreads& search) {
    auto args = arguments(w, search.places, search.first);
    args.insert(args.begin(), reach(w, search.ends, search.first));
    return w.call(run::seek, Defs(args));
}

const Def* find_all(World& w, const Search& search) {
    if (auto tally = make_tally(search.forward))
        return w.apply(run::tally, {w.lit_bool(tally->runs), row(w, tally->low), row(w, tally->high)});
    if (auto faster = faster_counter(w, search)) return counter(w, *faster);
    auto found = search.may_be_empty ? find_next(w, search) : w.apply(run::ends, scan(w, search.forward, search.ways));
    return w.apply(run::count, found);
}
const Def* find_all(World& w, const SearchLazy& search) {
    auto found = search.may_be_empty ? find_next(w, search) : w.apply(run::ends, lazy_scan(w, search.ends, search.first));
    return w.apply(run::count, found);
}
const Def* find_all(World& w, const auto& search) { return w.apply(run::count, find_next(w, search)); }

} // namespace

const Def* lazy_match(World& w, const Threads& threads) {
    return w.apply(run::lazy_match, w.call(lazy_ends(0), Defs(lazy_tables(w, threads))));
}

const Def* prefix_code(World& w, Plan plan) {
    if (plan.scheme == by::threads) return reach(w, plan.threads, {});
    if (plan.scheme == by::lazy) return lazy_scan(w, plan.threads, {});
    keep_last_ends(plan.dfa);
    return scan(w, plan.dfa, {});
}

const Def* next_code(World& w, const Searcher& searcher) {
    return std::visit([&](const auto& search) { return find_next(w, search); }, searcher);
}

const Def* count_code(World& w, const Searcher& searcher) {
    return std::visit([&](const auto& search) { return find_all(w, search); }, searcher);
}

} // namespace mim::plug::regex
