// SPDX-License-Identifier: MIT
// Patterns as nondeterministic automata, after Thompson: each pattern is built in front of what follows it. In an ordered pattern, a part
// that is a language prefers its longest text; a deterministic automaton does, whose states go on reading before they leave it.
#include <algorithm>

#include "automaton.h"

namespace mim::plug::regex {

namespace {

class Builder {
public:
    explicit Builder(Nfa& nfa)
        : nfa_(nfa) {}

    uint32_t add(Nfa::Kind kind, std::vector<uint32_t> next, const Set& set = {}, uint8_t before = Anywhere) {
        if (nfa_.nodes.size() == max_nodes) fail("this pattern has more than " + std::to_string(max_nodes) + " parts");
        auto [known, is_new] = sets_.try_emplace(set, uint32_t(nfa_.sets.size()));
        if (is_new) nfa_.sets.push_back(set);
        nfa_.nodes.push_back({kind, before, known->second, std::move(next)});
        return uint32_t(nfa_.nodes.size() - 1);
    }

    uint32_t build(const Pattern& p, uint32_t next) {
        if (nfa_.ordered && !p.ordered && !is_greedy(p)) return embed(p, next);
        std::vector<uint32_t> ways;
        switch (p.op) {
            case Pattern::Chars: return p.set.none() ? add(Nfa::Split, {}) : add(Nfa::Read, {next}, p.set);
            case Pattern::Look: return add(Nfa::Look, {next}, p.set, p.before);
            case Pattern::Conj:
                for (size_t i = p.kids.size(); i-- != 0;) next = build(*p.kids[i], next);
                return next;
            case Pattern::Disj:
            case Pattern::Alt:
                for (auto kid : p.kids) ways.push_back(build(*kid, next));
                return add(Nfa::Split, std::move(ways));
            case Pattern::Quant: return repeat(p, next);
        }
        return next;
    }

private:
    /// Splitting in the written order prefers the longest text anyway.
    static bool is_greedy(const Pattern& p) {
        return p.is_single() || (p.op == Pattern::Quant && p.kids[0]->op == Pattern::Chars);
    }

    uint32_t repeat(const Pattern& p, uint32_t next) {
        if (p.many && nfa_.ordered && p.kids[0]->nullable) return loop(p, next);
        auto split = add(Nfa::Split, {});
        auto body  = build(*p.kids[0], p.many ? split : next);
        auto& ways = nfa_.nodes[split].next;
        ways       = {body, next};
        if (p.lazy) std::ranges::reverse(ways);
        return p.none ? split : body;
    }

    /// Where the order counts, a round that reads nothing is the last one.
    uint32_t loop(const Pattern& p, uint32_t next) {
        if (nfa_.loops == 64) fail("more than 64 parts of this pattern are repeated and may match nothing");
        auto bit              = uint64_t(1) << nfa_.loops++;
        auto head             = add(Nfa::Loop, {});
        auto body             = build(*p.kids[0], head);
        auto enter            = p.none ? head : add(Nfa::Enter, {body});
        nfa_.nodes[head].next = {body, next}, nfa_.nodes[head].lazy = p.lazy;
        nfa_.nodes[head].loop = nfa_.nodes[enter].loop = bit;
        return enter;
    }

    uint32_t embed(const Pattern& p, uint32_t next) {
        auto large = make_dfa(make_nfa(p, false));
        if (!large)
            fail("the automaton of a part of this pattern has too many states: order its parts, or match them one after the "
                 "other");
        auto dfa     = minimize(*large);
        auto classes = dfa.class_sets();
        std::vector<uint32_t> state;
        for (uint32_t q = 0; q != dfa.states; ++q) state.push_back(add(Nfa::Split, {}));
        for (uint32_t q = 1; q != dfa.states; ++q) {
            std::vector<Set> reads(dfa.states);
            Set accepts;
            for (uint32_t k = 0; k != dfa.classes; ++k) {
                reads[dfa.to[dfa.cell(q, k)]] |= classes[k];
                if (dfa.accepts[dfa.cell(q, k)]) accepts |= classes[k];
            }
            std::vector<uint32_t> ways;
            for (uint32_t r = 1; r != dfa.states; ++r)
                if (reads[r].any()) ways.push_back(add(Nfa::Read, {state[r]}, reads[r]));
            if (accepts.any()) ways.push_back(accepts.all() ? next : add(Nfa::Look, {next}, accepts));
            nfa_.nodes[state[q]].next = std::move(ways);
        }
        if (!dfa.looks_back()) return state[dfa.start[0]];
        std::vector<uint32_t> ways;
        for (unsigned b = 0; b != 4; ++b) ways.push_back(add(Nfa::Look, {state[dfa.start[b]]}, ~Set(), uint8_t(1 << b)));
        return add(Nfa::Split, std::move(ways));
    }

    Nfa& nfa_;
    std::unordered_map<Set, uint32_t> sets_;
};

} // namespace

Nfa make_nfa(const Pattern& pattern, bool ordered) {
    Nfa nfa;
    nfa.ordered = ordered;
    Builder builder(nfa);
    nfa.start = builder.build(pattern, builder.add(Nfa::Match, {}));
    return nfa;
}

} // namespace mim::plug::regex
