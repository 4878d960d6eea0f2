// SPDX-License-Identifier: MIT
// A map from nodes to nodes that costs little to make and to fill: what substitutions and rewrites remember.
#pragma once
#include <utility>
#include <vector>

#include "ir/def.h"

namespace mim {

/// Node → node; open addressing; empty until first used.
class DefMap {
public:
    const Def* find(const Def* k) const {
        if (slots_.empty()) return nullptr;
        for (size_t i = hash(k) & mask();; i = (i + 1) & mask()) {
            if (slots_[i].first == k) return slots_[i].second;
            if (!slots_[i].first) return nullptr;
        }
    }
    void put(const Def* k, const Def* v) {
        if ((size_ + 1) * 2 > slots_.size()) grow();
        for (size_t i = hash(k) & mask();; i = (i + 1) & mask()) {
            if (slots_[i].first == k) return void(slots_[i].second = v);
            if (!slots_[i].first) return ++size_, void(slots_[i] = {k, v});
        }
    }
    void clear() { slots_.clear(), size_ = 0; }

private:
    static size_t hash(const Def* d) { return (d->id() * 0x9e3779b1u) >> 7; }
    size_t mask() const { return slots_.size() - 1; }
    void grow() {
        auto old = std::move(slots_);
        slots_.assign(old.empty() ? 16 : old.size() * 2, {nullptr, nullptr});
        size_ = 0;
        for (auto [k, v] : old)
            if (k) put(k, v);
    }
    std::vector<std::pair<const Def*, const Def*>> slots_;
    size_t size_ = 0;
};

} // namespace mim
