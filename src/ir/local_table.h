// SPDX-License-Identifier: MIT
// A hash table that stays in the cache. Most of what is asked for mentions a node that was made a moment ago; so an entry is filed
// under the newest node that it mentions, and each 64 ids in a row have a small table of their own. Growing moves 64 nodes' entries at
// a time: no large table is copied while the old one lives. Many entries under one old node (literals under their type) are a large
// table like any other. Nothing is ever removed.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace mim {

/// Slot: empty (false) unless it is made of an entry; `hash()` of an entry.
template<class Slot>
class LocalTable {
public:
    /// The entry under this id and hash that `is_it` says yes to, or null; valid until the next insert.
    template<class F>
    [[gnu::always_inline]] Slot* find(uint32_t newest, uint32_t hash, F is_it) {
        auto place = newest / Ids;
        if (place >= parts_.size() || parts_[place].size == 0) return nullptr;
        auto& part = parts_[place];
        auto first = part.slots.get(), end = first + part.capacity;
        for (auto slot = first + part.home(hash); *slot;) {
            if (is_it(*slot)) return slot;
            if (++slot == end) slot = first;
        }
        return nullptr;
    }
    /// Adds an entry that is not there.
    void insert(uint32_t newest, Slot slot) {
        if (newest / Ids >= parts_.size()) parts_.resize(newest / Ids + 1);
        auto& part = parts_[newest / Ids];
        if ((part.size + 1) * 4 > part.capacity * 3) part.grow();
        part.place(slot);
        ++part.size;
        ++size_;
    }
    size_t size() const { return size_; }
    void clear() { parts_.clear(), size_ = 0; }

private:
    static constexpr uint32_t Ids = 64;
    struct Part {
        std::unique_ptr<Slot[]> slots;
        uint32_t size = 0, capacity = 0;

        uint32_t home(uint32_t hash) const { return static_cast<uint32_t>(uint64_t(hash) * capacity >> 32); }
        uint32_t next(uint32_t i) const { return i + 1 == capacity ? 0 : i + 1; }
        void place(Slot slot) {
            auto i = home(slot.hash());
            while (slots[i]) i = next(i);
            slots[i] = slot;
        }
        void grow() {
            auto n   = std::exchange(capacity, capacity == 0 ? 6 : capacity < Ids ? 2 * capacity : capacity + capacity / 2);
            auto old = std::exchange(slots, std::make_unique<Slot[]>(capacity));
            for (uint32_t i = 0; i < n; ++i)
                if (old[i]) place(old[i]);
        }
    };

    std::vector<Part> parts_;
    size_t size_ = 0;
};

} // namespace mim
