// SPDX-License-Identifier: MIT
// A byte of state for each byte, in pages that a hash table finds. A page of an older epoch is all unknown, so that forgetting
// everything costs nothing.
#include "runtime/memory.h"

#include <cstdlib>
#include <cstring>

namespace {

enum State : uint8_t {
    Unknown  = 0,
    Live     = 1,
    Written  = 2,
    Freed    = 4,
    Heap     = 8,
    First    = 16, ///< of its allocation
    Slot     = 32, ///< from here, so nobody else ends its life
    Returned = 64,
};

constexpr uint64_t page_bytes = 4096;
/// Allocations begin at multiples of it: glibc aligns to 16 bytes, jemalloc and tcmalloc align small allocations to 8 only.
constexpr uint64_t granule = 8;
/// Of an allocation that is larger, nothing is known.
constexpr uint64_t max_tracked = uint64_t(16) << 20;
/// No address of a program has this bit.
constexpr uint64_t past_end = uint64_t(1) << 62;

struct Page {
    uint64_t number = 0, epoch = 0;
    uint8_t state[page_bytes];
    uint64_t ends[page_bytes / granule]; ///< by where they begin: the ends of allocations; 0: none begins there
    uint64_t first_end;                  ///< of what the page begins with, if that begins before it

    void clear() {
        memset(state, Unknown, sizeof state);
        memset(ends, 0, sizeof ends);
        first_end = 0;
    }

    /// Others were at work.
    void forget() {
        for (auto& s : state) s = s & Slot ? (s & Live ? s | Written : s) : uint8_t(Unknown);
        for (uint64_t i = 0; i != page_bytes / granule; ++i)
            if (!(state[i * granule] & Slot)) ends[i] = 0;
        if (!(state[0] & Slot)) first_end = 0;
    }

    /// The end of the last allocation that begins at this offset or before it; 0 if it is not known.
    uint64_t last_end(uint64_t offset) const {
        for (auto i = offset / granule + 1; i-- != 0;)
            if (ends[i]) return ends[i];
        return first_end;
    }
};

class Shadow {
public:
    void forget() { ++epoch_; }

    /// The end of the allocation that a known byte belongs to; 0 if it is not known.
    uint64_t end_of(uint64_t address) {
        auto page = find(address / page_bytes);
        auto end  = page ? page->last_end(address % page_bytes) : 0;
        return end > address ? end : 0; // else the allocation of this byte begins between two granules
    }

    /// From now on, [begin, end) is an allocation.
    void bound(uint64_t begin, uint64_t end) {
        if (auto page = find(begin / page_bytes); page && begin % granule == 0) page->ends[begin % page_bytes / granule] = end;
        for (auto number = begin / page_bytes + 1; number <= (end - 1) / page_bytes; ++number)
            if (auto page = find(number)) page->first_end = end;
    }

    void unbound(uint64_t begin, uint64_t end) {
        for (auto number = begin / page_bytes; number <= (end - 1) / page_bytes; ++number) {
            auto page = find(number);
            if (!page) continue;
            auto from = number == begin / page_bytes ? begin % page_bytes : 0;
            auto to   = number == (end - 1) / page_bytes ? (end - 1) % page_bytes + 1 : page_bytes;
            if (from == 0) page->first_end = 0;
            for (auto i = (from + granule - 1) / granule; i * granule < to; ++i) page->ends[i] = 0;
        }
    }

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
        if (page && page->epoch != epoch_) page->forget(), page->epoch = epoch_;
        return page;
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
        page->clear();
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
    auto first = address_of(p), end = first + bytes;
    s.unbound(first, end);
    if (bytes > max_tracked) return s.each(first, bytes, false, [](uint8_t* at, uint64_t n) { memset(at, Unknown, n); });
    s.each(first, bytes, true, [&](uint8_t* at, uint64_t n) { memset(at, state, n); });
    s.each(first, 1, true, [&](uint8_t* at, uint64_t) { *at |= First; });
    s.bound(first, end);
}

void end(const void* p, uint64_t bytes, uint8_t state) {
    shadow.each(address_of(p), bytes, true, [&](uint8_t* at, uint64_t n) { memset(at, state, n); });
}

/// Memory of slots whose functions have returned, the oldest first: it waits before it is given back, so that pointers into it are noticed.
class Waiting {
public:
    void add(void* p, uint64_t bytes) {
        if (!entries_) entries_ = static_cast<Entry*>(malloc(capacity * sizeof(Entry)));
        if (!entries_) return; // never given back
        while (size_ == capacity || (size_ != 0 && bytes_ + bytes > max_bytes)) give_back();
        entries_[(first_ + size_++) % capacity] = {p, bytes};
        bytes_ += bytes;
    }

private:
    struct Entry {
        void* memory;
        uint64_t bytes;
    };

    void give_back() {
        auto [memory, bytes] = entries_[first_];
        first_               = (first_ + 1) % capacity;
        --size_, bytes_ -= bytes;
        shadow.unbound(address_of(memory), address_of(memory) + bytes);
        shadow.each(address_of(memory), bytes, false, [](uint8_t* at, uint64_t n) { memset(at, Unknown, n); });
        free(memory);
    }

    static constexpr uint64_t capacity = 1 << 14, max_bytes = uint64_t(16) << 20;
    Entry* entries_ = nullptr;
    uint64_t first_ = 0, size_ = 0, bytes_ = 0;
};

thread_local constinit Waiting waiting;

/// The first byte says whether the memory is known; the others must belong to the same allocation.
int32_t access(const void* p, uint64_t bytes) {
    if (address_of(p) < page_bytes && bytes != 0) return mim_memory_null;
    if (address_of(p) & past_end) return bytes != 0 ? mim_memory_past_end : mim_memory_ok;
    auto& s    = shadow;
    auto first = bytes ? s.at(address_of(p)) : uint8_t(Unknown);
    if (first == Unknown) return mim_memory_ok;
    if (first & Freed) return mim_memory_freed;
    if (first & Returned) return mim_memory_returned;
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
void* mim_memory_enter(uint64_t bytes, uint64_t align) {
    auto size = (bytes + granule) / granule * granule; // at least one byte, so that each has an address of its own
    auto wide = align < granule ? granule : align;
    auto p    = aligned_alloc(wide, (size + wide - 1) / wide * wide);
    if (!p) abort();
    begin(p, bytes, Live | Slot);
    return p;
}

void mim_memory_leave(void* p, uint64_t bytes) {
    if (bytes > max_tracked) return free(p);
    end(p, bytes, Returned | Slot);
    waiting.add(p, bytes);
}

void mim_memory_end(const void* p, uint64_t bytes) {
    if (bytes <= max_tracked) end(p, bytes, Returned);
}

const void* mim_memory_element(const void* base, const void* element) {
    auto at = shadow.at(address_of(base));
    if (!(at & Live)) return element;
    auto end = shadow.end_of(address_of(base));
    if (end == 0 || address_of(element) < end) return element;
    return reinterpret_cast<const void*>(address_of(element) | past_end);
}

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
    if (first & Returned) return mim_memory_returned;
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
