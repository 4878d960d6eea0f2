// SPDX-License-Identifier: MIT
// What a misspelt name may have meant.
#pragma once
#include <algorithm>
#include <string_view>

namespace mim {

/// How many characters to insert, delete, change, or swap with the next one, to make b of a (no character is swapped and changed); `limit`
/// if it is not below that.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

/// Collects the name nearest to a misspelt one; of equally near ones the first in alphabet, so the answer is always the same.
struct Nearest {
    explicit Nearest(std::string_view w)
        : wanted(w)
        , limit(w.size() < 3 ? 0 : std::max<size_t>(1, w.size() / 3)) {}
    void offer(std::string_view name);

    std::string_view wanted, best; ///< `best` is empty while nothing is near
    size_t limit;                  ///< largest distance that still counts
};

} // namespace mim
