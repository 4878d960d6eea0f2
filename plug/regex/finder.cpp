// SPDX-License-Identifier: MIT
#include "finder.h"

#include <algorithm>

namespace mim::plug::regex {

namespace {

constexpr size_t max_looks = 6;

/// In languages with Latin letters, and programs.
constexpr auto frequencies = [] {
    std::array<double, 256> result{};
    for (unsigned c = 0; c != 256; ++c) result[c] = c >= '0' && c <= '9' ? 0.008 : c > ' ' && c < 127 ? 0.004 : 0.001;
    double f = 0.13;
    for (char c : std::string_view(" etaoinsrhldcumpfgwybvk\n")) result[uint8_t(c)] = f, f *= 0.88;
    return result;
}();

double frequency(const Sets& sets) {
    double product = 1;
    for (auto& set : sets) product *= regex::frequency(set);
    return product;
}

Sets operator|(Sets a, const Sets& b) {
    for (size_t k = 0; k != a.size(); ++k) a[k] |= b[k];
    return a;
}

/// Eight groups at most: what is alike is one.
std::vector<Sets> gather(const std::vector<Sets>& all) {
    std::vector<Sets> result;
    for (auto& sets : all) {
        if (result.size() < 8) {
            result.push_back(sets);
            continue;
        }
        auto growth = [&](const Sets& group) { return frequency(group | sets) - frequency(group); };
        auto best   = std::ranges::min_element(result, {}, growth);
        *best       = *best | sets;
    }
    return result;
}

Finder::Look look_at(const std::vector<Sets>& groups, size_t offset) {
    Finder::Look result{.offset = offset};
    for (unsigned g = 0; g != groups.size(); ++g)
        for (unsigned c = 0; c != 256; ++c)
            if (groups[g][offset][c]) result.low[c & 15] |= uint8_t(1 << g), result.high[c >> 4] |= uint8_t(1 << g);
    // these are all that have such halves, so maybe more
    for (unsigned g = 0; g != groups.size(); ++g) {
        for (unsigned c = 0; c != 256; ++c)
            if (result.low[c & 15] & result.high[c >> 4] & 1 << g) result.rate[g] += frequencies[c];
        result.rate[g] = std::min(result.rate[g], 1.0);
    }
    return result;
}

} // namespace

double frequency(const Set& set) {
    double sum = 0;
    for (unsigned c = 0; c != 256; ++c)
        if (set[c]) sum += frequencies[c];
    return std::min(sum, 1.0);
}

bool Finder::have(std::string_view text) const {
    uint8_t groups = 0xff;
    for (auto& look : looks)
        if (look.offset < text.size())
            groups &= look.low[uint8_t(text[look.offset]) & 15] & look.high[uint8_t(text[look.offset]) >> 4];
    return groups != 0;
}

double Finder::rate() const {
    double sum = 0;
    for (unsigned g = 0; g != 8; ++g) {
        double product = 1;
        for (auto& look : looks) product *= look.rate[g];
        sum += product;
    }
    return std::min(sum, 1.0);
}

size_t Finder::reach() const { return 1 + std::ranges::max(looks, {}, &Look::offset).offset; }

/// Reading from memory takes as long as looking at two characters.
double cost(const Finder& finder, double place_cost) {
    return std::max(2.0, 0.6 + 0.7 * double(finder.looks.size())) / 64 + finder.rate() * place_cost;
}

Finder make_finder(const std::vector<Sets>& all, double place_cost) {
    auto groups = gather(all);
    std::vector<Finder::Look> looks;
    for (size_t k = 0; k != groups[0].size(); ++k) looks.push_back(look_at(groups, k));
    Finder best;
    while (best.looks.size() < std::min(max_looks, looks.size())) {
        Finder next;
        for (auto& look : looks) {
            if (std::ranges::find(best.looks, look.offset, &Finder::Look::offset) != best.looks.end()) continue;
            auto more = best;
            more.looks.push_back(look);
            if (next.looks.empty() || more.rate() < next.rate()) next = more;
        }
        if (!best.looks.empty() && cost(next, place_cost) > 0.95 * cost(best, place_cost)) break;
        best = next;
    }
    return best;
}

} // namespace mim::plug::regex
