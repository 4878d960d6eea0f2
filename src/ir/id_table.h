// SPDX-License-Identifier: MIT
// A side table of nodes. Ids grow as nodes are made, and what belongs together is made together: a page holds the values of 64 ids in
// a row, packed, with a bit for each id that has one. So a value costs little more than itself, and a large table does not double.
// Nodes never go, so nothing is ever removed.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ir/def.h"

namespace mim {

template<class T>
class IdTable {
public:
    /// Null if there is none; valid until the next put.
    const T* find(const Def* def) const {
        auto chapter = def->id() / (64 * Pages);
        if (chapter >= chapters_.size() || !chapters_[chapter]) return nullptr;
        auto& page = chapters_[chapter][def->id() / 64 % Pages];
        return page.present & bit(def) ? &page.values[page.rank(bit(def))] : nullptr;
    }
    /// Made if there is none; valid until the next one is made.
    T& at(const Def* def) {
        auto chapter = def->id() / (64 * Pages);
        if (chapter >= chapters_.size()) chapters_.resize(chapter + 1);
        if (!chapters_[chapter]) chapters_[chapter] = std::make_unique<Page[]>(Pages);
        auto& page = chapters_[chapter][def->id() / 64 % Pages];
        if (!(page.present & bit(def))) page.insert(bit(def));
        return page.values[page.rank(bit(def))];
    }
    /// Replaces what was there.
    void put(const Def* def, T value) { at(def) = std::move(value); }

private:
    struct Page {
        uint64_t present = 0;
        std::unique_ptr<T[]> values; ///< room for a multiple of Step

        size_t size() const { return count(present); }
        size_t rank(uint64_t bit) const { return count(present & (bit - 1)); }
        void insert(uint64_t bit) {
            auto n = size(), i = rank(bit);
            auto old = values.get();
            if (n % Step == 0) {
                auto bigger = std::make_unique<T[]>(n + Step);
                std::move(old, old + i, bigger.get());
                std::move(old + i, old + n, bigger.get() + i + 1);
                values = std::move(bigger);
            } else {
                std::move_backward(old + i, old + n, old + n + 1);
                old[i] = T();
            }
            present |= bit;
        }
    };
    static constexpr size_t Step = 4;

    /// The bits that are set, by sums in parallel: on the baseline x86-64, std::popcount is a call.
    static size_t count(uint64_t bits) {
        bits -= bits >> 1 & 0x5555555555555555ull;
        bits = (bits & 0x3333333333333333ull) + (bits >> 2 & 0x3333333333333333ull);
        return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56;
    }

    static constexpr size_t Pages = 64; ///< of a chapter
    static uint64_t bit(const Def* def) { return uint64_t(1) << def->id() % 64; }

    std::vector<std::unique_ptr<Page[]>> chapters_; ///< those that have a value: a table of a few late nodes is small
};

} // namespace mim
