// SPDX-License-Identifier: MIT
// Regular expressions at run time: the text of a pattern becomes machine code in this process, as a file
// `pattern.regex` would. The plugin `regex` reads such files (plug/regex/files.cpp): it knows what patterns mean, the
// compiler does not. Where there is no code, as the automaton would be too large or it is too early, an automaton runs
// whose states are made as they are reached (lazy.h).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mim {

/// A compiled pattern. It may be used by many threads at once. What matches throws std::runtime_error if it was to be compiled first, and
/// could not be.
class Regex {
public:
    /// What a pattern is compiled for; each is code of its own.
    enum class Matcher : uint8_t { Full, FullMany, Prefix, Next, Count };
    struct Options {
        Matcher first      = Matcher::Full; ///< compiled at once, the others as soon as they are asked for
        bool lines         = false;         ///< subjects are many lines, and each match is in one of them
        bool ignore_case   = false;         ///< letters of ASCII have no case
        bool wait          = false;         ///< nothing is compiled before much was read
        unsigned opt_level = 1; ///< how much LLVM optimizes; 1 takes the least time, and others hardly make matching faster
        std::vector<std::string> plugin_dirs = {}; ///< where to look for plugins first
    };
    struct Span {
        size_t begin, end;
        bool operator==(const Span&) const = default;
    };
    /// What is wrong with a pattern.
    struct Fault {
        std::string message;           ///< with the code of its diagnostic, as in `there is no … [E-regex-01]`
        std::optional<Span> part = {}; ///< the characters of the pattern that it is about, if it is not all of them

        /// The message, and below it the pattern with a mark below that part.
        std::string text(std::string_view pattern) const;
    };

    /// Null if the text is no pattern, or too large a one; then `error` says what is wrong, and where.
    static std::unique_ptr<Regex> compile(std::string_view pattern, std::string& error, const Options&);
    static std::unique_ptr<Regex> compile(std::string_view pattern, std::string& error);
    static std::unique_ptr<Regex> compile(std::string_view pattern, Fault&, const Options&);
    /// What is wrong with a text that is no pattern. Sooner than `compile` tells, which also knows what is too large.
    static std::optional<Fault> check(std::string_view pattern, const Options&);
    ~Regex();
    Regex(const Regex&)            = delete;
    Regex& operator=(const Regex&) = delete;

    /// Whether all of the subject matches.
    bool full_match(std::string_view subject) const;
    /// The code that does this, which takes size and characters. It lives as long as the pattern.
    using FullMatcher = bool (*)(uint64_t size, const char* subject);
    FullMatcher full_matcher() const;
    /// Many subjects in one call, which inlines the matcher: which of them match as a whole, and how many do. `found` has a place for each.
    size_t full_matches(std::span<const std::string_view> subjects, std::span<bool> found) const;
    size_t full_matches(size_t count, const char* const* texts, const size_t* sizes, bool* found) const;
    /// Where the match ends that begins at the start of the subject.
    std::optional<size_t> prefix_match(std::string_view subject) const;
    /// The leftmost match from a position on, which must be in the subject or at its end. `after_empty`: an empty match was found there before.
    std::optional<Span> next(std::string_view subject, size_t from, bool after_empty) const;
    std::optional<Span> find(std::string_view subject) const { return next(subject, 0, false); }
    /// All matches, each found where the one before ends.
    std::vector<Span> find_all(std::string_view subject) const;
    /// A place in the next match from a position on, or at its end, of a pattern with `lines`: sooner known than which
    /// match it is.
    std::optional<size_t> somewhere(std::string_view subject, size_t from) const;
    struct Line {
        size_t place, end; ///< `end`: behind its newline, if it has one
    };
    /// The same in each line that has one, as many as there is room for; how many these are. Sooner than one by one.
    size_t in_lines(std::string_view subject, size_t from, std::span<Line>) const;
    /// How many these are.
    size_t count(std::string_view subject) const;

private:
    struct Impl;
    explicit Regex(std::unique_ptr<Impl>);
    std::unique_ptr<Impl> impl_;
};

} // namespace mim
