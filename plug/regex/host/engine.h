// SPDX-License-Identifier: MIT
// Matching without machine code, by automata that are made while they run. Matchers may be used by many threads at
// once: each call borrows caches.
#pragma once
#include <atomic>
#include <span>
#include <string>

#include "regex/host/grams.h"
#include "regex/host/lazy.h"
#include "regex/host/literals.h"
#include "regex/host/regex.h"

namespace mim::plug::regex {

class LazyRegex {
public:
    static constexpr size_t max_parts = 3 << 22;       ///< of a pattern
    static constexpr size_t most      = (1 << 24) - 1; ///< nodes of an automaton

    struct Span {
        size_t begin, end;
    };
    /// Throws Error if the text is no pattern, or has too many parts. `lines`: within lines.
    LazyRegex(std::string text, bool lines, const LazyLimits& = {});

    bool full_match(std::string_view subject);
    std::optional<size_t> prefix_match(std::string_view subject);
    std::optional<Span> next(std::string_view subject, size_t from, bool after_empty);
    size_t count(std::string_view subject);
    /// The first place from a position on where some match ends, which need not be the one that counts.
    std::optional<size_t> somewhere(std::string_view subject, size_t from);
    using Line = mim::Regex::Line;
    /// Such a place in each line that has one, from a position on, as many as there is room for; how many these are.
    size_t in_lines(std::string_view subject, size_t from, std::span<Line>);

    /// The same looks for places, which are few, or passes most characters in states that these do not leave; machine
    /// code is hardly faster.
    bool skips() {
        if (inner()) return true;
        auto& all = caches(search());
        return all.skips() || all.passes();
    }
    /// Searches try places where one of many texts may begin, which takes less time than machine code would.
    bool attempts() { return grams(); }

    /// Whether whole subjects, or else searches, are matched by automata of few states, which are worth being made at
    /// once.
    bool is_small(bool whole);
    /// Builds the automaton that matches whole subjects, or else the one that searches. Throws Error if it gets too
    /// large.
    void prepare(bool whole) { caches(whole ? Full : search()); }

private:
    enum class Pays : uint8_t { Unknown, Yes, No };
    enum Use : uint8_t { Full, Prefix, Ends, Begins, Somewhere };
    /// The automaton that finds the ends of matches, or the lines with matches.
    Use search() const { return lines_ ? Somewhere : Ends; }
    LazyCaches& caches(Use);
    size_t count_from(std::string_view subject, size_t from);
    const Places* inner();
    const Grams* grams();
    std::optional<Span> attempt(const Grams&, std::string_view subject, size_t& from);
    std::optional<size_t> in_line_with(const Places&, std::string_view subject, size_t from);
    std::optional<size_t> in_line_with(LazyCache&, const Places&, std::string_view subject, size_t from);
    std::optional<size_t> somewhere(LazyCache&, std::string_view subject, size_t from);
    std::optional<Nfa> make(Use);
    const Pattern* whole() { return trees_.nary(Pattern::Conj, {&pattern_, trees_.place(at::stop)}); }

    Trees trees_;
    const Pattern& pattern_;
    const bool lines_;
    LazyLimits limits_;
    std::mutex mutex_; ///< of trees_, caches_ and grams_
    std::unique_ptr<LazyCaches> caches_[5];
    std::atomic<LazyCaches*> made_[5]{}; ///< those of caches_ that are there
    std::once_flag inner_once_;
    std::optional<Places> inner_; ///< one is in each match
    std::atomic<Pays> inner_pays_ = Pays::Unknown;
    /// Of the beginnings of matches, if few are expected, but too many kinds for places. They are made together with the
    /// caches of `search()`, and do not change later.
    std::optional<Grams> grams_;
    std::atomic<Pays> grams_pay_ = Pays::Unknown;
};

} // namespace mim::plug::regex
