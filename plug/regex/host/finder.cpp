// SPDX-License-Identifier: MIT
#include "regex/host/finder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace mim::plug::regex {

namespace {

constexpr size_t max_looks = 6;
constexpr double max_rare  = 1.0 / 200; ///< so that a third of 64 places have one at most

/// In languages with Latin letters, and programs.
constexpr auto frequencies = [] {
    std::array<double, 256> result{};
    for (unsigned c = 0; c != 256; ++c)
        result[c] = c >= '0' && c <= '9' ? 0.006 : c >= 'A' && c <= 'Z' ? 0.002 : c > ' ' && c < 127 ? 0.003 : 0.0005;
    result['.'] = result[','] = 0.01;
    double f                  = 0.13;
    for (char c : std::string_view(" etaoinsrhldcumpfgwybvk\n")) result[uint8_t(c)] = f, f *= 0.88;
    return result;
}();

/// Of the eight characters from 8 i on, those that the bits of a number say.
constexpr auto frequencies_of_eight = [] {
    std::array<std::array<double, 256>, 32> result{};
    for (unsigned i = 0; i != 32; ++i)
        for (unsigned bits = 1; bits != 256; ++bits) {
            auto last       = unsigned(std::bit_width(bits)) - 1;
            result[i][bits] = result[i][bits ^ 1u << last] + frequencies[8 * i + last];
        }
    return result;
}();

/// Of what is in the union of both.
/// So much of a text are numbers, dates and addresses, in which digits and what is between them follow each other.
constexpr double numbers_share    = 0.06;
constexpr auto number_frequencies = [] {
    std::array<double, 256> result{};
    for (unsigned c = ' '; c != 127; ++c) result[c] = c >= '0' && c <= '9' ? 0.06 : 0.001;
    for (char c : std::string_view(" .,:-/")) result[uint8_t(c)] = 0.05;
    return result;
}();

double joint_frequency(const Sets& a, const Sets& b) {
    double product = 1;
    for (size_t k = 0; k != a.size(); ++k) product *= regex::frequency(a[k] | b[k]);
    return product;
}

/// Eight groups at most: what is alike is one.
std::vector<Sets> gather(const std::vector<Sets>& all) {
    std::vector<Sets> result;
    std::vector<double> rates;
    for (auto& sets : all) {
        if (result.size() < 8) {
            result.push_back(sets), rates.push_back(joint_frequency(sets, sets));
            continue;
        }
        std::array<double, 8> growth;
        for (size_t g = 0; g != 8; ++g) growth[g] = joint_frequency(result[g], sets) - rates[g];
        auto best = size_t(std::ranges::min_element(growth) - growth.begin());
        rates[best] += growth[best];
        for (size_t k = 0; k != sets.size(); ++k) result[best][k] |= sets[k];
    }
    return result;
}

void find_rates(Finder::Look& look) {
    for (unsigned c = 0; c != 256; ++c) {
        unsigned groups = look.groups(uint8_t(c));
        if (look.run) groups &= 1;
        for (; groups != 0; groups &= groups - 1) {
            auto g = size_t(std::countr_zero(groups));
            look.rate[g] += frequencies[c], look.in_numbers[g] += number_frequencies[c];
        }
    }
    if (look.run) look.rate.fill(look.rate[0]), look.in_numbers.fill(look.in_numbers[0]);
    for (auto& rate : look.rate) rate = std::min(rate, 1.0);
    for (auto& rate : look.in_numbers) rate = std::min(rate, 1.0);
}

Finder::Look look_at_halves(const std::vector<Sets>& groups, size_t offset) {
    Finder::Look result{.offset = offset, .run = false};
    for (unsigned g = 0; g != groups.size(); ++g)
        for (unsigned c = 0; c != 256; ++c)
            if (groups[g][offset][c]) result.low[c & 15] |= uint8_t(1 << g), result.high[c >> 4] |= uint8_t(1 << g);
    find_rates(result);
    return result;
}

/// As a run, of all bits, or of those that no character lacks and another has.
std::vector<Finder::Look> look_at_runs(const std::vector<Sets>& groups, size_t offset) {
    Set set;
    for (auto& sets : groups) set |= sets[offset];
    uint8_t all = 0xff, any = 0;
    for (unsigned c = 0; c != 256; ++c)
        if (set[c]) all &= uint8_t(c), any |= uint8_t(c);
    std::vector<Finder::Look> result;
    for (unsigned mask : {0xff, 0xff & ~('a' - 'A'), 0xff & ~(all ^ any)}) {
        unsigned least = 255, most = 0;
        for (unsigned c = 0; c != 256; ++c)
            if (set[c]) least = std::min(least, c & mask), most = std::max(most, c & mask);
        result.push_back(
            {.offset = offset, .run = true, .mask = uint8_t(mask), .least = uint8_t(least), .more = uint8_t(most - least)});
        find_rates(result.back());
    }
    return result;
}

} // namespace

double frequency(const Set& set) {
    static_assert(sizeof(Set) == 5 * sizeof(uint64_t), "bits are in words, the first one in the lowest place");
    auto words = std::bit_cast<std::array<uint64_t, 5>>(set);
    double sum = 0;
    for (unsigned i = 0; i != 4; ++i)
        for (unsigned j = 0; words[i] != 0; ++j, words[i] >>= 8) sum += frequencies_of_eight[8 * i + j][words[i] & 255];
    return std::min(sum, 1.0);
}

uint8_t Finder::Look::groups(uint8_t c) const {
    if (run) return uint8_t((c & mask) - least) <= more ? 0xff : 0;
    return low[c & 15] & high[c >> 4];
}

bool Finder::have(std::string_view text) const {
    uint8_t groups = 0xff;
    for (auto& look : looks)
        if (look.offset < text.size()) groups &= look.groups(uint8_t(text[look.offset]));
    return groups != 0;
}

/// How much of a text are places: outside of numbers, and in these.
static std::pair<double, double> rates(const Finder& finder) {
    bool same      = std::ranges::all_of(finder.looks, &Finder::Look::run);
    double outside = 0, inside = 0;
    for (unsigned g = 0; g != (same ? 1 : 8); ++g) {
        double out = 1 - numbers_share, in = numbers_share;
        for (auto& look : finder.looks) {
            auto part = numbers_share * look.in_numbers[g];
            out *= std::max(look.rate[g] - part, 0.0) / (1 - numbers_share);
            in *= look.in_numbers[g];
        }
        outside += out, inside += in;
    }
    return {std::min(outside, 1.0), std::min(inside, 1.0)};
}

double Finder::rate() const {
    auto [outside, inside] = rates(*this);
    return std::min(outside + inside, 1.0);
}

size_t Finder::reach() const { return 1 + std::ranges::max(looks, {}, &Look::offset).offset; }

static double first_rate(const Finder& finder) {
    auto& rate = finder.looks[0].rate;
    return finder.looks[0].run ? rate[0] : std::min(1.0, std::accumulate(rate.begin(), rate.end(), 0.0));
}

bool Finder::rare() const { return looks.size() > 1 && first_rate(*this) <= max_rare; }

/// As measured on a processor with AVX-512: reading from memory, a first look, others, and a wrong guess whether these are needed. Characters that follow
/// each other depend on each other, as digits do, so there are more places than the product of their rates.
double cost(const Finder& finder, double place_cost) {
    auto look   = [](const Finder::Look& l) { return l.run ? 0.6 : 1.1; };
    auto others = std::accumulate(finder.looks.begin() + 1, finder.looks.end(), 0.0,
                                  [&](double sum, auto& l) { return sum + look(l); });
    if (finder.rare()) others = (others + 5) * 64 * first_rate(finder);
    auto [outside, inside] = rates(finder);
    return (std::max(2.0, 1.4 + look(finder.looks[0])) + others) / 64 + (std::pow(outside, 0.8) + inside) * place_cost;
}

Finder make_finder(const std::vector<Sets>& all, double place_cost) {
    auto groups = gather(all);
    std::vector<Finder::Look> looks;
    for (size_t k = 0; k != groups[0].size(); ++k) {
        for (auto& look : look_at_runs(groups, k)) looks.push_back(look);
        looks.push_back(look_at_halves(groups, k));
    }
    Finder best;
    double price = 0;
    while (best.looks.size() != max_looks) {
        const Finder::Look* next = nullptr;
        double least             = 0;
        for (auto& look : looks) {
            if (std::ranges::find(best.looks, look.offset, &Finder::Look::offset) != best.looks.end()) continue;
            best.looks.push_back(look);
            auto with = cost(best, place_cost);
            best.looks.pop_back();
            if (!next || with < least) next = &look, least = with;
        }
        if (!next || (!best.looks.empty() && least > 0.95 * price)) break;
        best.looks.push_back(*next), price = least;
    }
    return best;
}

} // namespace mim::plug::regex
