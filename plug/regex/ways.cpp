// SPDX-License-Identifier: MIT
#include "ways.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace mim::plug::regex {

namespace {

constexpr size_t max_paths = 512, max_core_paths = 64; ///< through the characters that are looked at
constexpr size_t max_core = 8, max_cores = 3;
constexpr uint32_t max_back = 8;
constexpr double place_cost = 30, step_cost = 2, end_cost = 10, hot_cost = 0.6; ///< in nanoseconds
constexpr double max_rate = 1.0 / 8, max_core_rate = 1.0 / 32;
constexpr double low_rate = 1.0 / 100000; ///< longer texts are looked at if there would be more

/// The characters of each class; that of the end only has none.
std::vector<Set> characters(const Dfa& dfa) {
    auto result = dfa.class_sets();
    for (auto& set : result) set &= range_set(0, 255);
    return result;
}

bool contains(const std::vector<uint32_t>& states, uint32_t q) { return std::ranges::find(states, q) != states.end(); }

/// What is before a position decides which start state is one; a start state may also be reached where something has begun, and what is before is
/// other than at the start.
std::vector<uint32_t> waiting_states(const Dfa& dfa) {
    std::vector<uint32_t> result;
    for (auto q : dfa.start)
        if (q != Dfa::dead && !contains(result, q)) result.push_back(q);
    std::set<std::pair<uint32_t, uint32_t>> kinds; // classes, and where they would start
    for (unsigned c = 0; c != 256; ++c) kinds.insert({dfa.class_of[c], dfa.start[c == '\n' ? 1 : word_set()[c] ? 2 : 3]});
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

/// Where characters lead if nothing else happens.
struct Moves {
    explicit Moves(const Dfa& dfa)
        : sets(characters(dfa)) {
        for (size_t i = 0; i != dfa.to.size(); ++i)
            to.push_back(dfa.accepts[i] || dfa.to[i] == Dfa::dead || sets[i % sets.size()].none() ? none : dfa.to[i]);
    }
    size_t states() const { return to.size() / sets.size(); }
    uint32_t at(uint32_t state, uint32_t cls) const { return to[state * sets.size() + cls]; }

    static constexpr uint32_t none = ~0u;
    std::vector<Set> sets; ///< by class
    std::vector<uint32_t> to;
};

/// Finds where some states may be left, and how the state is known there.
///
/// A text leaves them if it leads from one of them to none of them. It does not do so for long if it comes to a state to which also a
/// later part of it leads, since then that part is what leaves them. Where no text begins that leaves them for long, the automaton is in
/// one of the `inner` states: those that texts go through which leave them, but not yet for long.
class Leaving {
public:
    Leaving(const Moves& moves, std::vector<uint32_t> states)
        : moves_(moves)
        , core_(std::move(states))
        , is_core_(moves.states())
        , is_inner_(moves.states()) {
        std::ranges::sort(core_);
        for (auto q : core_) is_core_[q] = true, now_.push_back({{}, q, {}});
    }

    std::optional<Core> run() {
        std::optional<Core> best;
        for (size_t depth : {1, 2, 3, 4, 6, 8}) {
            if (best && best->finder.rate() <= low_rate) break;
            auto one = read(depth) ? synchronize() : std::nullopt;
            if (!one) break; // nor with more inner states
            one->states = core_;
            one->finder = make_finder(texts(), price(*one));
            if (!best || costs(*one) < costs(*best)) best = one;
        }
        return best;
    }
    static double costs(const Core& core) { return cost(core.finder, price(core)); }

private:
    using States = std::vector<uint32_t>; ///< in order
    struct Path {
        Sets sets;
        uint32_t state;
        States later; ///< to which a later part of the text leads, beside those of the core
    };
    static constexpr uint32_t anything = ~0u;

    static double price(const Core& core) { return place_cost + step_cost * core.back; }

    /// Goes on to all texts of so many characters that leave the states for long, and to their inner states. False if there are too many, or none.
    bool read(size_t depth) {
        for (; depth_ != depth; ++depth_) {
            for (auto& path : now_)
                if (path.state != anything && !is_inner_[path.state]) is_inner_[path.state] = true, inner_.push_back(path.state);
            std::vector<Path> next;
            for (auto& path : now_) {
                step(path, next);
                if (next.size() > max_core_paths) return false;
            }
            now_ = std::move(next);
        }
        return !now_.empty();
    }
    std::vector<Sets> texts() const {
        std::vector<Sets> result;
        for (auto& path : now_) result.push_back(path.sets);
        return result;
    }

    void step(const Path& path, std::vector<Path>& next) const {
        if (path.state == anything) {
            add(path, anything, {}, range_set(0, 255), next);
            return;
        }
        for (uint32_t cls = 0; cls != moves_.sets.size(); ++cls) {
            if (moves_.sets[cls].none()) continue;
            auto to = moves_.at(path.state, cls);
            if (to == Moves::none) {
                add(path, anything, {}, moves_.sets[cls], next);
            } else if (!is_core_[to]) {
                auto later = later_by(path, cls);
                if (!std::ranges::binary_search(later, to)) add(path, to, std::move(later), moves_.sets[cls], next);
            }
        }
    }
    /// A later part may begin at each character but the first.
    States later_by(const Path& path, uint32_t cls) const {
        States result;
        auto add = [&](uint32_t from) {
            if (auto to = moves_.at(from, cls); to != Moves::none && !is_core_[to]) result.push_back(to);
        };
        if (depth_ != 0) std::ranges::for_each(core_, add), std::ranges::for_each(path.later, add);
        std::ranges::sort(result);
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }
    /// A text that goes on with one of these characters.
    static void add(const Path& path, uint32_t state, States later, const Set& set, std::vector<Path>& all) {
        for (auto& other : all)
            if (other.state == state && other.later == later
                && std::equal(path.sets.begin(), path.sets.end(), other.sets.begin())) {
                other.sets.back() |= set;
                return;
            }
        all.push_back({path.sets, state, std::move(later)});
        all.back().sets.push_back(set);
    }

    /// A state from which characters lead where they lead from any inner state, as long as that stays in inner ones.
    std::optional<Core> synchronize() {
        std::optional<Core> best;
        agreements_.clear(); // with fewer inner states
        for (auto from : core_) {
            if (best && best->back == 0) break;
            if (auto back = characters_to_agree(from, best ? best->back - 1 : max_back)) best = Core{{}, {}, from, *back};
        }
        return best;
    }
    /// None if there are more than so many.
    std::optional<uint32_t> characters_to_agree(uint32_t from, uint32_t limit) {
        uint32_t most = 0;
        for (auto q : inner_)
            if (most = std::max(most, q == from ? 0 : agreement(from, q, limit)); most > limit) return {};
        return most;
    }
    /// After how many characters, at least, any text leads from a where it leads from the inner state b, which is another one, or out of the inner ones. Some
    /// number above the limit if that is more.
    uint32_t agreement(uint32_t a, uint32_t b, uint32_t limit) {
        if (limit == 0) return 1;
        auto pair = uint64_t(a) << 32 | b;
        if (auto known = agreements_.find(pair); known != agreements_.end())
            if (known->second.is_all || known->second.least > limit) return known->second.least;
        Agreement result;
        for (uint32_t cls = 0; cls != moves_.sets.size() && result.least <= limit; ++cls) {
            auto from_a = moves_.at(a, cls), from_b = moves_.at(b, cls);
            if (from_a == from_b || from_b == Moves::none || !is_inner_[from_b]) continue;
            auto after = from_a == Moves::none ? never : agreement(from_a, from_b, limit - 1);
            if (after == never) result = {never, true};
            else if (after >= limit) result = {limit + 1, false};
            else result.least = std::max(result.least, after + 1);
        }
        return (agreements_[pair] = result).least;
    }

    struct Agreement {
        uint32_t least = 1;
        bool is_all    = true; ///< it is not more
    };
    static constexpr uint32_t never = 1000;

    const Moves& moves_;
    States core_;
    std::vector<uint32_t> inner_;
    std::vector<bool> is_core_, is_inner_;
    std::vector<Path> now_; ///< texts of `depth_` characters
    size_t depth_ = 0;
    std::unordered_map<uint64_t, Agreement> agreements_; ///< of two states
};

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
    double leaves(const std::vector<uint32_t>& states) const {
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
    double of(const std::vector<uint32_t>& states) const {
        return std::accumulate(states.begin(), states.end(), 0.0, [&](double sum, auto q) { return sum + share[q]; });
    }
    /// The states, the most frequent ones first.
    std::vector<uint32_t> order() const {
        std::vector<uint32_t> result(dfa_.states - 1);
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

class Choice {
public:
    Choice(const Dfa& anchored, const Dfa& forward, bool eager)
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
        if (both && Leaving::costs(*core) < 0.7 * cost(*ways_.first, place_cost)) ways_.first = {};
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
    std::optional<Core> leaving(const std::vector<uint32_t>& states) const {
        auto core = Leaving(moves_, states).run();
        return core && (eager_ || core->finder.rate() <= max_core_rate) ? core : std::nullopt;
    }
    /// Of those that consist of the most frequent states.
    std::optional<Core> best_core() const {
        std::optional<Core> best;
        std::vector<uint32_t> states;
        for (size_t i = 0; i != std::min(max_core, left_.size()); ++i) {
            states.push_back(left_[i]);
            auto core = leaving(states);
            if (core && (!best || Leaving::costs(*core) < Leaving::costs(*best))) best = core;
        }
        return best;
    }
    void take(const Core& core) {
        std::erase_if(left_, [&](auto q) { return contains(core.states, q); });
        ways_.cores.push_back(core);
    }
    double all_costs() const {
        auto sum = shares_.ends() * end_cost + shares_.of(ways_.hot) * hot_cost;
        std::vector<uint32_t> others;
        for (auto q : left_)
            if (!contains(ways_.hot, q)) others.push_back(q);
        sum += shares_.of(others) * step_cost;
        if (ways_.first) sum += shares_.of(ways_.waiting) * regex::cost(*ways_.first, place_cost);
        for (auto& core : ways_.cores) sum += shares_.of(core.states) * Leaving::costs(core);
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
    std::vector<uint32_t> left_; ///< states that have no way yet, the most frequent ones first
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

Ways find_ways(const Dfa& anchored, const Dfa& forward, bool eager) { return Choice(anchored, forward, eager).run(); }

void keep_last_ends(Dfa& dfa) {
    std::vector<bool> always(dfa.states);
    for (uint32_t q = 1; q != dfa.states; ++q)
        always[q] = std::all_of(dfa.accepts.begin() + dfa.cell(q, 0), dfa.accepts.begin() + dfa.cell(q + 1, 0),
                                [](auto a) { return a; });
    for (size_t i = 0; i != dfa.to.size(); ++i)
        if (always[dfa.to[i]] && i % dfa.classes != dfa.class_of[End]) dfa.accepts[i] = false;
}

} // namespace mim::plug::regex
