// SPDX-License-Identifier: MIT
// A side table of nodes: open addressing by id, since rewriting asks such tables for every function that it copies. Nodes never go, so
// nothing is ever removed.
#pragma once
#include <utility>
#include <vector>

#include "ir/def.h"

namespace mim {

template<class T>
class IdTable {
public:
    /// Null if there is none; valid until the next put.
    const T* find(const Def* def) const {
        auto& s = slot(def->id());
        return s.id ? &s.value : nullptr;
    }
    /// Replaces what was there.
    void put(const Def* def, T value) {
        if ((size_ + 1) * 4 > slots_.size() * 3) grow();
        auto& s = slot(def->id());
        size_ += s.id == 0;
        s = {def->id(), std::move(value)};
    }

private:
    struct Slot {
        uint32_t id = 0;
        T value     = {};
    };
    Slot& slot(uint32_t id) {
        auto mask = slots_.size() - 1;
        size_t i  = (id * 0x9e3779b1u) >> 7 & mask;
        while (slots_[i].id && slots_[i].id != id) i = (i + 1) & mask;
        return slots_[i];
    }
    const Slot& slot(uint32_t id) const { return const_cast<IdTable*>(this)->slot(id); }
    void grow() {
        auto old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
        for (auto& s : old)
            if (s.id) slot(s.id) = std::move(s);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    size_t size_             = 0;
};

} // namespace mim
