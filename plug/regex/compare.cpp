// SPDX-License-Identifier: MIT
// Tables for `%regex.run.compare`, which looks at all characters of a text at once, where only its length is open, and for `%regex.run.chain`. If no set of characters has more than
// two runs, bounds tell. Else a set is one that some bits decide, such as a single character or a letter without its case; or it is made
// of kinds: a kind is each character whose upper half (four bits) is in one set and whose lower half is in another.
#include <algorithm>
#include <array>
#include <bit>

#include "plan.h"
#include "regex.h"
#include "tables.h"

namespace mim::plug::regex {

namespace {

using Half = uint16_t; ///< a set of values of four bits

class Compare {
public:
    /// These sets, one for each place; further characters may be any.
    explicit Compare(Sets places)
        : one(true)
        , sets(std::move(places)) {
        find_way();
    }
    /// No place is possible if it does not fit.
    Compare(const Dfa& dfa, bool sized) {
        auto classes = dfa.class_sets();
        for (uint32_t q = dfa.start[0]; q != Dfa::dead;) {
            Set set;
            uint32_t next = Dfa::dead;
            for (uint32_t k = 0; k != dfa.classes; ++k)
                if (auto to = dfa.to[dfa.cell(q, k)]) set |= classes[k], next = to;
            if (dfa.accepts[dfa.at(q, End)]) {
                if (sets.size() >= 63) return;
                lengths |= uint64_t(1) << sets.size();
            }
            if (next != Dfa::dead) sets.push_back(set & range_set(sized ? 0 : 1, 255)); // no terminator
            q = next;
        }
        one = std::has_single_bit(lengths) && !sized;
        if (lengths == 0 || sets.size() >= 63) return;
        sets.push_back(one ? range_set(0, 0) : Set());
        find_way();
    }

    struct Place {
        uint8_t mask = 0, value = 0, want = 0;
        bool free = true;
    };
    struct Kind {
        Half upper, lower;
        bool operator==(const Kind&) const = default;
    };
    bool fits = false, one = false, by_runs = false;
    uint64_t lengths = 0; ///< bits
    Sets sets;
    std::vector<Place> places;
    std::vector<Kind> kinds;

private:
    void find_way() {
        by_runs = std::ranges::all_of(sets, [](auto& set) { return runs(set).size() <= 2; });
        fits    = by_runs || std::ranges::all_of(sets, [&](auto& set) { return add(set); });
    }
    bool add(const Set& set) {
        unsigned same = 255, any = 0;
        for (unsigned c = 0; c != 256; ++c)
            if (set[c]) same &= c, any |= c;
        return (set.any() && decide(set, same, any)) || compose(set);
    }
    /// By the bits in which all characters agree, if no other character has them.
    bool decide(const Set& set, unsigned same, unsigned any) {
        auto mask = uint8_t(~(same ^ any));
        if (set.count() != size_t(1) << (8 - std::popcount(mask))) return false;
        places.push_back({mask, uint8_t(same & mask)});
        return true;
    }
    bool compose(const Set& set) {
        Place place{.free = false};
        std::vector<Kind> mine;
        for (unsigned upper = 0; upper != 16; ++upper) {
            Half lower = 0;
            for (unsigned l = 0; l != 16; ++l) lower |= Half(set[16 * upper + l] << l);
            if (lower == 0) continue;
            auto known = std::ranges::find(mine, lower, &Kind::lower);
            if (known == mine.end()) known = mine.insert(known, {0, lower});
            known->upper |= Half(1 << upper);
        }
        for (auto& kind : mine) {
            auto at = size_t(std::ranges::find(kinds, kind) - kinds.begin());
            if (at == kinds.size()) kinds.push_back(kind);
            if (at >= 8) return false;
            place.want |= uint8_t(1 << at);
        }
        places.push_back(place);
        return true;
    }
};

/// Tables of bytes, a lane for each place; more lanes have what `rest` says.
class Tables {
public:
    Tables(World& w, const Compare& c)
        : w(w)
        , c(c)
        , lanes(std::bit_ceil(std::max(c.sets.size(), size_t(16)))) {}

    const Def* possible() { return c.by_runs ? by_runs() : by_kinds(); }
    const Def* make(bool sized) {
        auto number = [&](uint64_t n) { return w.lit(w.i64_type(), n); };
        return w.call(run::compare, {w.tuple({w.lit_bool(sized), w.lit_bool(c.one)}), number(c.sets.size() - 1),
                                     number(c.lengths), possible()});
    }

private:
    const Def* bytes(size_t n, auto byte) {
        DefVec all;
        for (size_t i = 0; i != n; ++i) all.push_back(w.lit_idx(256, uint8_t(byte(i))));
        return w.tuple(all);
    }

    using Run = std::pair<unsigned, unsigned>;
    /// Of a place; behind the last one, anything goes if there is one length, and else the terminator does no harm: the text has ended before.
    Run run_at(size_t i, size_t which) {
        if (i >= c.sets.size()) return {0, c.one ? 255 : 0};
        auto all = runs(c.sets[i]);
        if (all.empty()) return {1, 1}; // a terminator is not in it, and whatever follows is too long
        return all[std::min(which, all.size() - 1)];
    }
    const Def* by_runs() {
        bool two  = std::ranges::any_of(c.sets, [](auto& set) { return runs(set).size() > 1; });
        auto lo   = [&](size_t which) { return bytes(lanes, [&](size_t i) { return run_at(i, which).first; }); };
        auto more = [&](size_t which) {
            return bytes(lanes, [&](size_t i) { return run_at(i, which).second - run_at(i, which).first; });
        };
        return w.call(run::runs, {w.lit_bool(two), lo(0), more(0), lo(1), more(1)});
    }
    const Def* by_kinds() {
        using Place = Compare::Place;
        auto each   = [&](auto byte) {
            auto behind = c.one ? Place() : Place{.free = false};
            return bytes(lanes, [&](size_t i) { return byte(i < c.places.size() ? c.places[i] : behind); });
        };
        auto half = [&](Half Compare::Kind::* set) {
            return bytes(16, [&](size_t value) {
                unsigned kinds = 0;
                for (size_t k = 0; k != c.kinds.size(); ++k) kinds |= (c.kinds[k].*set >> value & 1u) << k;
                return kinds;
            });
        };
        auto tables = w.tuple({each([](Place p) { return p.mask; }), each([](Place p) { return p.value; }),
                               each([](Place p) { return p.want; }), each([](Place p) { return p.free; }),
                               half(&Compare::Kind::lower), half(&Compare::Kind::upper)});
        return w.call(run::kinds, tables);
    }

    World& w;
    const Compare& c;
    size_t lanes;
};

} // namespace

bool fits_compare(const Dfa& dfa, bool sized) {
    return dfa.is_chain() && dfa.is_whole() && !dfa.looks_back() && Compare(dfa, sized).fits;
}

const Def* compare(World& w, const Dfa& dfa, bool sized) {
    Compare c(dfa, sized);
    return Tables(w, c).make(sized);
}

const Def* chain(World& w, Sets sets) {
    auto length = sets.size(), h = std::max(std::bit_ceil(length) / 2, size_t(4));
    Sets lanes(sets.begin(), sets.begin() + h);
    lanes.insert(lanes.end(), sets.end() - h, sets.end());
    Compare c(std::move(lanes));
    if (!c.fits) return nullptr;
    auto rest = w.lit_nat(h < 8 ? 16 - 2 * h : 0);
    auto code = w.apply(run::chain, {w.lit_nat(h), rest});
    return w.app(code, {w.lit(w.i64_type(), length), Tables(w, c).possible()});
}

/// Of the characters that are not in the set, up to three and the terminator.
static std::optional<std::array<uint8_t, 4>> few_others(const Set& set) {
    std::array<uint8_t, 4> others{};
    size_t count = 0;
    for (unsigned c = 1; c != 256; ++c) {
        if (set[c]) continue;
        if (count == 3) return {};
        others[count++] = uint8_t(c);
    }
    return others;
}

bool fits_leave(const Set& set) { return few_others(set) || Compare({set}).fits; }

const Def* leave(World& w, const Set& set) {
    auto is_in = w.annex(run::none);
    if (auto others = few_others(set)) is_in = w.app(is_in, array(w, 4, 8, [&](size_t i) { return (*others)[i]; }));
    else is_in = Tables(w, Compare(Sets(64, set))).possible();
    return w.apply(run::leave, is_in);
}

} // namespace mim::plug::regex
