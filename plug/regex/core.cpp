// SPDX-License-Identifier: MIT
#include "core.h"

#include <algorithm>
#include <unordered_map>

namespace mim::plug::regex {

namespace {

constexpr size_t max_core_paths = 64; ///< through the characters that are looked at
constexpr uint32_t max_back     = 8;

double price(const Core& core) { return place_cost + step_cost * core.back; }

/// Finds where some states may be left, and how the state is known there.
///
/// A text leaves them if it leads from one of them to none of them. It does not do so for long if it comes to a state to which also a
/// later part of it leads, since then that part is what leaves them. Where no text begins that leaves them for long, the automaton is in
/// one of the `inner` states: those that texts go through which leave them, but not yet for long.
class Leaving {
public:
    Leaving(const Moves& moves, Ids states)
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
            if (!best || cost(*one) < cost(*best)) best = one;
        }
        return best;
    }

private:
    using States = Ids; ///< in order
    struct Path {
        Sets sets;
        uint32_t state;
        States later; ///< to which a later part of the text leads, beside those of the core
    };
    static constexpr uint32_t anything = ~0u;

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
    Ids inner_;
    std::vector<bool> is_core_, is_inner_;
    std::vector<Path> now_; ///< texts of `depth_` characters
    size_t depth_ = 0;
    std::unordered_map<uint64_t, Agreement> agreements_; ///< of two states
};

} // namespace

Sets characters(const Dfa& dfa) {
    auto result = dfa.class_sets();
    for (auto& set : result) set &= range_set(0, 255);
    return result;
}

std::optional<Core> find_core(const Moves& moves, Ids states) { return Leaving(moves, std::move(states)).run(); }

double cost(const Core& core) { return cost(core.finder, price(core)); }

} // namespace mim::plug::regex
