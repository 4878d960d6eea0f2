// SPDX-License-Identifier: MIT
// A side table of nodes. Ids grow as nodes are made, and what belongs together is made together: a page holds the values of 64 ids in
// a row, packed, with a bit for each id that has one. So a value costs little more than itself, and a large table does not double.
// Nodes never go, so nothing is ever removed.
#pragma once
#include <algorithm>
#include <bit>
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
        auto [page, bit] = place(def);
        if (page >= pages_.size() || !(pages_[page].present & bit)) return nullptr;
        return &pages_[page].values[pages_[page].rank(bit)];
    }
    /// Made if there is none; valid until the next one is made.
    T& at(const Def* def) {
        auto [page, bit] = place(def);
        if (page >= pages_.size()) pages_.resize(page + 1);
        auto& p = pages_[page];
        if (!(p.present & bit)) p.insert(bit);
        return p.values[p.rank(bit)];
    }
    /// Replaces what was there.
    void put(const Def* def, T value) { at(def) = std::move(value); }

private:
    struct Page {
        uint64_t present = 0;
        std::unique_ptr<T[]> values; ///< room for a multiple of Step

        size_t size() const { return static_cast<size_t>(std::popcount(present)); }
        size_t rank(uint64_t bit) const { return static_cast<size_t>(std::popcount(present & (bit - 1))); }
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

    static std::pair<size_t, uint64_t> place(const Def* def) { return {def->id() / 64, uint64_t(1) << def->id() % 64}; }

    std::vector<Page> pages_;
};

} // namespace mim
