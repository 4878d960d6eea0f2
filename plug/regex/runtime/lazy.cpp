// SPDX-License-Identifier: MIT
#include "lazy.h"

namespace mim::plug::regex {

namespace {

uint32_t hash_of(const Subsets::Key& key) {
    uint64_t hash = key.size();
    for (auto n : key) hash = (hash ^ n) * 0x9e3779b97f4a7c15, hash ^= hash >> 29;
    return uint32_t(hash ^ hash >> 32);
}

unsigned char_at(Subject s, size_t pos) { return uint8_t(s.text[pos]); }

/// The kind of text before a position.
unsigned before(Subject s, size_t pos) { return pos == 0 ? 0 : kind_before(char_at(s, pos - 1)); }
/// The same of who reads backwards.
unsigned before_backwards(Subject s, size_t pos) { return pos == s.size ? 0 : kind_before(char_at(s, pos)); }

template<bool Forward>
size_t symbol_at(Subject s, size_t pos) {
    if constexpr (Forward) return pos == s.size ? Graph::end : char_at(s, pos);
    else return pos == 0 ? Graph::end : char_at(s, pos - 1);
}

constexpr size_t min_table = 64;

// Places that are skipped on average, of so many times; fewer do not pay.
constexpr size_t enough_skips = 64, least_skip = 40;

// The same of characters that do not leave a state.
constexpr size_t enough_passes = 256, least_pass = 8;

constexpr size_t max_loops      = 8;       // at a time
constexpr size_t max_considered = 64;      // in the life of an automaton
constexpr size_t max_loop_work  = 1 << 13; // nodes of a state times classes

/// The look that accepts these characters; false if it would take more than eight groups.
bool make_look(const bool (&set)[256], Places::Look& look) {
    look = {};
    uint16_t groups[8];
    size_t count = 0;
    for (unsigned high = 0; high != 16; ++high) {
        uint16_t lows = 0;
        for (unsigned low = 0; low != 16; ++low) lows = uint16_t(lows | set[16 * high + low] << low);
        if (lows == 0) continue;
        size_t g = 0;
        while (g != count && groups[g] != lows) ++g;
        if (g == 8) return false;
        if (g == count) groups[count++] = lows;
        look.high[high] = uint8_t(1u << g);
        for (unsigned low = 0; low != 16; ++low)
            if (lows >> low & 1) look.low[low] |= uint8_t(1u << g);
    }
    return true;
}

} // namespace

Lazy::Lazy(const Graph& graph, const LazyLimits& limits, const Places* places)
    : subsets_(graph)
    , places_(places)
    , limits_(limits) {
    clear();
    clears = 0;
}

size_t Lazy::end(Subject s, size_t pos, bool after_empty) {
    if (places_ && !after_empty) pos = skip(s, pos);
    return run<true, false>(s, pos, s.size, start_row(before(s, pos), after_empty));
}

size_t Lazy::first_end(Subject s, size_t pos) {
    if (places_) pos = skip(s, pos);
    return run<true, true>(s, pos, s.size, start_row(before(s, pos), false));
}

size_t Lazy::begin(Subject s, size_t from, size_t to) {
    auto begin = run<false, false>(s, to, from, start_row(before_backwards(s, to), false));
    return begin == nowhere ? to : begin;
}

/// The row of a state in which matches begin, or nothing if it does not pay to have rows; then it is `from_`.
uint32_t Lazy::start_row(unsigned before, bool again) {
    auto& row = starts_[again][before];
    if (pays_ && row != unknown) return row;
    subsets_.start(before, again, from_);
    return pays_ ? row = find(from_) : 0;
}

/// From `pos` to `last`: the last place of a match, or the first one.
template<bool Forward, bool First>
size_t Lazy::run(Subject s, size_t pos, size_t last, uint32_t row) {
    auto found     = nowhere;
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
        auto rows   = rows_.begin();
        while (pos != last) {
            to = rows[row + class_of[char_at(s, Forward ? pos : pos - 1)]];
            if (to & special) break;
            row = to, pos = next(pos);
        }
        auto cls = class_of[symbol_at<Forward>(s, pos)];
        to       = rows[row + cls];
        if (to & unknown) {
            account(), to = transition(row, cls);
            if (Forward && to == row && pays_ && !cleared_) consider_loop(row);
        }
        if (Forward && (to & loop)) {
            pos = pass(s, pos + 1, row);
            continue;
        }
        if (to & match) {
            found = pos;
            if (First) break;
        }
        if ((to & dead) || pos == last) break;
        row = to & ~special, pos = next(pos);
        if (to & idle) {
            account();
            since = pos = skip(s, pos);
            row         = start_row(before(s, pos), false);
        }
    }
    account();
    return found;
}

/// The same without a cache, from the state `from_`, until it is time to try one again.
template<bool Forward, bool First>
size_t Lazy::run_without(Subject s, size_t& pos, size_t last, size_t found) {
    for (;;) {
        bool is_match = subsets_.step(from_, subsets_.class_of[symbol_at<Forward>(s, pos)], to_);
        if (is_match) {
            found = pos;
            if (First) return found;
        }
        if (Subsets::is_dead(to_) || pos == last) return found;
        from_.swap(to_);
        pos = Forward ? pos + 1 : pos - 1;
        if (pause_-- == 0) {
            pays_ = true;
            return found;
        }
    }
}

/// The next place where a match may begin. That nothing is skipped at the end of a text says nothing.
size_t Lazy::skip(Subject s, size_t pos) {
    auto place = places_->find(s.text, s.size, pos);
    if (place + places_->reach > s.size) return place;
    skipped_ += place - pos;
    if (++skips_ < enough_skips) return place;
    if (skipped_ < least_skip * skips_) {
        places_ = nullptr;
        clear(); // no state is idle
    }
    skips_ = skipped_ = 0;
    return place;
}

/// The state in this row is not left by one character. Asks which ones leave it, if that is soon told.
void Lazy::consider_loop(uint32_t row) {
    if (loops_.size() == max_loops || considered_ == max_considered) return;
    load(row);
    if (from_.size() * subsets_.classes > max_loop_work) return;
    ++considered_;
    bool is_left[Graph::symbols]{}; // by class
    for (uint32_t cls = 0; cls != subsets_.classes; ++cls) {
        bool is_match = subsets_.step(from_, cls, to_);
        is_left[cls]  = is_match || !is(states_[row / subsets_.classes], to_);
    }
    is_left[subsets_.class_of[Graph::end]] = true;
    bool leaves[256];
    for (size_t c = 0; c != 256; ++c) leaves[c] = is_left[subsets_.class_of[c]];
    Loop made{row, 0, 0, {}};
    if (!make_look(leaves, made.leaving)) return;
    for (uint32_t cls = 0; cls != subsets_.classes; ++cls)
        if (!is_left[cls]) rows_[row + cls] = row | loop;
    loops_.push(made);
}

/// The first place from there on where the state in this row may be left.
size_t Lazy::pass(Subject s, size_t pos, uint32_t row) {
    auto which = loops_.begin();
    while (which->row != row) ++which;
    auto place = find_one(which->leaving, s.text, s.size, pos);
    passed_ += place - pos;
    which->passed += place - pos;
    if (++which->times < enough_passes) return place;
    bool pays    = which->passed >= least_pass * which->times;
    which->times = which->passed = 0;
    if (!pays) {
        for (uint32_t cls = 0; cls != subsets_.classes; ++cls) rows_[row + cls] &= ~uint32_t(loop);
        *which = loops_.pop();
    }
    return place;
}

/// Made when it is asked for. If it does not pay to keep the state it leads to, that is `from_`.
uint32_t Lazy::transition(uint32_t row, uint32_t cls) {
    load(row);
    auto what = subsets_.step(from_, cls, to_) ? uint32_t(match) : 0;
    if (Subsets::is_dead(to_)) return rows_[row + cls] = what | dead;
    cleared_ = false;
    what     = what | find(to_);
    if (places_ && Subsets::is_start(to_)) what |= idle;
    if (!cleared_) rows_[row + cls] = what;
    if (!pays_) from_.swap(to_);
    return what;
}

void Lazy::load(uint32_t row) {
    auto& state = states_[row / subsets_.classes];
    from_.clear();
    from_.append(keys_.begin() + state.key, state.size);
}

bool Lazy::is(const State& state, const Subsets::Key& key) const {
    return state.size == key.size() && std::memcmp(key.begin(), keys_.begin() + state.key, key.size() * sizeof(uint32_t)) == 0;
}

/// The row of a state.
uint32_t Lazy::find(const Subsets::Key& key) {
    auto hash = hash_of(key);
    auto mask = table_.size() - 1;
    for (size_t i = hash & mask; table_[i] != 0; i = (i + 1) & mask) {
        auto& state = states_[table_[i] - 1];
        if (state.hash == hash && is(state, key)) return (table_[i] - 1) * subsets_.classes;
    }
    if (is_full(key.size())) {
        if (read_ < limits_.least * states_.size()) pays_ = false, pause_ = limits_.pause;
        clear();
    }
    return insert(key, hash);
}

bool Lazy::is_full(size_t key_size) const {
    if (states_.empty()) return false;
    auto more = sizeof(State) + (key_size + subsets_.classes) * sizeof(uint32_t);
    if (2 * (states_.size() + 1) > table_.size()) more += table_.size() * sizeof(uint32_t);
    return states_.size() >= limits_.states || bytes_ + more > limits_.bytes;
}

uint32_t Lazy::insert(const Subsets::Key& key, uint32_t hash) {
    states_.push({keys_.size(), uint32_t(key.size()), hash});
    keys_.append(key.begin(), key.size());
    auto row = uint32_t(rows_.size());
    rows_.resize(rows_.size() + subsets_.classes, unknown);
    bytes_ += sizeof(State) + (key.size() + subsets_.classes) * sizeof(uint32_t);
    if (2 * states_.size() > table_.size()) grow();
    else enter(uint32_t(states_.size() - 1));
    return row;
}

/// Puts a state into the table.
void Lazy::enter(uint32_t state) {
    auto mask = table_.size() - 1;
    auto i    = states_[state].hash & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = state + 1;
}

void Lazy::grow() {
    bytes_ += table_.size() * sizeof(uint32_t);
    table_.fill(table_.size() * 2, 0);
    for (uint32_t q = 0; q != states_.size(); ++q) enter(q);
}

void Lazy::clear() {
    rows_.clear(), keys_.clear(), states_.clear(), loops_.clear();
    table_.fill(min_table, 0);
    for (auto& starts : starts_)
        for (auto& row : starts) row = unknown;
    bytes_ = min_table * sizeof(uint32_t);
    read_ = passed_ = 0;
    cleared_        = true;
    ++clears;
}

} // namespace mim::plug::regex
