// SPDX-License-Identifier: MIT
#include "subsets.h"

#include <algorithm>

namespace mim::plug::regex {

namespace {

enum : uint32_t { at_start, after_line, after_word, after_other };

constexpr size_t enough_steps = 1 << 16; ///< until rows pay
constexpr size_t min_reads    = 4;
constexpr size_t max_rows     = 1 << 20; ///< numbers of all rows

bool is_word(unsigned c) { return (c | 32) - 'a' < 26 || c - '0' < 10 || c == '_'; }

} // namespace

uint32_t kind_before(unsigned c) { return c == '\n' ? after_line : is_word(c) ? after_word : after_other; }

Subsets::Subsets(const Graph& graph)
    : graph_(graph) {
    for (uint32_t n = 0; n != graph_.size; ++n) {
        if (graph_.kind(n) != Graph::Look) continue;
        looks_ = true;
        looks_back_ |= graph_.before(n) != anywhere;
    }
    seen_.resize(graph_.size, 0);
    find_enclosed();
    find_classes();
}

/// The nodes between those that open a language and those that leave it.
void Subsets::find_enclosed() {
    auto put = [&](uint32_t n) {
        if (is_enclosed_.empty()) is_enclosed_.resize(graph_.size, 0);
        if (!std::exchange(is_enclosed_[n], uint8_t(1))) todo_.push(n);
    };
    for (uint32_t n = 0; n != graph_.size; ++n)
        if (graph_.kind(n) == Graph::Open) put(graph_.to(n));
    while (!todo_.empty()) {
        auto n = todo_.pop();
        if (graph_.kind(n) == Graph::Leave) continue;
        put(graph_.to(n));
        if (graph_.kind(n) == Graph::Split) put(graph_.other(n));
    }
}

void Subsets::find_classes() {
    for (size_t i = 0; i != graph_.num_sets; ++i) refine(graph_.sets + i * Graph::set_words);
    uint64_t end[Graph::set_words]{0, 0, 0, 0, 1};
    refine(end);
    if (looks_back_) {
        uint64_t words[Graph::set_words]{}, lines[Graph::set_words]{};
        for (unsigned c = 0; c != 256; ++c) {
            words[c / 64] |= uint64_t(kind_before(c) == after_word) << c % 64;
            lines[c / 64] |= uint64_t(kind_before(c) == after_line) << c % 64;
        }
        refine(words), refine(lines);
    }
    symbols_.resize(classes, 0);
    for (size_t c = 0; c != Graph::symbols; ++c) symbols_[class_of[c]] = c;
}

/// The classes that the set tells apart.
void Subsets::refine(const uint64_t* set) {
    constexpr uint16_t none = Graph::symbols;
    uint16_t numbers[Graph::symbols][2]; // by class, and whether the set has it
    for (size_t i = 0; i != classes; ++i) numbers[i][0] = numbers[i][1] = none;
    classes = 0;
    for (size_t c = 0; c != Graph::symbols; ++c) {
        auto& number = numbers[class_of[c]][set[c / 64] >> c % 64 & 1];
        if (number == none) number = uint16_t(classes++);
        class_of[c] = number;
    }
}

void Subsets::start(unsigned before, bool again, Key& to) const {
    to.clear();
    to.push((looks_back_ ? 1u << before : 0) | (again ? not_empty : 0));
    to.push(0);
}

bool Subsets::close(View key, size_t symbol) {
    reads_.clear(), todo_.clear(), matched_.clear();
    bool match = false;
    before_    = key.begin[0];
    leaves_    = false;
    enclosed_  = 0;
    ++round_;
    for (auto i = key.size; i-- > 1;) todo_.push(key.begin[i]);
    while (!todo_.empty() && !(match && graph_.ordered)) {
        auto n    = todo_.pop();
        auto kind = graph_.kind(n);
        ++work;
        if (kind != Graph::Close && !is_new(n)) continue;
        if (kind == Graph::Match) {
            if (before_ & not_empty) continue;
            match = true;
            matched_.push(graph_.other(n));
        } else if (kind == Graph::Look) {
            bool fits = !looks_back_ || (graph_.before(n) & before_);
            if (fits && graph_.has(graph_.other(n), symbol)) todo_.push(graph_.to(n));
        } else {
            follow(n);
        }
    }
    return match;
}

/// The nodes behind one that asks for no symbol.
void Subsets::follow(uint32_t n) {
    switch (graph_.kind(n)) {
        case Graph::Read:
            reads_.push(n);
            enclosed_ += is_enclosed(n);
            return;
        case Graph::Leave: leaves_ = true; return;
        case Graph::Close: // all ways of the language were tried
            if (std::exchange(enclosed_, 0) != 0) reads_.push(n);
            if (std::exchange(leaves_, false)) todo_.push(graph_.to(n));
            return;
        case Graph::Split:
        case Graph::Open: todo_.push(graph_.other(n)); [[fallthrough]];
        default: todo_.push(graph_.to(n));
    }
}

/// Not of one that a match is reached from, as that is found by other means, nor of few reads, which take no less time.
void Subsets::make_row(uint32_t node) {
    row_of_[node]  = has_none;
    uint32_t key[] = {0, node};
    bool match     = close(View(key, 2), 0);
    auto place     = rows_.size();
    bool is_worth  = !match && reads_.size() >= min_reads && place + classes * (reads_.size() + 1) <= max_rows;
    if (!is_worth) return;
    row_of_[node] = uint32_t(place + 2);
    rows_.resize(place + classes);
    for (uint32_t cls = 0; cls != classes; ++cls) {
        for (auto n : reads_)
            if (symbols_[cls] != Graph::end && graph_.has(graph_.other(n), symbols_[cls])) rows_.push(graph_.to(n));
        rows_[place + cls] = uint32_t(rows_.size());
    }
}

void Subsets::follow_rows(View from, uint32_t cls) {
    rest_.clear();
    rest_.push(from.begin[0]);
    work += from.size;
    for (size_t i = 1; i != from.size; ++i) {
        auto n = from.begin[i];
        if (row_of_[n] == not_asked) make_row(n);
        if (row_of_[n] == has_none) {
            rest_.push(n);
            continue;
        }
        auto place = row_of_[n] - 2;
        auto begin = cls == 0 ? place + classes : rows_[place + cls - 1];
        followers_.append(rows_.begin() + begin, rows_[place + cls] - begin);
    }
}

bool Subsets::step(View from, uint32_t cls, Key& to) {
    auto symbol   = symbols_[cls];
    bool is_plain = !graph_.ordered && !looks_ && is_enclosed_.empty();
    if (is_plain && ++steps_ == enough_steps) row_of_.resize(graph_.size, not_asked);
    followers_.clear();
    if (!row_of_.empty()) follow_rows(from, cls), from = rest_;
    bool match = close(from, symbol);
    for (auto n : reads_) {
        if (graph_.kind(n) == Graph::Close) followers_.push(graph_.other(n));
        else if (symbol != Graph::end && graph_.has(graph_.other(n), symbol)) followers_.push(graph_.to(n));
    }
    work += reads_.size();
    put(followers_, cls, to);
    return match;
}

/// Languages of which no node is left are gone.
void Subsets::put(View followers, uint32_t cls, Key& to) {
    auto symbol = symbols_[cls];
    to.clear();
    to.push(!looks_back_ ? 0 : 1u << (symbol == Graph::end ? uint32_t(after_other) : kind_before(unsigned(symbol))));
    bool is_plain = !graph_.ordered && is_enclosed_.empty();
    if (is_plain) {
        to.append(followers.begin, followers.size);
        sort(to, 1);
        to.resize(size_t(std::unique(to.begin() + 1, to.end()) - to.begin()));
        return;
    }
    ++round_;
    size_t group = 0; // nodes of an enclosed language
    for (size_t i = 0; i != followers.size; ++i) {
        auto n = followers.begin[i];
        if (graph_.kind(n) == Graph::Close) {
            if (group == 0) continue;
            sort(to, to.size() - group);
            to.push(n);
            group = 0;
        } else if (is_new(n)) {
            to.push(n);
            group += is_enclosed(n);
        }
    }
    if (!graph_.ordered) sort(to, 1);
}

void Subsets::sort(Key& key, size_t from) const { std::sort(key.begin() + from, key.end()); }

} // namespace mim::plug::regex
