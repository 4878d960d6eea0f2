// SPDX-License-Identifier: MIT
// Many regular expressions at once: which of them match somewhere in a subject, found in one pass over it.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "regex/host/regex.h"

namespace mim {

/// Patterns, which may be thousands, as one automaton whose states are made as subjects reach them (host/lazy_set.h).
/// It may be used by many threads at once; each has a cache of its own, of 8 MiB at most.
class RegexSet {
public:
    struct Options {
        bool ignore_case = false; ///< letters of ASCII have no case
    };
    /// A mistake, and the number of its pattern; the number of patterns if all of them are too large.
    struct Fault {
        size_t pattern = 0;
        Regex::Fault fault;
    };

    /// Null if one of the texts is no pattern, or all of them are too large: more than eight million nodes.
    static std::unique_ptr<RegexSet> compile(std::span<const std::string_view> patterns, Fault&, const Options&);
    static std::unique_ptr<RegexSet> compile(std::span<const std::string_view> patterns, Fault&);
    ~RegexSet();
    RegexSet(const RegexSet&)            = delete;
    RegexSet& operator=(const RegexSet&) = delete;

    /// The number of patterns.
    size_t size() const;
    /// The numbers of those that match somewhere in the subject, in ascending order.
    std::vector<size_t> matches(std::string_view subject) const;
    /// Whether one does. It reads no further than where the first match ends.
    bool is_match(std::string_view subject) const;

private:
    struct Impl;
    explicit RegexSet(std::unique_ptr<Impl>);
    std::unique_ptr<Impl> impl_;
};

} // namespace mim
