// SPDX-License-Identifier: MIT
#include "base/nearest.h"

#include <vector>

namespace mim {

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0]          = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            auto change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal    = row[j];
            row[j]      = std::min({row[j] + 1, row[j - 1] + 1, change});
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
