// SPDX-License-Identifier: MIT
// Tables for `%regex.run.compare`, which looks at all characters of a text of fixed length at once. A set of characters is one that some bits
// decide, such as a single character or a letter without its case; or it is made of kinds: a kind is each character whose upper half (four bits) is in one
// set and whose lower half is in another.
#include <algorithm>
#include <bit>

#include "plan.h"
#include "regex.h"

namespace mim::plug::regex {

namespace {

using Half = uint16_t; ///< a set of values of four bits

class Compare {
public:
    /// No place is possible if it does not fit.
    explicit Compare(const Dfa& dfa) {
        auto classes = dfa.class_sets();
        for (uint32_t q = dfa.start[0];;) {
            Set set;
            uint32_t next = Dfa::dead;
            bool accepts  = false;
            for (uint32_t k = 0; k != dfa.classes; ++k) {
                accepts |= dfa.accepts[dfa.cell(q, k)];
                if (auto to = dfa.to[dfa.cell(q, k)]) set |= classes[k], next = to;
            }
            if (accepts && next != Dfa::dead) return; // of several lengths
            if (next == Dfa::dead) {
                fits = accepts && places.size() < 63 && add(range_set(0, 0)) && kinds.size() <= 8;
                return;
            }
            if (!add(set.reset(0))) return; // the terminator is the end
            q = next;
        }
    }

    struct Place {
        uint8_t mask = 0, value = 0, want = 0;
        bool free = true;
    };
    struct Kind {
        Half upper, lower;
        bool operator==(const Kind&) const = default;
    };
    bool fits = false;
    std::vector<Place> places;
    std::vector<Kind> kinds;

private:
    bool add(const Set& set) {
        unsigned same = 255, any = 0;
        for (unsigned c = 0; c != 256; ++c)
            if (set[c]) same &= c, any |= c;
        return decide(set, same, any) || compose(set);
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

} // namespace

bool fits_compare(const Dfa& dfa) { return dfa.is_chain() && dfa.is_whole() && !dfa.looks_back() && Compare(dfa).fits; }

const Def* compare(World& w, const Dfa& dfa) {
    Compare c(dfa);
    auto lanes = std::bit_ceil(std::max(c.places.size(), size_t(16)));
    auto bytes = [&](size_t n, auto byte) {
        std::vector<const Def*> all;
        for (size_t i = 0; i != n; ++i) all.push_back(w.lit_idx(256, byte(i)));
        return w.tuple(Defs(all));
    };
    auto each = [&](auto byte) {
        return bytes(lanes, [&](size_t i) { return byte(i < c.places.size() ? c.places[i] : Compare::Place()); });
    };
    auto half = [&](Half Compare::Kind::* set) {
        return bytes(16, [&](size_t value) {
            unsigned kinds = 0;
            for (size_t k = 0; k != c.kinds.size(); ++k) kinds |= (c.kinds[k].*set >> value & 1u) << k;
            return kinds;
        });
    };
    using Place = Compare::Place;
    auto tables = w.tuple({w.lit(w.i64_type(), c.places.size() - 1), each([](Place p) { return p.mask; }),
                           each([](Place p) { return p.value; }), each([](Place p) { return p.want; }),
                           each([](Place p) { return p.free; }), half(&Compare::Kind::lower), half(&Compare::Kind::upper)});
    return w.call(w.annex(run::compare), {tables});
}

} // namespace mim::plug::regex
