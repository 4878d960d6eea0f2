// SPDX-License-Identifier: MIT
#include "regex/host/lazy_set.h"

#include <algorithm>
#include <utility>

namespace mim::plug::regex {

std::vector<size_t> Hits::numbers() const {
    std::vector<size_t> result;
    for (size_t i = 0; i != has_.size(); ++i)
        if (has_[i]) result.push_back(i);
    return result;
}

void LazySet::search(Subject s, Hits& hits, bool is_enough) {
    if (++round_ == 0) clear(), forget(), round_ = 1; // rounds were used up
    auto is_done = [&] { return hits.is_full() || (is_enough && !hits.is_empty()); };
    auto row     = start_row(0, false);
    auto since   = size_t(0); // characters from there on are not in read_ yet
    for (size_t pos = 0;; ++pos) {
        if (!pays_) {
            if (!step(class_at(s, pos), hits) || pos == s.size || is_done()) return;
            if (pause_-- == 0) pays_ = true, row = find(from_), since = pos + 1;
            continue;
        }
        pos      = skip_plain(s, pos, row);
        auto cls = class_at(s, pos);
        auto to  = rows_[row + cls];
        if (to & unknown) {
            read_ += pos - since;
            since = pos;
            to    = add_transition(row, cls, hits);
        } else if (to & match) {
            add_list(lists_of_[row + cls], hits);
        }
        if ((to & dead) || pos == s.size || is_done()) break;
        row = to & ~special;
    }
    read_ += s.size - since;
}

uint32_t LazySet::class_at(Subject s, size_t pos) const {
    return subsets_.class_of[pos == s.size ? size_t(Graph::end) : uint8_t(s.text[pos])];
}

/// The place of the first transition that says more than which row follows, and its row.
size_t LazySet::skip_plain(Subject s, size_t pos, uint32_t& row) const {
    auto rows      = rows_.begin();
    auto& class_of = subsets_.class_of;
    auto at        = row;
    for (; pos != s.size; ++pos) {
        auto to = rows[at + class_of[uint8_t(s.text[pos])]];
        if (to & special) break;
        at = to;
    }
    row = at;
    return pos;
}

/// One that was not made yet.
uint32_t LazySet::add_transition(uint32_t row, uint32_t cls, Hits& hits) {
    auto to = transition(row, cls);
    if (clears != cleared_before_) forget();
    if (!(to & match)) return to;
    for (auto pattern : subsets_.matched()) hits.add(pattern);
    bool is_kept = (to & dead) || !cleared_; // the row is there still
    if (is_kept) note(row + cls);
    return to;
}

/// From `from_` without a cache. Whether there is another state.
bool LazySet::step(uint32_t cls, Hits& hits) {
    if (subsets_.step(from_, cls, to_))
        for (auto pattern : subsets_.matched()) hits.add(pattern);
    if (Subsets::is_dead(to_)) return false;
    from_.swap(to_);
    return true;
}

/// The list of a cell of which the patterns are known by now.
void LazySet::note(size_t cell) {
    auto before = lists_of_.size();
    lists_of_.resize(std::max(before, rows_.size()), 0);
    auto& matched   = subsets_.matched();
    lists_of_[cell] = uint32_t(lists_.size());
    lists_.push(round_), lists_.push(uint32_t(matched.size()));
    lists_.append(matched.begin(), matched.size());
    bytes_ += (lists_of_.size() - before + matched.size() + 2) * sizeof(uint32_t);
}

/// Once in a search.
void LazySet::add_list(uint32_t list, Hits& hits) {
    if (std::exchange(lists_[list], round_) == round_) return;
    for (uint32_t i = 0; i != lists_[list + 1]; ++i) hits.add(lists_[list + 2 + i]);
}

/// The rows are others now.
void LazySet::forget() {
    lists_of_.clear(), lists_.clear();
    cleared_before_ = clears;
}

} // namespace mim::plug::regex
