// SPDX-License-Identifier: MIT
// A World with the axioms of %regex. Patterns are never called in it, so their type is one without structure.
#pragma once
#include "parts.h"
#include "plan.h"
#include "regex.h"
#include "regex/host/automaton.h"
#include "search.h"
#include "unit/plugin_world.h"

namespace mim::plug::regex::test {

struct Regex : unit::PluginWorld {
    Regex();

    const Def* chr(unsigned lo, unsigned hi) { return w.app(w.annex(range(0)), {w.lit_idx(256, lo), w.lit_idx(256, hi)}); }
    const Def* chr(unsigned c) { return chr(c, c); }
    template<class Enum>
    const Def* of(Enum op, std::vector<const Def*> ops) {
        return w.app(w.app(w.annex(op), w.lit_nat(ops.size())), w.tuple(Defs(ops)));
    }
    template<class Enum>
    const Def* un(Enum op, const Def* r) {
        return w.app(w.annex(op), r);
    }
    const Def* opt(const Def* r) { return un(quant::optional, r); }
    const Def* star(const Def* r) { return un(quant::star, r); }
    const Def* plus(const Def* r) { return un(quant::plus, r); }
    const Def* rep(uint64_t min, uint64_t max, const Def* r) {
        return w.app(w.app(w.annex(repeat(0)), {w.lit_nat(min), w.lit_nat(max)}), r);
    }
    const Def* parsed(std::string_view);
    /// The minimal automaton of a pattern, as the compiler makes it.
    std::optional<Dfa> automaton(const Def*);
    /// Where the match that begins at `pos` ends; -1: there is none.
    static int64_t run(const Dfa&, std::string_view subject, size_t pos = 0);
    /// Where the leftmost match from a position on begins and ends.
    using Span = std::pair<size_t, size_t>;
    static std::optional<Span> next(const Search&, std::string_view subject, size_t pos, bool after_empty);
    static std::optional<Span> next(const SearchThreads&, std::string_view subject, size_t pos, bool after_empty);
    static std::vector<Span> all(const Search&, std::string_view subject);
    /// Where the leftmost match ends, found on the ways that the automaton has; -1: there is none.
    static int64_t end_on_ways(const Search&, std::string_view subject, size_t pos, bool after_empty);
    static size_t count(const Tally&, std::string_view subject);
    static size_t count(const Counter&, std::string_view subject);
    /// How the compiler searches for a pattern: by automata, or by threads.
    Search automata(const Def*, bool eager = false);
    SearchThreads search_threads(const Def*);
    /// What the compiler makes of a pattern that is to be matched by threads.
    Threads threads(const Def*);
    static int64_t run(const Threads&, std::string_view subject, size_t pos = 0);
    /// Where the groups from 1 to `count` begin and end in the match of `stop` characters; -1: one takes no part.
    static std::vector<int64_t> groups(const Threads&, std::string_view subject, int64_t stop, uint64_t count);
};

} // namespace mim::plug::regex::test
