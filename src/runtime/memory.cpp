// SPDX-License-Identifier: MIT
// A byte of state for each byte, in pages that a hash table finds. A page of an older epoch is all unknown, so that forgetting
// everything costs nothing.
#include "runtime/memory.h"

#include <cstdlib>
#include <cstring>

namespace {

enum State : uint8_t {
    Unknown = 0,
    Live    = 1,
    Written = 2,
    Freed   = 4,
    Heap    = 8,
    First   = 16, ///< of its allocation
};

constexpr uint64_t page_bytes = 4096;
/// Of an allocation that is larger, nothing is known.
constexpr uint64_t max_tracked = uint64_t(16) << 20;

struct Page {
    uint64_t number = 0, epoch = 0;
    uint8_t state[page_bytes];
};

class Shadow {
public:
    void forget() { ++epoch_; }

    uint8_t at(uint64_t address) {
        auto page = find(address / page_bytes);
        return page ? page->state[address % page_bytes] : uint8_t(Unknown);
    }

    /// Calls f(states, how many) for the known parts of [begin, begin + bytes). With `make`, all of it is known afterwards.
    template<class F>
    void each(uint64_t begin, uint64_t bytes, bool make, F f) {
        while (bytes != 0) {
            auto offset = begin % page_bytes, n = page_bytes - offset < bytes ? page_bytes - offset : bytes;
            auto page = find(begin / page_bytes);
            if (!page && make) page = insert(begin / page_bytes);
            if (page) f(page->state + offset, n);
            begin += n, bytes -= n;
        }
    }

private:
    Page*& slot(uint64_t number) {
        auto i = (number * 0x9e3779b97f4a7c15) >> 20 & (capacity_ - 1);
        while (pages_[i] && pages_[i]->number != number) i = (i + 1) & (capacity_ - 1);
        return pages_[i];
    }

    Page* find(uint64_t number) {
        auto page = capacity_ ? slot(number) : nullptr;
        return page && page->epoch == epoch_ ? page : nullptr;
    }

    /// Null if there is no memory for it.
    Page* insert(uint64_t number) {
        if ((size_ + 1) * 2 > capacity_ && !grow()) return nullptr;
        auto& page = slot(number);
        if (!page) {
            page = static_cast<Page*>(malloc(sizeof(Page)));
            if (!page) return nullptr;
            ++size_;
        }
        page->number = number, page->epoch = epoch_;
        memset(page->state, Unknown, page_bytes);
        return page;
    }

    bool grow() {
        auto old      = pages_;
        auto old_size = capacity_;
        auto wanted   = capacity_ ? capacity_ * 2 : 64;
        auto table    = static_cast<Page**>(calloc(wanted, sizeof(Page*)));
        if (!table) return false;
        pages_ = table, capacity_ = wanted;
        for (uint64_t i = 0; i != old_size; ++i)
            if (old[i]) slot(old[i]->number) = old[i];
        free(old);
        return true;
    }

    Page** pages_      = nullptr;
    uint64_t capacity_ = 0, size_ = 0, epoch_ = 1;
};

/// Nothing is freed at the thread's end: that would need the C++ library.
thread_local constinit Shadow shadow;

uint64_t address_of(const void* p) { return reinterpret_cast<uint64_t>(p); }

void begin(const void* p, uint64_t bytes, uint8_t state) {
    auto& s = shadow;
    if (!p || bytes == 0) return;
    if (bytes > max_tracked) return s.each(address_of(p), bytes, false, [](uint8_t* at, uint64_t n) { memset(at, Unknown, n); });
    s.each(address_of(p), bytes, true, [&](uint8_t* at, uint64_t n) { memset(at, state, n); });
    s.each(address_of(p), 1, true, [&](uint8_t* at, uint64_t) { *at |= First; });
}

/// The first byte says whether the memory is known; the others must belong to the same allocation.
int32_t access(const void* p, uint64_t bytes) {
    if (address_of(p) < page_bytes && bytes != 0) return mim_memory_null;
    auto& s    = shadow;
    auto first = bytes ? s.at(address_of(p)) : uint8_t(Unknown);
    if (first == Unknown) return mim_memory_ok;
    if (first & Freed) return mim_memory_freed;
    bool whole    = true;
    uint64_t seen = 0;
    s.each(address_of(p), bytes, false, [&](uint8_t* at, uint64_t n) {
        for (uint64_t i = 0; i != n; ++i) {
            bool is_first = seen++ == 0;
            if (!(at[i] & Live) || (!is_first && at[i] & First)) whole = false;
        }
    });
    return whole && seen == bytes ? mim_memory_ok : mim_memory_past_end;
}

} // namespace

extern "C" {

void mim_memory_heap(const void* p, uint64_t bytes) { begin(p, bytes, Live | Heap); }
void mim_memory_slot(const void* p, uint64_t bytes) { begin(p, bytes, Live); }
void mim_memory_unknown() { shadow.forget(); }
int32_t mim_memory_access(const void* p, uint64_t bytes) { return access(p, bytes); }

int32_t mim_memory_read(const void* p, uint64_t bytes) {
    auto fault = access(p, bytes);
    if (fault || shadow.at(address_of(p)) == Unknown) return fault;
    shadow.each(address_of(p), bytes, false, [&](uint8_t* at, uint64_t n) {
        for (uint64_t i = 0; i != n; ++i)
            if (!(at[i] & Written)) fault = mim_memory_uninitialised;
    });
    return fault;
}

int32_t mim_memory_write(const void* p, uint64_t bytes) {
    auto fault = access(p, bytes);
    if (fault) return fault;
    shadow.each(address_of(p), bytes, false, [](uint8_t* at, uint64_t n) {
        for (uint64_t i = 0; i != n; ++i)
            if (at[i] & Live) at[i] |= Written;
    });
    return fault;
}

int32_t mim_memory_free(const void* p) {
    auto& s    = shadow;
    auto first = p ? s.at(address_of(p)) : uint8_t(Unknown);
    if (first == Unknown) return mim_memory_ok;
    if (first & Freed) return mim_memory_freed_twice;
    if (!(first & Heap)) return mim_memory_not_from_heap;
    if (!(first & First)) return mim_memory_in_the_middle;
    for (auto a = address_of(p);; ++a) {
        auto state = s.at(a);
        if (!(state & Live) || !(state & Heap) || (a != address_of(p) && state & First)) break;
        s.each(a, 1, false, [](uint8_t* at, uint64_t) { *at = Freed; });
    }
    return mim_memory_ok;
}
}
