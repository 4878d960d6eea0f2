// SPDX-License-Identifier: MIT
#include "ways.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace mim::plug::regex {

namespace {

constexpr size_t max_paths = 512; ///< through the characters that are looked at
constexpr size_t max_core = 8, max_cores = 3;
constexpr double end_cost = 10, hot_cost = 0.6; ///< in nanoseconds, as those in core.h
constexpr double max_rate = 1.0 / 8, max_core_rate = 1.0 / 32;

bool contains(const Ids& states, uint32_t q) { return std::ranges::find(states, q) != states.end(); }

/// What is before a position decides which start state is one; a start state may also be reached where something has begun, and what is before is
/// other than at the start.
Ids waiting_states(const Dfa& dfa) {
    Ids result;
    for (auto q : dfa.start)
        if (q != Dfa::dead && !contains(result, q)) result.push_back(q);
    std::set<std::pair<uint32_t, uint32_t>> kinds; // classes, and where they would start
    for (unsigned c = 0; c != 256; ++c) kinds.insert({dfa.class_of[c], dfa.start_behind(c)});
    for (uint32_t q = 1; q != dfa.states; ++q)
        for (auto [cls, start] : kinds)
            if (auto to = dfa.to[dfa.cell(q, cls)]; to != start) std::erase(result, to);
    return result;
}

/// All ways to begin a match; one that comes to an end goes on with any character. Empty if there are too many.
std::vector<Sets> beginnings(const Dfa& dfa, size_t depth) {
    constexpr uint32_t anything = ~0u;
    struct Path {
        Sets sets;
        uint32_t state;
    };
    std::vector<Path> now;
    auto classes = characters(dfa);
    for (auto q : dfa.start)
        if (q != Dfa::dead && std::ranges::find(now, q, &Path::state) == now.end()) now.push_back({Sets(depth), q});
    for (size_t k = 0; k != depth; ++k) {
        std::vector<Path> next;
        for (auto& path : now) {
            if (path.state == anything || dfa.accepts_at(path.state)) {
                next.push_back({path.sets, anything});
                next.back().sets[k] = range_set(0, 255);
                continue;
            }
            auto from = next.size();
            for (uint32_t cls = 0; cls != dfa.classes; ++cls) {
                auto to = dfa.to[dfa.cell(path.state, cls)];
                if (to == Dfa::dead) continue;
                auto known = std::find_if(next.begin() + from, next.end(), [&](auto& p) { return p.state == to; });
                if (known == next.end()) next.push_back({path.sets, to}), known = next.end() - 1;
                known->sets[k] |= classes[cls];
            }
        }
        if (next.size() > max_paths) return {};
        now = std::move(next);
    }
    std::vector<Sets> result;
    for (auto& path : now) result.push_back(path.sets);
    return result;
}

/// How often the automaton is in each state, if characters do not depend on each other, and how often it goes from there to what.
class Shares {
public:
    explicit Shares(const Dfa& dfa)
        : dfa_(dfa)
        , share(dfa.states) {
        double sum = 0;
        for (auto& set : characters(dfa)) sum += classes_.emplace_back(frequency(set));
        for (auto& f : classes_) f /= sum;
        share[dfa.start[0]] = 1;
        for (unsigned i = 0; i != 64; ++i) {
            std::vector<double> next(dfa.states);
            for (uint32_t q = 1; q != dfa.states; ++q)
                if (share[q] > 1e-12) step(q, next);
            share = std::move(next);
        }
    }
    /// How often one of these states is left, of a character.
    double leaves(const Ids& states) const {
        double sum = 0;
        for (auto q : states)
            for (uint32_t cls = 0; cls != dfa_.classes; ++cls)
                if (auto cell = dfa_.cell(q, cls); dfa_.accepts[cell] || !contains(states, dfa_.to[cell]))
                    sum += share[q] * classes_[cls];
        return sum;
    }
    /// How often a match ends.
    double ends() const {
        double sum = 0;
        for (uint32_t q = 0; q != dfa_.states; ++q)
            for (uint32_t cls = 0; cls != dfa_.classes; ++cls)
                if (dfa_.to[dfa_.cell(q, cls)] == Dfa::dead) sum += share[q] * classes_[cls];
        return sum;
    }
    double of(const Ids& states) const {
        return std::accumulate(states.begin(), states.end(), 0.0, [&](double sum, auto q) { return sum + share[q]; });
    }
    /// The states, the most frequent ones first.
    Ids order() const {
        Ids result(dfa_.states - 1);
        std::iota(result.begin(), result.end(), 1);
        std::ranges::stable_sort(result, std::greater(), [&](auto q) { return share[q]; });
        return result;
    }

private:
    void step(uint32_t q, std::vector<double>& next) const {
        for (uint32_t cls = 0; cls != dfa_.classes; ++cls) {
            auto to = dfa_.to[dfa_.cell(q, cls)];
            next[to == Dfa::dead ? dfa_.start[0] : to] += share[q] * classes_[cls];
        }
    }

    const Dfa& dfa_;
    std::vector<double> classes_;

public:
    std::vector<double> share;
};

class WaysFinder {
public:
    WaysFinder(const Dfa& anchored, const Dfa& forward, bool eager)
        : moves_(forward)
        , eager_(eager)
        , shares_(forward)
        , left_(shares_.order()) {
        ways_.waiting = waiting_states(forward);
        if (!ways_.waiting.empty()) ways_.first = find_first(anchored, eager);
    }

    Ways run() {
        auto core = best_core();
        bool both = core && ways_.first && std::ranges::any_of(core->states, [&](auto q) { return contains(ways_.waiting, q); });
        if (both && cost(*core) < 0.7 * cost(*ways_.first, place_cost)) ways_.first = {};
        if (!ways_.first) ways_.waiting.clear();
        std::erase_if(left_, [&](auto q) { return contains(ways_.waiting, q); });
        if (both && ways_.first) core = best_core();
        if (core) take(*core);
        auto frequent = left_;
        frequent.resize(std::min(frequent.size(), max_core)); // what is rare is not worth the search
        for (auto q : frequent) {
            if (ways_.cores.size() == max_cores) break;
            if (auto one = leaving({q})) take(*one);
        }
        find_hot();
        ways_.cost = all_costs();
        return std::move(ways_);
    }

private:
    std::optional<Core> leaving(const Ids& states) const {
        auto core = find_core(moves_, states);
        return core && (eager_ || core->finder.rate() <= max_core_rate) ? core : std::nullopt;
    }
    /// Of those that consist of the most frequent states.
    std::optional<Core> best_core() const {
        std::optional<Core> best;
        Ids states;
        for (size_t i = 0; i != std::min(max_core, left_.size()); ++i) {
            states.push_back(left_[i]);
            auto core = leaving(states);
            if (core && (!best || cost(*core) < cost(*best))) best = core;
        }
        return best;
    }
    void take(const Core& core) {
        std::erase_if(left_, [&](auto q) { return contains(core.states, q); });
        ways_.cores.push_back(core);
    }
    double all_costs() const {
        auto sum = shares_.ends() * end_cost + shares_.of(ways_.hot) * hot_cost;
        Ids others;
        for (auto q : left_)
            if (!contains(ways_.hot, q)) others.push_back(q);
        sum += shares_.of(others) * step_cost;
        if (ways_.first) sum += shares_.of(ways_.waiting) * regex::cost(*ways_.first, place_cost);
        for (auto& core : ways_.cores) sum += shares_.of(core.states) * cost(core);
        return sum;
    }
    void find_hot() {
        auto hot = left_;
        hot.resize(std::min(hot.size(), Ways::max_hot));
        auto share = shares_.of(hot), leaves = shares_.leaves(hot);
        if (eager_ || (share > 0.05 && leaves / share < max_core_rate)) ways_.hot = hot;
    }

    Moves moves_;
    bool eager_;
    Shares shares_;
    Ids left_; ///< states that have no way yet, the most frequent ones first
    Ways ways_;
};

} // namespace

std::vector<uint8_t> Ways::by_state(const Dfa& forward) const {
    std::vector<uint8_t> result(forward.states, Step);
    for (auto q : hot) result[q] = Hot;
    for (size_t i = 0; i != cores.size(); ++i)
        for (auto q : cores[i].states) result[q] = uint8_t(Cores + i);
    for (auto q : waiting) result[q] = First;
    return result;
}

std::optional<Finder> find_first(const Dfa& dfa, bool eager) {
    if (std::ranges::any_of(dfa.start, [&](auto q) { return dfa.accepts_at(q); })) return {};
    std::optional<Finder> best;
    for (size_t depth : {3, 6, 12, 20}) {
        if (best && best->rate() <= low_rate) break;
        auto all = beginnings(dfa, depth);
        if (all.empty()) break;
        auto more = make_finder(all, place_cost);
        if (!best || cost(more, place_cost) < cost(*best, place_cost)) best = more;
    }
    return best && (eager || best->rate() <= max_rate) ? best : std::nullopt;
}

Ways find_ways(const Dfa& anchored, const Dfa& forward, bool eager) { return WaysFinder(anchored, forward, eager).run(); }

void keep_last_ends(Dfa& dfa) {
    std::vector<bool> always(dfa.states);
    for (uint32_t q = 1; q != dfa.states; ++q)
        always[q] = std::all_of(dfa.accepts.begin() + dfa.cell(q, 0), dfa.accepts.begin() + dfa.cell(q + 1, 0),
                                [](auto a) { return a; });
    for (size_t i = 0; i != dfa.to.size(); ++i)
        if (always[dfa.to[i]] && i % dfa.classes != dfa.class_of[End]) dfa.accepts[i] = false;
}

} // namespace mim::plug::regex
