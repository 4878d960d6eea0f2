// SPDX-License-Identifier: MIT
#include "search.h"

#include <algorithm>
#include <string_view>

#include "plan.h"

namespace mim::plug::regex {

namespace {

constexpr size_t max_paths = 512; ///< through the characters that are looked at
constexpr double max_rate  = 1.0 / 8;
constexpr double low_rate  = 1.0 / 100000; ///< more characters are looked at if there would be more

using Sets = std::vector<Set>;

struct Path {
    Sets sets;
    uint32_t state;
};

/// A guess, from texts and programs in languages with Latin letters.
double frequency(unsigned c) {
    static constexpr std::string_view common = " etaoinsrhldcumpfgwybvk\n";
    double f                                 = 0.13;
    for (auto k : common) {
        if (c == uint8_t(k)) return f;
        f *= 0.88;
    }
    return c >= '0' && c <= '9' ? 0.008 : c > ' ' && c < 127 ? 0.004 : 0.001;
}

double frequency(const Set& set) {
    double sum = 0;
    for (unsigned c = 0; c != 256; ++c)
        if (set[c]) sum += frequency(c);
    return std::min(sum, 1.0);
}

double frequency(const Sets& sets) {
    double product = 1;
    for (auto& set : sets) product *= frequency(set);
    return product;
}

Sets operator|(Sets a, const Sets& b) {
    for (size_t k = 0; k != a.size(); ++k) a[k] |= b[k];
    return a;
}

bool accepts_at(const Dfa& dfa, uint32_t q) {
    return std::any_of(dfa.accepts.begin() + dfa.cell(q, 0), dfa.accepts.begin() + dfa.cell(q + 1, 0), [](auto a) { return a; });
}

/// All ways through the first characters; a way that comes to a match goes on with any character. Empty if there are too many.
std::vector<Path> paths(const Dfa& dfa, size_t depth) {
    std::vector<Path> now;
    auto classes = dfa.class_sets();
    for (auto q : dfa.start)
        if (q != Dfa::dead && std::ranges::find(now, q, &Path::state) == now.end()) now.push_back({Sets(depth), q});
    constexpr uint32_t anything = ~0u;
    for (size_t k = 0; k != depth; ++k) {
        std::vector<Path> next;
        for (auto& path : now) {
            if (path.state == anything || accepts_at(dfa, path.state)) {
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
                known->sets[k] |= classes[cls] & range_set(0, 255);
            }
        }
        if (next.size() > max_paths) return {};
        now = std::move(next);
    }
    return now;
}

/// Eight groups at most: what is alike is one.
std::vector<Sets> gather(std::vector<Path> all) {
    std::vector<Sets> result;
    for (auto& path : all) {
        if (result.size() < 8) {
            result.push_back(path.sets);
            continue;
        }
        auto growth = [&](const Sets& group) { return frequency(group | path.sets) - frequency(group); };
        auto best   = std::ranges::min_element(result, {}, growth);
        *best       = *best | path.sets;
    }
    return result;
}

} // namespace

bool Beginnings::have(std::string_view text) const {
    uint8_t groups = 0xff;
    for (size_t k = 0; k != std::min(depth, text.size()); ++k)
        groups &= low[k][uint8_t(text[k]) & 15] & high[k][uint8_t(text[k]) >> 4];
    return groups != 0;
}

double Beginnings::rate() const {
    double sum = 0;
    for (unsigned g = 0; g != 8; ++g) {
        Sets sets(depth);
        for (size_t k = 0; k != depth; ++k)
            for (unsigned c = 0; c != 256; ++c) sets[k][c] = low[k][c & 15] & high[k][c >> 4] & 1 << g;
        sum += frequency(sets);
    }
    return sum;
}

static std::optional<Beginnings> beginnings(const Dfa& dfa, size_t depth) {
    auto all = paths(dfa, depth);
    if (all.empty()) return {};
    Beginnings result{.depth = depth};
    unsigned bit = 1;
    for (auto& sets : gather(std::move(all))) {
        for (size_t k = 0; k != depth; ++k)
            for (unsigned c = 0; c != 256; ++c)
                if (sets[k][c]) result.low[k][c & 15] |= bit, result.high[k][c >> 4] |= bit;
        bit <<= 1;
    }
    return result;
}

std::optional<Beginnings> beginnings(const Dfa& dfa) {
    if (std::ranges::any_of(dfa.start, [&](auto q) { return accepts_at(dfa, q); })) return {};
    auto best = beginnings(dfa, Beginnings::min_depth);
    for (auto depth = Beginnings::min_depth + 1; best && depth <= Beginnings::max_depth && best->rate() > low_rate; ++depth)
        if (auto more = beginnings(dfa, depth); more && more->rate() < best->rate() / 2) best = more;
    return best && best->rate() <= max_rate ? best : std::nullopt;
}

static std::optional<Search> make_automata(Patterns& patterns, const Pattern& tree) {
    auto make = [](const std::optional<Nfa>& nfa) {
        auto large = nfa ? make_dfa(*nfa) : std::nullopt;
        return large ? std::optional(minimize(*large)) : std::nullopt;
    };
    auto anchored = make(make_nfa(tree, false));
    auto forward  = anchored ? make(make_search_nfa(tree)) : std::nullopt;
    auto backward = forward ? make(make_nfa(patterns.reversed(tree), false)) : std::nullopt;
    if (!backward) return {};
    bool may_be_empty = std::ranges::any_of(anchored->start, [&](auto q) { return accepts_at(*anchored, q); });
    return Search{std::move(*forward), std::move(*backward), may_be_empty, beginnings(*anchored)};
}

Searcher make_search(World& w, const Def* pattern) {
    Patterns patterns(w);
    auto& tree = patterns.read(pattern);
    if (patterns.wish.scheme != int(by::threads))
        if (auto automata = make_automata(patterns, tree)) return std::move(*automata);
    return SearchThreads{make_search_threads(tree, false), make_search_threads(tree, true)};
}

} // namespace mim::plug::regex
