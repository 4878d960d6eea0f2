// SPDX-License-Identifier: MIT
#include "regex/host/lazy.h"

#include <algorithm>
#include <bit>

namespace mim::plug::regex {

namespace {

uint32_t hash_of(std::span<const uint32_t> key) {
    uint64_t hash = key.size();
    for (auto n : key) hash = (hash ^ n) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
    return uint32_t(hash ^ hash >> 32);
}

/// The kinds of text before a position, in the order of Before.
unsigned before(std::string_view subject, size_t pos) {
    return pos == 0 ? 0 : unsigned(std::countr_zero(unsigned(behind(uint8_t(subject[pos - 1])))));
}
/// The same of who reads backwards.
unsigned before_backwards(std::string_view subject, size_t pos) {
    return pos == subject.size() ? 0 : unsigned(std::countr_zero(unsigned(behind(uint8_t(subject[pos])))));
}

template<bool Forward>
size_t symbol_at(std::string_view subject, size_t pos) {
    if constexpr (Forward) return pos == subject.size() ? End : uint8_t(subject[pos]);
    else return pos == 0 ? End : uint8_t(subject[pos - 1]);
}

constexpr size_t min_table = 64;

} // namespace

LazyCache::LazyCache(const Nfa& nfa, const LazyLimits& limits)
    : subsets_(nfa)
    , limits_(limits) {
    clear();
    clears = 0;
}

std::optional<size_t> LazyCache::end(std::string_view s, size_t pos, bool after_empty) {
    return run<true, false>(s, pos, s.size(), start_row(before(s, pos), after_empty));
}

std::optional<size_t> LazyCache::first_end(std::string_view s, size_t pos) {
    return run<true, true>(s, pos, s.size(), start_row(before(s, pos), false));
}

size_t LazyCache::begin(std::string_view s, size_t from, size_t to) {
    return run<false, false>(s, to, from, start_row(before_backwards(s, to), false)).value_or(to);
}

/// The row of a state in which matches begin, or nothing if it does not pay to have rows; then it is `from_`.
uint32_t LazyCache::start_row(unsigned before, bool again) {
    auto& row = starts_[again][before];
    if (pays_ && row != unknown) return row;
    from_ = subsets_.start(before, again);
    return pays_ ? row = find(from_) : 0;
}

/// From `pos` to `last`: the last place of a match, or the first one.
template<bool Forward, bool First>
std::optional<size_t> LazyCache::run(std::string_view s, size_t pos, size_t last, uint32_t row) {
    std::optional<size_t> found;
    auto& class_of = subsets_.class_of;
    auto next      = [](size_t at) { return Forward ? at + 1 : at - 1; };
    auto since     = pos; // characters from there on are not in read_ yet
    auto account   = [&] { read_ += Forward ? pos - since : since - pos, since = pos; };
    for (;;) {
        if (!pays_) {
            found = run_without<Forward, First>(s, pos, last, found);
            if (!pays_) return found; // it came to an end
            since = pos;
            row   = find(from_);
            if (!pays_) continue;
        }
        uint32_t to = 0;
        while (pos != last) {
            to = rows_[row + class_of[uint8_t(s[Forward ? pos : pos - 1])]];
            if (to & special) break;
            row = to, pos = next(pos);
        }
        auto cls = class_of[symbol_at<Forward>(s, pos)];
        to       = rows_[row + cls];
        if (to & unknown) account(), to = transition(row, cls);
        if (to & match) {
            found = pos;
            if (First) break;
        }
        if ((to & dead) || pos == last) break;
        row = to & ~special, pos = next(pos);
    }
    account();
    return found;
}

/// The same without a cache, from the state `from_`, until it is time to try one again.
template<bool Forward, bool First>
std::optional<size_t> LazyCache::run_without(std::string_view s, size_t& pos, size_t last, std::optional<size_t> found) {
    for (;;) {
        bool is_match = subsets_.step(from_, subsets_.class_of[symbol_at<Forward>(s, pos)], to_);
        if (is_match) {
            found = pos;
            if (First) return found;
        }
        if (Subsets::is_dead(to_) || pos == last) return found;
        std::swap(from_, to_);
        pos = Forward ? pos + 1 : pos - 1;
        if (pause_-- == 0) {
            pays_ = true;
            return found;
        }
    }
}

/// Made when it is asked for. If it does not pay to keep the state it leads to, that is `from_`.
uint32_t LazyCache::transition(uint32_t row, uint32_t cls) {
    load(row);
    auto what = subsets_.step(from_, cls, to_) ? uint32_t(match) : 0;
    if (Subsets::is_dead(to_)) return rows_[row + cls] = what | dead;
    cleared_ = false;
    what     = what | find(to_);
    if (!cleared_) rows_[row + cls] = what;
    if (!pays_) std::swap(from_, to_);
    return what;
}

void LazyCache::load(uint32_t row) {
    auto& state = states_[row / subsets_.classes];
    from_.assign(keys_.begin() + std::ptrdiff_t(state.key), keys_.begin() + std::ptrdiff_t(state.key + state.size));
}

/// The row of a state.
uint32_t LazyCache::find(const Subsets::Key& key) {
    auto hash = hash_of(key);
    auto mask = table_.size() - 1;
    for (size_t i = hash & mask; table_[i] != 0; i = (i + 1) & mask) {
        auto& state = states_[table_[i] - 1];
        if (state.hash == hash && std::ranges::equal(key, std::span(keys_).subspan(state.key, state.size)))
            return (table_[i] - 1) * subsets_.classes;
    }
    if (is_full(key.size())) {
        if (read_ < limits_.least * states_.size()) pays_ = false, pause_ = limits_.pause;
        clear();
    }
    return insert(key, hash);
}

bool LazyCache::is_full(size_t key_size) const {
    if (states_.empty()) return false;
    auto more = sizeof(State) + (key_size + subsets_.classes) * sizeof(uint32_t);
    if (2 * (states_.size() + 1) > table_.size()) more += table_.size() * sizeof(uint32_t);
    return states_.size() >= limits_.states || bytes_ + more > limits_.bytes;
}

uint32_t LazyCache::insert(const Subsets::Key& key, uint32_t hash) {
    states_.push_back({keys_.size(), uint32_t(key.size()), hash});
    keys_.insert(keys_.end(), key.begin(), key.end());
    auto row = uint32_t(rows_.size());
    rows_.resize(rows_.size() + subsets_.classes, unknown);
    bytes_ += sizeof(State) + (key.size() + subsets_.classes) * sizeof(uint32_t);
    if (2 * states_.size() > table_.size()) grow();
    else {
        auto mask = table_.size() - 1;
        auto i    = hash & mask;
        while (table_[i] != 0) i = (i + 1) & mask;
        table_[i] = uint32_t(states_.size());
    }
    return row;
}

void LazyCache::grow() {
    bytes_ += table_.size() * sizeof(uint32_t);
    table_.assign(table_.size() * 2, 0);
    auto mask = table_.size() - 1;
    for (uint32_t q = 0; q != states_.size(); ++q) {
        auto i = states_[q].hash & mask;
        while (table_[i] != 0) i = (i + 1) & mask;
        table_[i] = q + 1;
    }
}

void LazyCache::clear() {
    rows_.clear(), keys_.clear(), states_.clear();
    table_.assign(min_table, 0);
    for (auto& starts : starts_) std::ranges::fill(starts, unknown);
    bytes_   = min_table * sizeof(uint32_t);
    read_    = 0;
    cleared_ = true;
    ++clears;
}

std::unique_ptr<LazyCache> LazyCaches::take() {
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto cache = std::move(idle_.back());
            idle_.pop_back();
            return cache;
        }
    }
    return std::make_unique<LazyCache>(nfa_, limits_);
}

void LazyCaches::give(std::unique_ptr<LazyCache> cache) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(cache));
}

} // namespace mim::plug::regex
