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
constexpr uint32_t Matched = 1u << 31, Dead = 1u << 30, Awaits = 1u << 29;
static_assert(max_cells <= Awaits);

/// The tables that all have: classes, that of the end, entries, whether what is before counts. A power of two of entries makes any number an
/// index by one instruction.
std::vector<const Def*> tables(World& w, const Dfa& dfa, bool awaits) {
    auto is_start = [&](uint32_t q) { return std::ranges::find(dfa.start, q) != dfa.start.end(); };
    auto entry    = [&](size_t i) {
        if (i >= dfa.to.size()) return 0u;
        auto to = dfa.to[i];
        return to * dfa.classes | (dfa.accepts[i] ? Matched : 0) | (to == Dfa::dead ? Dead : 0)
               | (awaits && is_start(to) ? Awaits : 0);
    };
    // behind an empty match, what is before may count where it does not count else: with an empty text, anything is found at once
    bool looks    = dfa.looks_back() || std::ranges::any_of(dfa.again, [&](auto q) { return q != dfa.again[0]; });
    unsigned bits = dfa.classes > 256 ? 16 : 8;
    return {array(w, 256, bits, [&](size_t c) { return dfa.class_of[c]; }), w.lit_idx(uint64_t(1) << bits, dfa.class_of[End]),
            array(w, std::bit_ceil(dfa.to.size()), 32, entry), w.lit_bool(looks)};
}

const Def* starts(World& w, const Dfa& dfa, const std::array<uint32_t, 4>& states) {
    return array(w, 4, 32, [&](size_t b) { return uint64_t(states[b]) * dfa.classes; });
}

const Def* rows(World& w, const Beginnings& first) {
    auto from = w.app(w.annex(vec::from(0)), {w.lit_nat(16), w.idx(256)});
    auto row  = [&](const Beginnings::Row& r) { return w.app(from, array(w, 16, 8, [&](size_t i) { return r[i]; })); };
    std::vector<const Def*> all;
    for (size_t k = 0; k != first.depth; ++k) all.push_back(w.tuple({row(first.low[k]), row(first.high[k])}));
    return w.tuple(Defs(all));
}

const Def* scan(World& w, const Dfa& dfa, const std::optional<Beginnings>& first) {
    auto args = tables(w, dfa, first.has_value());
    args.push_back(starts(w, dfa, dfa.start));
    args.push_back(starts(w, dfa, dfa.again));
    auto code = w.call(w.annex(run::scan), {w.tuple(Defs(args))});
    return w.call(code, {w.tuple({w.lit_bool(first.has_value()), rows(w, first.value_or(Beginnings()))})});
}

const Def* back(World& w, const Dfa& dfa) {
    auto args = tables(w, dfa, false);
    args.push_back(starts(w, dfa, dfa.start));
    return w.call(w.annex(run::back), {w.tuple(Defs(args))});
}

/// Anywhere a match ends; with a list of all ways at hand, in the order in which they are preferred.
const Def* reach(World& w, const Threads& threads) {
    auto args = tables(w, threads, true);
    args.insert(args.begin(), w.lit_bool(threads.ordered));
    return w.call(w.annex(run::reach), {w.tuple(Defs(args))});
}

const Def* find_next(World& w, const Search& search) {
    return w.app(w.annex(run::next), {scan(w, search.forward, search.first), back(w, search.backward)});
}
const Def* find_next(World& w, const SearchThreads& search) {
    auto args = tables(w, search.places, true);
    args.insert(args.begin(), reach(w, search.ends));
    return w.call(w.annex(run::seek), {w.tuple(Defs(args))});
}

const Def* find_all(World& w, const Search& search) {
    auto found = search.may_be_empty ? find_next(w, search) : w.app(w.annex(run::ends), scan(w, search.forward, search.first));
    return w.app(w.annex(run::count), found);
}
const Def* find_all(World& w, const SearchThreads& search) { return w.app(w.annex(run::count), find_next(w, search)); }

} // namespace

const Def* prefix_code(World& w, const Def* pattern) {
    auto plan = make_plan(w, pattern);
    return plan.scheme == by::threads ? reach(w, plan.threads) : scan(w, plan.dfa, {});
}

const Def* next_code(World& w, const Def* pattern) {
    return std::visit([&](const auto& search) { return find_next(w, search); }, make_search(w, pattern));
}

const Def* count_code(World& w, const Def* pattern) {
    return std::visit([&](const auto& search) { return find_all(w, search); }, make_search(w, pattern));
}

} // namespace mim::plug::regex
