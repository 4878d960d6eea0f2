// SPDX-License-Identifier: MIT
// Places where one of some hundred texts may begin, 64 at a time, by the tables that AVX-512 has in registers: texts
// are in eight groups, and for two of the first four characters a table of 128 places says in which groups some text
// has such a pair there. A place that several tables leave in no group is none.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "regex/host/gram_table.h"

namespace mim::plug::regex {

class Pairs {
public:
    static constexpr size_t length = 4;  ///< characters of each text that count
    static constexpr size_t block  = 64; ///< characters that are looked at, at a time

    /// Of texts, whose letters are small ones if they have no case (`folds`). None if the processor lacks what is
    /// needed, or another way takes less time.
    static std::optional<Pairs> of(std::vector<uint32_t> grams, bool folds);

    /// The first place that the table has as well, or where blocks end. Behind a block, `length` characters must follow.
    const char* find(GramTable all, const char* at, const char* last) const;

private:
    static constexpr size_t max_tables = 6;
    struct Table {
        std::array<uint8_t, 128> groups; ///< by the hash of the pair
        uint64_t matrix;                 ///< of the first character
    };
    Pairs(const std::vector<uint32_t>& grams, bool folds);
    template<bool Folds, size_t Count>
    const char* find_by(GramTable all, const char* at, const char* last) const;
    template<bool Folds>
    const char* find_by_all(GramTable all, const char* at, const char* last) const;

    bool folds_;
    size_t count_ = 0; ///< of tables
    double cost_  = 0; ///< cycles of a character
    std::array<Table, max_tables> tables_;
};

} // namespace mim::plug::regex
