// SPDX-License-Identifier: MIT
#include "base/nearest.h"

#include <vector>

namespace mim {

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
    // rows for the first i, i - 1 and i - 2 characters of a
    std::vector<size_t> row(b.size() + 1), above(b.size() + 1), second(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        second.swap(above);
        above.swap(row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            auto change  = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j]       = std::min({above[j] + 1, row[j - 1] + 1, change});
            bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swap) row[j] = std::min(row[j], second[j - 2] + 1);
        }
    }
    return std::min(row.back(), limit);
}

void Nearest::offer(std::string_view name) {
    auto d = edit_distance(wanted, name, limit + 1);
    if (d > limit || (d == limit && !best.empty() && name >= best)) return;
    best = name, limit = d;
}

} // namespace mim
