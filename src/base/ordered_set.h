// SPDX-License-Identifier: MIT
// A set that remembers in which order its elements came, so that going through it does not depend on addresses. A few elements are
// searched one after the other and need no memory of their own. Nothing is removed but everything.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "base/small_vector.h"

namespace mim {

/// Hash: T → size_t, good in its upper bits of 64.
template<class T, class Hash, size_t Few = 8>
class OrderedSet {
public:
    static constexpr size_t None = ~size_t(0);

    /// Whether it is new.
    bool insert(T value) { return add(value).second; }
    /// Its position, and whether it is new.
    std::pair<size_t, bool> add(T value) {
        if (auto i = index(value); i != None) return {i, false};
        values_.push_back(value);
        if (values_.size() > Few) file();
        return {values_.size() - 1, true};
    }
    /// Its position, or None.
    size_t index(T value) const {
        if (slots_.empty()) {
            for (size_t i = 0; i != values_.size(); ++i)
                if (values_[i] == value) return i;
            return None;
        }
        for (auto slot = home(value); slots_[slot]; slot = (slot + 1) & (slots_.size() - 1))
            if (values_[slots_[slot] - 1] == value) return slots_[slot] - 1;
        return None;
    }
    bool contains(T value) const { return index(value) != None; }
    size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    void clear() { values_ = {}, slots_ = {}; }
    const T& operator[](size_t i) const { return values_[i]; }
    const T* begin() const { return values_.begin(); }
    const T* end() const { return values_.end(); }

private:
    size_t home(T value) const { return Hash()(value) * 0x9e3779b97f4a7c15ull >> 32 & (slots_.size() - 1); }
    void file(size_t i) {
        auto slot = home(values_[i]);
        while (slots_[slot]) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<uint32_t>(i + 1);
    }
    /// Files the last value: at most half of the slots are taken.
    void file() {
        if (2 * values_.size() <= slots_.size()) return file(values_.size() - 1);
        slots_.assign(slots_.empty() ? 4 * Few : 2 * slots_.size(), 0);
        for (size_t i = 0; i != values_.size(); ++i) file(i);
    }

    SmallVector<T, Few> values_;
    std::vector<uint32_t> slots_; ///< positions in values_ plus one; a power of two, or none
};

} // namespace mim
