// SPDX-License-Identifier: MIT
// Patterns as nondeterministic automata, after Thompson: each pattern is built in front of what follows it.
// Alternatives that begin alike share their beginning where that changes no order, so that a set of words is a tree.
// In an ordered pattern, a part that is a language prefers its longest text; a deterministic automaton does, whose
// states go on reading before they leave it. Where none shall be made, the part is enclosed, so that who runs it knows
// when all its ways have read.
#include <algorithm>
#include <deque>
#include <initializer_list>
#include <set>
#include <span>
#include <utility>

#include "regex/host/automaton.h"

namespace mim::plug::regex {

namespace {

class Builder {
public:
    Builder(Nfa& nfa, Inner inner, size_t most)
        : nfa_(nfa)
        , inner_(inner)
        , most_(most)
        , ordered_(nfa.ordered) {}

    uint64_t groups = 0;     ///< how many are asked for
    bool failed     = false; ///< it would get too large: what is built has no meaning

    uint32_t add(Nfa::Kind kind, std::span<const uint32_t> next, const Set& set = {}, uint8_t before = Anywhere) {
        failed |= nfa_.nodes.size() == most_;
        if (failed) return 0;
        nfa_.nodes.push_back({.kind = kind, .before = before, .set = number_of(set)});
        auto node = uint32_t(nfa_.nodes.size() - 1);
        nfa_.lead(node, next);
        return node;
    }
    uint32_t add(Nfa::Kind kind, std::initializer_list<uint32_t> next = {}, const Set& set = {}, uint8_t before = Anywhere) {
        return add(kind, std::span(next.begin(), next.size()), set, before);
    }
    /// Sets what follows a node that was added without.
    void lead(uint32_t node, std::initializer_list<uint32_t> next) {
        if (!failed) nfa_.lead(node, std::span(next.begin(), next.size()));
    }

    uint32_t build(const Pattern& p, uint32_t next) {
        if (failed) return 0;
        if (auto end = ends_.find(&p); end != ends_.end()) return match(end->second);
        if (is_part(p)) return inner_ == Inner::Enclosed ? enclose(p, next) : embed(p, next);
        switch (p.op) {
            case Pattern::Chars: return p.set.none() ? add(Nfa::Split) : add(Nfa::Read, {next}, p.set);
            case Pattern::Look: return add(Nfa::Look, {next}, p.set, p.before);
            case Pattern::Conj:
                for (size_t i = p.kids.size(); i-- != 0;) next = build(*p.kids[i], next);
                return next;
            case Pattern::Disj: {
                // if all texts are as long, it is no part, but has no order within; groups in it do not count
                auto around = std::exchange(ordered_, false);
                auto result = alternatives(p, next);
                ordered_    = around;
                return result;
            }
            case Pattern::Alt: return alternatives(p, next);
            case Pattern::Quant: return repeat(p, next);
            case Pattern::Group: return group(p, next);
        }
        return next;
    }

    /// All of them, each of which ends with a match of its number.
    uint32_t build_all(std::span<const Pattern* const> patterns) {
        std::vector<Pattern> ends(patterns.size());
        std::vector<Parts> ways(patterns.size());
        for (uint32_t i = 0; i != patterns.size(); ++i) {
            take_apart(*patterns[i], ways[i]);
            ways[i].push_back(&ends[i]);
            ends_[&ends[i]] = i;
        }
        return branch({ways.begin(), ways.end()}, 0);
    }

    uint32_t match(uint32_t number) {
        auto node            = add(Nfa::Match);
        nfa_.nodes[node].set = number;
        return node;
    }
    uint32_t save(uint64_t slot, uint32_t next) {
        auto node            = add(Nfa::Save, {next});
        nfa_.nodes[node].set = uint32_t(slot);
        return node;
    }

private:
    /// Of a set among all of them. Most are the ones that had their first character before.
    uint32_t number_of(const Set& set) {
        auto& last = last_sets_[set._Find_first() % last_sets_.size()];
        if (last < nfa_.sets.size() && nfa_.sets[last] == set) return last;
        auto [known, is_new] = sets_.try_emplace(set, uint32_t(nfa_.sets.size()));
        if (is_new) nfa_.sets.push_back(set);
        return last = known->second;
    }

    /// Splitting in the written order prefers the longest text anyway, or all are as long.
    static bool is_greedy(const Pattern& p) {
        return p.length >= 0 || (p.op == Pattern::Quant && p.kids[0]->op == Pattern::Chars);
    }
    /// A language in an ordered pattern, which is a part of its own.
    bool is_part(const Pattern& p) const { return ordered_ && !p.ordered && !is_greedy(p); }

    /// A pattern as what follows one another.
    using Parts = std::vector<const Pattern*>;
    void take_apart(const Pattern& p, Parts& parts) const {
        if (p.op != Pattern::Conj || is_part(p)) return parts.push_back(&p);
        for (auto kid : p.kids) take_apart(*kid, parts);
    }

    uint32_t alternatives(const Pattern& p, uint32_t next) {
        std::deque<Parts> taken;
        std::vector<Rest> all;
        all.reserve(p.kids.size());
        for (auto& kid : p.kids) {
            if (kid->op != Pattern::Conj || is_part(*kid)) all.push_back({&kid, 1});
            else if (is_flat(*kid)) all.push_back(kid->kids);
            else take_apart(*kid, taken.emplace_back()), all.push_back(taken.back());
        }
        return branch(all, next);
    }
    /// Its parts are not sequences themselves, such as the characters of a word.
    static bool is_flat(const Pattern& p) {
        return std::ranges::all_of(p.kids, [](auto kid) { return kid->op != Pattern::Conj; });
    }

    using Rest = std::span<const Pattern* const>; ///< parts that are not built yet
    static bool begins_with_chars(const Rest& rest) { return !rest.empty() && rest[0]->op == Pattern::Chars; }

    /// Whether both match the same, as one sees at once, and in one way, unless the order does not count.
    bool are_alike(const Pattern& a, const Pattern& b) const {
        if (&a == &b) return a.is_single() || !ordered_;
        return a.op == Pattern::Chars && b.op == Pattern::Chars && a.set == b.set;
    }
    /// Alternatives that begin with the same characters are put together, unless a way that begins with some of them
    /// was written in between. So are those that begin with the same part, as `\b`, where the order does not count.
    std::vector<std::vector<Rest>> beginnings(const std::vector<Rest>& ways) const {
        constexpr uint32_t none = ~0u;
        std::vector<std::vector<Rest>> groups;
        std::unordered_map<const Pattern*, size_t> parts; // the group of each
        std::array<uint32_t, 257> last;                   // the group that had the symbol
        last.fill(none);
        auto touch = [&](const Set& set) {
            for (auto c = set._Find_first(); c < set.size(); c = set._Find_next(c)) last[c] = uint32_t(groups.size());
        };
        for (auto& way : ways) {
            if (!begins_with_chars(way)) {
                if (ordered_) touch(~Set());
                bool is_shared       = !ordered_ && !way.empty();
                auto [known, is_new] = parts.try_emplace(is_shared ? way[0] : nullptr, groups.size());
                if (is_new || !is_shared) groups.push_back({way});
                else groups[known->second].push_back(way);
                continue;
            }
            auto& set  = way[0]->set;
            auto known = last[set._Find_first() % last.size()];
            bool alike = known != none && begins_with_chars(groups[known][0]) && groups[known][0][0]->set == set;
            for (auto c = set._Find_first(); c < set.size() && alike; c = set._Find_next(c)) alike = last[c] == known;
            if (alike) groups[known].push_back(way);
            else touch(set), groups.push_back({way});
        }
        return groups;
    }

    uint32_t branch(const std::vector<Rest>& ways, uint32_t next) {
        Ids heads;
        for (auto& group : beginnings(ways)) heads.push_back(failed ? 0 : join(group, next));
        return heads.size() == 1 ? heads[0] : add(Nfa::Split, heads);
    }

    /// Ways that begin alike: their beginning, and then what follows it.
    uint32_t join(std::vector<Rest> ways, uint32_t next) {
        size_t shared = 0;
        if (ways.size() == 1) {
            for (size_t i = ways[0].size(); i-- != 0;) next = build(*ways[0][i], next);
            return next;
        }
        auto first   = ways[0];
        auto is_same = [&](const Rest& way) { return way.size() > shared && are_alike(*way[shared], *first[shared]); };
        while (shared < first.size() && std::ranges::all_of(ways, is_same)) ++shared;
        for (auto& way : ways) way = way.subspan(shared);
        next = branch(ways, next);
        while (shared-- != 0) next = build(*first[shared], next);
        return next;
    }

    uint32_t repeat(const Pattern& p, uint32_t next) {
        if (p.many && ordered_ && p.kids[0]->nullable) return loop(p, next);
        auto split = add(Nfa::Split);
        auto body  = build(*p.kids[0], p.many ? split : next);
        if (p.lazy) lead(split, {next, body});
        else lead(split, {body, next});
        return p.none ? split : body;
    }

    /// If the order counts, a round that reads nothing is the last one. A loop is left before the next one at its
    /// depth is entered.
    uint32_t loop(const Pattern& p, uint32_t next) {
        if (depth_ == 64) too_large("parts, one in the other, that are repeated and may match nothing", 64);
        ++depth_;
        auto head = add(Nfa::Loop);
        auto body = build(*p.kids[0], head);
        --depth_;
        auto enter = p.none ? head : add(Nfa::Enter, {body});
        lead(head, {body, next}), nfa_.nodes[head].lazy = p.lazy;
        nfa_.nodes[head].depth = nfa_.nodes[enter].depth = uint8_t(depth_);
        return enter;
    }

    /// A group within one of the same number does not count, nor does one in a language.
    uint32_t group(const Pattern& p, uint32_t next) {
        auto n = p.number - 1;
        if (n >= groups || !ordered_ || !open_.insert(n).second) return build(*p.kids[0], next);
        auto body = build(*p.kids[0], save(2 * n + 1, next));
        open_.erase(n);
        return save(2 * n, body);
    }
    uint32_t embed(const Pattern& p, uint32_t next) {
        auto small = make_minimal(make_nfa(p, false));
        if (!small) return failed = true, 0;
        auto& dfa    = *small;
        auto classes = dfa.class_sets();
        Ids state;
        for (uint32_t q = 0; q != dfa.states; ++q) state.push_back(add(Nfa::Split));
        for (uint32_t q = 1; q != dfa.states; ++q) {
            Sets reads(dfa.states);
            Set accepts;
            for (uint32_t k = 0; k != dfa.classes; ++k) {
                reads[dfa.to[dfa.cell(q, k)]] |= classes[k];
                if (dfa.accepts[dfa.cell(q, k)]) accepts |= classes[k];
            }
            Ids ways;
            for (uint32_t r = 1; r != dfa.states; ++r)
                if (reads[r].any()) ways.push_back(add(Nfa::Read, {state[r]}, reads[r]));
            if (accepts.any()) ways.push_back(accepts.all() ? next : add(Nfa::Look, {next}, accepts));
            if (!failed) nfa_.lead(state[q], ways);
        }
        if (!dfa.looks_back()) return state[dfa.start[0]];
        Ids ways;
        for (unsigned b = 0; b != 4; ++b) ways.push_back(add(Nfa::Look, {state[dfa.start[b]]}, ~Set(), uint8_t(1 << b)));
        return add(Nfa::Split, ways);
    }

    uint32_t enclose(const Pattern& p, uint32_t next) {
        auto close = add(Nfa::Close, {next});
        ordered_   = false;
        auto body  = build(p, add(Nfa::Leave));
        ordered_   = true;
        return add(Nfa::Open, {body, close});
    }

    Nfa& nfa_;
    Inner inner_;
    size_t most_;                                       ///< nodes
    bool ordered_;                                      ///< of what is built now
    std::unordered_map<const Pattern*, uint32_t> ends_; ///< parts that are nothing but the end of a numbered pattern
    std::set<uint64_t> open_;                           ///< groups around what is built now
    unsigned depth_ = 0;                                ///< of loops whose rounds may read nothing
    std::unordered_map<Set, uint32_t> sets_;
    std::array<uint32_t, End + 1> last_sets_{}; ///< by first character: the number of one that was there
};

} // namespace

std::optional<Nfa> make_nfa(const Pattern& pattern, bool ordered, Inner inner, size_t most) {
    Nfa nfa;
    nfa.ordered = ordered;
    Builder builder(nfa, inner, most);
    nfa.start = builder.build(pattern, builder.add(Nfa::Match));
    return builder.failed ? std::nullopt : std::optional(std::move(nfa));
}

std::optional<Nfa> make_somewhere_nfa(const Pattern& pattern, size_t most) {
    Nfa nfa;
    nfa.searches = true;
    Builder builder(nfa, Inner::Enclosed, most);
    auto here  = builder.build(pattern, builder.add(Nfa::Match));
    nfa.start  = builder.add(Nfa::Split);
    auto later = builder.add(Nfa::Read, {nfa.start}, range_set(0, 255));
    builder.lead(nfa.start, {here, later});
    return builder.failed ? std::nullopt : std::optional(std::move(nfa));
}

std::optional<Nfa> make_set_nfa(std::span<const Pattern* const> patterns, size_t most) {
    Nfa nfa;
    nfa.searches = true;
    Builder builder(nfa, Inner::Enclosed, most);
    auto here  = builder.build_all(patterns);
    nfa.start  = builder.add(Nfa::Split);
    auto later = builder.add(Nfa::Read, {nfa.start}, range_set(0, 255));
    builder.lead(nfa.start, {here, later});
    return builder.failed ? std::nullopt : std::optional(std::move(nfa));
}

std::optional<Nfa> make_search_nfa(const Pattern& pattern, Inner inner, bool with_places, size_t most) {
    Nfa nfa;
    nfa.ordered = nfa.searches = true;
    Builder builder(nfa, inner, most);
    auto match = builder.add(Nfa::Match);
    auto here  = builder.build(pattern, with_places ? builder.save(1, match) : match);
    if (with_places) here = builder.save(0, here);
    nfa.start  = builder.add(Nfa::Split);
    auto later = builder.add(Nfa::Read, {nfa.start}, range_set(0, 255));
    builder.lead(nfa.start, {here, later});
    return builder.failed ? std::nullopt : std::optional(std::move(nfa));
}

std::optional<Nfa> make_group_nfa(const Pattern& pattern, uint64_t groups) {
    Nfa nfa;
    nfa.ordered = true;
    Builder builder(nfa, Inner::Enclosed, max_nodes);
    builder.groups = groups;
    nfa.start      = builder.build(pattern, builder.add(Nfa::Match));
    return builder.failed ? std::nullopt : std::optional(std::move(nfa));
}

} // namespace mim::plug::regex
