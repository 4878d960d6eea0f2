// SPDX-License-Identifier: MIT
// A node is copied for each set of loops around it whose round may have read nothing so far. Of nested loops, the inner
// ones have read nothing if the outer one has not: a node at depth d has at most d + 1 copies.
#include "regex/host/threads.h"

#include <algorithm>
#include <deque>
#include <map>

namespace mim::plug::regex {

namespace {

class Flatten {
public:
    Flatten(const Nfa& nfa, size_t most)
        : nfa_(nfa)
        , most_(most)
        , plain_(nfa.nodes.size(), none) {
        out_.sets    = nfa.sets;
        out_.ordered = nfa.ordered;
        never_       = uint32_t(std::ranges::find(out_.sets, Set()) - out_.sets.begin());
        if (never_ == out_.sets.size()) out_.sets.emplace_back();
    }

    std::optional<Threads> run() {
        place({nfa_.start, 0});
        while (!todo_.empty() && !failed_) {
            auto [at, number] = todo_.front();
            todo_.pop_front();
            fill(number, at);
        }
        if (out_.nodes.size() == 1) add(); // an array of one would be its element
        return failed_ ? std::nullopt : std::optional(std::move(out_));
    }

private:
    struct At {
        uint32_t node;
        uint64_t loops; ///< whose round has read nothing
        auto operator<=>(const At&) const = default;
    };

    uint32_t add() {
        failed_ |= out_.nodes.size() == most_;
        if (failed_) return 0;
        out_.nodes.emplace_back();
        return uint32_t(out_.nodes.size() - 1);
    }

    /// The place that this leads to, if it is the only one.
    At skip(At at) const {
        for (;;) {
            auto& node = nfa_.nodes[at.node];
            auto next  = nfa_.next(node);
            if (node.kind == Nfa::Enter) at = {next[0], at.loops | node.loop()};
            else if (node.kind == Nfa::Loop && (at.loops & node.loop())) at = {next[1], at.loops & ~node.loop()};
            else if (node.kind == Nfa::Split && next.size() == 1) at.node = next[0];
            else return node.kind == Nfa::Read || node.kind == Nfa::Match ? At{at.node, 0} : at;
        }
    }

    uint32_t place(At from) {
        auto at      = skip(from);
        auto& number = at.loops == 0 ? plain_[at.node] : numbers_.try_emplace(at, none).first->second;
        if (number == none) number = add(), todo_.push_back({at, number});
        return number;
    }

    void fill(uint32_t number, At at) {
        auto& node = nfa_.nodes[at.node];
        auto next  = nfa_.next(node);
        auto to    = [&](uint32_t there) { return place({there, at.loops}); };
        auto set   = [&](Threads::Node made) { out_.nodes[number] = made; };
        switch (node.kind) {
            case Nfa::Read: return set({.kind = Threads::Read, .to = to(next[0]), .other = node.set});
            case Nfa::Look: return set({.kind = Threads::Look, .before = node.before, .to = to(next[0]), .other = node.set});
            case Nfa::Save: return set({.kind = Threads::Save, .to = to(next[0]), .other = node.set});
            case Nfa::Match: return set({.kind = Threads::Match, .other = node.set});
            case Nfa::Leave: return set({.kind = Threads::Leave});
            case Nfa::Open: return set({.kind = Threads::Open, .to = to(next[0]), .other = to(next[1])});
            case Nfa::Close: return set({.kind = Threads::Close, .to = to(next[0]), .other = place({at.node, 0})});
            case Nfa::Loop: {
                auto round = place({next[0], at.loops | node.loop()}), rest = to(next[1]);
                return set(node.lazy ? split(rest, round) : split(round, rest));
            }
            default: return ways(number, next, at.loops);
        }
    }

    static Threads::Node split(uint32_t first, uint32_t second) { return {.kind = Threads::Split, .to = first, .other = second}; }

    /// One way after the other.
    void ways(uint32_t number, std::span<const uint32_t> next, uint64_t loops) {
        if (next.empty()) out_.nodes[number] = {.kind = Threads::Read, .to = number, .other = never_};
        for (size_t i = 0; i + 1 < next.size(); ++i) {
            auto first         = place({next[i], loops});
            auto rest          = i + 2 == next.size() ? place({next[i + 1], loops}) : add();
            out_.nodes[number] = split(first, rest);
            number             = rest;
        }
    }

    static constexpr uint32_t none = ~0u;

    const Nfa& nfa_;
    Threads out_;
    size_t most_;
    bool failed_ = false;
    uint32_t never_;                 ///< the set that has nothing
    Ids plain_;                      ///< numbers by node, in no loop whose round has read nothing
    std::map<At, uint32_t> numbers_; ///< in others
    std::deque<std::pair<At, uint32_t>> todo_;
};

} // namespace

bool Threads::looks_back() const {
    return std::ranges::any_of(nodes, [](auto& node) { return node.before != Anywhere; });
}

std::optional<Threads> make_threads(const Nfa& nfa, size_t most) { return Flatten(nfa, most).run(); }

Words words(const Threads& threads, bool sized) {
    Words result;
    result.ordered = threads.ordered;
    result.nodes.reserve(threads.nodes.size());
    for (auto& node : threads.nodes)
        result.nodes.push_back(node.kind | uint64_t(node.before) << 3 | uint64_t(node.to) << 8 | uint64_t(node.other) << 32);
    for (auto& set : threads.sets) {
        std::array<uint64_t, Graph::set_words> bits{set[sized ? 0 : End], 0, 0, 0, set[End]};
        for (unsigned c = 1; c != 256; ++c) bits[c / 64] |= uint64_t(set[c]) << c % 64;
        result.sets.insert(result.sets.end(), bits.begin(), bits.end());
    }
    return result;
}

} // namespace mim::plug::regex
