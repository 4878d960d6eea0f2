// SPDX-License-Identifier: MIT
// The deeds of the optimizer: how often each rule was used, and each rewrite with its text before and after.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "program.h"

namespace mim::plug::mil {

enum class Rule : uint8_t {
    LeftMonad, ///< 1
    RightMonad,
    Prefix,
    Suffix,
    Unreachable,
    Wildcard,
    Dead,
    Common,
    Algebra, ///< 9 to 15
    KnownCase,
    KnownClosure,
    KnownStructure,
    TrailingEnter,
    TrailingCase, ///< 20
    Selector,
    Assertion,
    Thread,
    Static,
    Parameter,
    Merge,
    Count,
};

std::string_view name_of(Rule);

struct Report {
    std::array<size_t, static_cast<size_t>(Rule::Count)> counts{};
    size_t before = 0, after = 0; ///< lines
    bool is_traced = false;
    std::string trace;

    void note(Rule r) { ++counts[static_cast<size_t>(r)]; }
    /// The rewrite of a tail, where they are traced.
    void note(Rule, const Program&, const std::string& where, const Tail& before, const std::string& after);
    void note(Rule, const Program&, const std::string& where, const Tail& before, const Tail& after);
    std::string stats(const Program&) const;
};

/// The graph of calls: closures are red, blocks blue.
std::string dot(const Program&);

/// The text of a tail, with the names that things have, which may not be the only ones.
std::string text_of(const Program&, const Tail&);

} // namespace mim::plug::mil
