// SPDX-License-Identifier: MIT
// Tables for `%regex.run.threads`, for patterns whose deterministic automaton would be too large. A node is copied for each set of loops
// around it whose round may have read nothing so far. Of nested loops, the inner ones have read nothing if the outer one has not: a
// node at depth d has at most d + 1 copies.
#include "threads.h"

#include <algorithm>
#include <map>

#include "regex.h"

namespace mim::plug::regex {

namespace {

[[noreturn]] void too_large() { regex::too_large("its parts", max_nodes); }

class Flatten {
public:
    explicit Flatten(const Nfa& nfa)
        : nfa_(nfa) {
        out_.sets    = nfa.sets;
        out_.ordered = nfa.ordered;
        never_       = uint32_t(std::ranges::find(out_.sets, Set()) - out_.sets.begin());
        if (never_ == out_.sets.size()) out_.sets.emplace_back();
    }

    Threads run() {
        place({nfa_.start, 0});
        for (uint32_t i = 0; i != todo_.size(); ++i) {
            auto [at, number] = todo_[i];
            fill(number, at);
        }
        if (out_.nodes.size() == 1) add(); // an array of one would be its element
        return std::move(out_);
    }

private:
    struct At {
        uint32_t node;
        uint64_t loops; ///< whose round has read nothing
        auto operator<=>(const At&) const = default;
    };

    uint32_t add() {
        if (out_.nodes.size() == max_nodes) too_large();
        out_.nodes.emplace_back();
        return uint32_t(out_.nodes.size() - 1);
    }

    /// Where this leads if it leads to one place only.
    At skip(At at) const {
        for (;;) {
            auto& node = nfa_.nodes[at.node];
            if (node.kind == Nfa::Enter) at = {node.next[0], at.loops | node.loop};
            else if (node.kind == Nfa::Loop && (at.loops & node.loop)) at = {node.next[1], at.loops & ~node.loop};
            else if (node.kind == Nfa::Split && node.next.size() == 1) at.node = node.next[0];
            else return node.kind == Nfa::Read || node.kind == Nfa::Match ? At{at.node, 0} : at;
        }
    }

    uint32_t place(At from) {
        auto at = skip(from);
        if (auto known = numbers_.find(at); known != numbers_.end()) return known->second;
        auto number = add();
        numbers_.emplace(at, number);
        todo_.push_back({at, number});
        return number;
    }

    void fill(uint32_t number, At at) {
        auto& node = nfa_.nodes[at.node];
        auto to    = [&](uint32_t next) { return place({next, at.loops}); };
        auto set   = [&](Threads::Node made) { out_.nodes[number] = made; };
        switch (node.kind) {
            case Nfa::Read: return set({.kind = Threads::Read, .to = to(node.next[0]), .other = node.set});
            case Nfa::Look: return set({.kind = Threads::Look, .before = node.before, .to = to(node.next[0]), .other = node.set});
            case Nfa::Save: return set({.kind = Threads::Save, .to = to(node.next[0]), .other = node.set});
            case Nfa::Match: return set({.kind = Threads::Match});
            case Nfa::Leave: return set({.kind = Threads::Leave});
            case Nfa::Open: return set({.kind = Threads::Open, .to = to(node.next[0]), .other = to(node.next[1])});
            case Nfa::Close: return set({.kind = Threads::Close, .to = to(node.next[0]), .other = place({at.node, 0})});
            case Nfa::Loop: {
                auto round = place({node.next[0], at.loops | node.loop}), rest = to(node.next[1]);
                return set(node.lazy ? split(rest, round) : split(round, rest));
            }
            default: return ways(number, node.next, at.loops);
        }
    }

    static Threads::Node split(uint32_t first, uint32_t second) { return {.kind = Threads::Split, .to = first, .other = second}; }

    /// One way after the other.
    void ways(uint32_t number, const Ids& next, uint64_t loops) {
        if (next.empty()) out_.nodes[number] = {.kind = Threads::Read, .other = never_};
        for (size_t i = 0; i + 1 < next.size(); ++i) {
            auto first         = place({next[i], loops});
            auto rest          = i + 2 == next.size() ? place({next[i + 1], loops}) : add();
            out_.nodes[number] = split(first, rest);
            number             = rest;
        }
    }

    const Nfa& nfa_;
    Threads out_;
    uint32_t never_;
    std::map<At, uint32_t> numbers_;
    std::vector<std::pair<At, uint32_t>> todo_;
};

} // namespace

bool Threads::looks_back() const {
    return std::ranges::any_of(nodes, [](auto& node) { return node.before != Anywhere; });
}

Threads make_threads(const Pattern& pattern, bool ordered) {
    auto nfa = make_nfa(pattern, ordered, Inner::Enclosed);
    if (!nfa) too_large();
    return Flatten(*nfa).run();
}

Threads make_group_threads(const Pattern& pattern, uint64_t groups) {
    auto nfa = make_group_nfa(pattern, groups);
    if (!nfa) too_large();
    return Flatten(*nfa).run();
}

Threads make_search_threads(const Pattern& pattern, bool with_places) {
    auto nfa = make_search_nfa(pattern, Inner::Enclosed, with_places);
    if (!nfa) too_large();
    return Flatten(*nfa).run();
}

DefVec tables(World& w, const Threads& threads, bool sized) {
    auto words = [&](auto& from, auto word) {
        DefVec ops;
        for (auto& elem : from)
            for (auto bits : word(elem)) ops.push_back(w.lit(w.i64_type(), bits));
        return w.tuple(ops);
    };
    auto nodes = words(threads.nodes, [](const Threads::Node& node) {
        return std::array{node.kind | uint64_t(node.before) << 3 | uint64_t(node.to) << 8 | uint64_t(node.other) << 32};
    });
    auto sets  = words(threads.sets, [&](const Set& set) {
        std::array<uint64_t, 5> bits{set[sized ? 0 : End], 0, 0, 0, set[End]};
        for (unsigned c = 1; c != 256; ++c) bits[c / 64] |= uint64_t(set[c]) << c % 64;
        return bits;
    });
    DefVec after;
    for (unsigned c = 0; c != 256; ++c) after.push_back(w.lit_idx(256, behind(c)));
    return {nodes, sets, w.tuple(after)};
}

} // namespace mim::plug::regex
