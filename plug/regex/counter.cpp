// SPDX-License-Identifier: MIT
// Counting matches without searching for one after the other: an automaton that goes on behind each match, and counts on its way. A match is known to end where it
// does when no later end can follow; until then, the text behind the end so far is read as the next search would read it, so nothing is read twice.
#include "counter.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace mim::plug::regex {

namespace {

constexpr size_t max_scans = 3, max_raw = 256;

/// Scans that read at once: of the first one, a match is looked for; of each other one, one behind the end that the scan before it has found.
/// One that finds nothing more is in the dead state.
struct Scans {
    Ids states;
    unsigned before; ///< what the last character is, if that matters

    auto operator<=>(const Scans&) const = default;
};
struct Way {
    uint32_t to;
    uint8_t count;

    auto operator<=>(const Way&) const = default;
};

/// What a character is to the position behind it, as a number in the order of Before.
unsigned kind(unsigned c) { return unsigned(std::countr_zero(unsigned(behind(c)))); }

class Counting {
public:
    explicit Counting(const Dfa& dfa)
        : dfa_(dfa) {}

    std::optional<Counter> run() {
        find_classes();
        add({{dfa_.start[0]}, 0});
        for (size_t i = 0; i != all_.size(); ++i) {
            auto from = all_[i];
            for (auto c : chars_) {
                auto next = step(from.states, from.before, c);
                if (!next || all_.size() > max_raw) return {};
                auto to = add({std::move(next->states), dfa_.looks_back() ? kind(c) : 0});
                ways_[i].push_back({to, next->count});
            }
            ends_.push_back(end(from.states, from.before));
        }
        count_early();
        return number();
    }

private:
    struct Step {
        Ids states;
        uint8_t count;
    };

    /// One character stands for all that do the same.
    void find_classes() {
        std::map<std::pair<unsigned, unsigned>, unsigned> known;
        for (unsigned c = 0; c != 256; ++c) {
            auto what  = std::pair(unsigned(dfa_.class_of[c]), dfa_.looks_back() ? kind(c) : 0);
            auto added = known.try_emplace(what, unsigned(known.size()));
            if (added.second) chars_.push_back(c);
            class_of_[c] = uint8_t(added.first->second);
        }
    }
    uint32_t add(Scans scans) {
        auto added = known_.try_emplace(scans, uint32_t(all_.size()));
        if (added.second) all_.push_back(std::move(scans)), ways_.emplace_back();
        return added.first->second;
    }
    /// None if a match would be counted behind an end that may be none, or there are too many scans.
    std::optional<Step> step(const Ids& states, unsigned before, unsigned c) const {
        auto cell = dfa_.at(states[0], c);
        auto to   = dfa_.to[cell];
        Ids others(states.begin() + 1, states.end());
        if (dfa_.accepts[cell]) others = {dfa_.start[before]};
        if (others.empty()) return Step{{to}, 0};
        auto behind = step(others, before, c);
        if (!behind) return {};
        if (to == Dfa::dead) return Step{std::move(behind->states), uint8_t(behind->count + 1)};
        if (behind->count != 0 || behind->states.size() == max_scans) return {};
        behind->states.insert(behind->states.begin(), to);
        return behind;
    }
    /// How many matches there are more where the text ends.
    uint8_t end(const Ids& states, unsigned before) const {
        if (dfa_.accepts[dfa_.at(states[0], End)]) return 1;
        return states.size() == 1 ? 0 : uint8_t(1 + end({states.begin() + 1, states.end()}, before));
    }

    /// What is counted on all ways from a state is counted on the ways to it.
    void count_early() {
        for (bool again = true; std::exchange(again, false);)
            for (uint32_t q = 1; q != all_.size(); ++q) {
                auto least = std::min(ends_[q], std::ranges::min(ways_[q], {}, &Way::count).count);
                if (least == 0) continue;
                again = true;
                ends_[q] -= least;
                for (auto& way : ways_[q]) way.count -= least;
                for (auto& ways : ways_)
                    for (auto& way : ways)
                        if (way.to == q) way.count += least;
            }
    }

    /// The states with what was counted on the way there, as few as can be, those that count behind the others.
    std::optional<Counter> number() {
        std::map<Way, uint32_t> known;
        std::vector<Way> states{{0, 0}};
        known[states[0]] = 0;
        std::vector<Ids> to;
        for (size_t i = 0; i != states.size(); ++i) {
            auto& row = to.emplace_back();
            for (auto way : ways_[states[i].to]) {
                if (way.count > 1) return {};
                auto added = known.try_emplace(way, uint32_t(states.size()));
                if (added.second) states.push_back(way);
                row.push_back(added.first->second);
            }
        }
        // blocks of states that are alike, as far as is known
        Ids block(states.size());
        for (size_t blocks = 0, before = 1; blocks != before;) {
            before = blocks;
            std::map<Ids, uint32_t> keys;
            Ids next;
            for (size_t i = 0; i != states.size(); ++i) {
                Ids key{states[i].count, ends_[states[i].to], block[i]};
                for (auto q : to[i]) key.push_back(block[q]);
                next.push_back(keys.try_emplace(std::move(key), uint32_t(keys.size())).first->second);
            }
            blocks = keys.size();
            block  = std::move(next);
        }
        auto blocks = size_t(1 + std::ranges::max(block));
        if (blocks > Counter::max_states) return {};
        std::vector<size_t> one(blocks); // of each block
        for (size_t i = 0; i != states.size(); ++i) one[block[i]] = i;
        std::ranges::stable_sort(one, {}, [&](size_t i) { return states[i].count; });
        std::vector<uint8_t> number_of(blocks);
        for (size_t n = 0; n != blocks; ++n) number_of[block[one[n]]] = uint8_t(n);
        Counter result{.states = uint8_t(blocks), .start = number_of[block[0]], .counting = uint8_t(blocks)};
        for (size_t n = 0; n != blocks; ++n) {
            auto& state = states[one[n]];
            if (state.count != 0) result.counting = std::min(result.counting, uint8_t(n));
            result.ends[n] = ends_[state.to];
            for (unsigned c = 0; c != 256; ++c) result.rows[c][n] = number_of[block[to[one[n]][class_of_[c]]]];
        }
        return result;
    }

    const Dfa& dfa_;
    std::array<uint8_t, 256> class_of_{};
    std::vector<unsigned> chars_; ///< by class
    std::map<Scans, uint32_t> known_;
    std::vector<Scans> all_;
    std::vector<std::vector<Way>> ways_; ///< by state and class
    std::vector<uint8_t> ends_;          ///< by state
};

} // namespace

std::optional<Counter> make_counter(const Dfa& forward) { return Counting(forward).run(); }

} // namespace mim::plug::regex
