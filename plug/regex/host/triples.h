// SPDX-License-Identifier: MIT
// Places where one of some hundred texts may begin, without AVX-512: at each second place a table is asked by some bits
// of the three characters there. Texts are in eight groups; the table says in which of them a text may have begun two
// places before, one place before, may begin here, or at the next place. Each place is told of twice, and is none where
// no group is left.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "regex/host/gram_table.h"

namespace mim::plug::regex {

class Triples {
public:
    static constexpr size_t length = 4;  ///< characters of each text that count
    static constexpr size_t block  = 32; ///< characters that are looked at, at a time

    /// Whether this processor is fast at collecting bits.
    static bool are_fast();
    /// Of texts, with case or without. None if the processor is slow at it, or they are so many that another way takes
    /// less time.
    static std::optional<Triples> of(std::vector<uint32_t> grams);

    /// The first place that the table has as well, or where blocks end; `folds`: letters of the table have no case.
    /// Behind a block, `length` characters must follow.
    const char* find(GramTable all, bool folds, const char* at, const char* last) const;

private:
    explicit Triples(const std::vector<uint32_t>& grams);
    template<bool Folds>
    const char* find_in(GramTable all, const char* at, const char* last) const;

    /// By bits of three characters, the groups of texts that may begin here (the lowest byte), at the next place, two
    /// places before, and one place before.
    std::vector<uint32_t> table_;
};

} // namespace mim::plug::regex
