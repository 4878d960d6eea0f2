// SPDX-License-Identifier: MIT
// `operator new` of the program `mim`. Phases make and drop sets and lists of a few elements for each node of a
// program: a tenth of all instructions went to malloc. Here a small block comes from a list of free ones of its size,
// and goes back to the list of whoever drops it; it is never given back to the system. Large blocks are malloc's. Not
// in libmim: those who link that have allocators of their own.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace {

constexpr size_t Step     = 16;               ///< sizes are multiples of it
constexpr size_t MaxSmall = 512;              ///< larger blocks are malloc's
constexpr size_t SlabSize = size_t(64) << 10; ///< a slab has blocks of one size
constexpr size_t Room     = size_t(32) << 30; ///< addresses for all slabs; memory is what they take of it
constexpr size_t NumSizes = MaxSmall / Step + 1;
constexpr size_t MaxSlabs = Room / SlabSize;
constexpr auto NoRoom     = ~uintptr_t(0) - Room; ///< no address is in a room that begins there

struct Free {
    Free* next;
};

/// Blocks by size of this thread, and the rest of the slab that new ones are cut from.
struct Lists {
    Free* free[NumSizes];
    char* cur[NumSizes];
    char* end[NumSizes];
};

constinit thread_local Lists lists{};
constinit std::atomic<uintptr_t> room{NoRoom};
constinit std::atomic<size_t> num_slabs{0};
constinit uint8_t size_of_slab[MaxSlabs]{}; ///< in steps

/// The begin of the room that the system gives; without one, all blocks are malloc's.
uintptr_t make_room() {
    auto made = ::mmap(nullptr, Room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return num_slabs = MaxSlabs, NoRoom;
    auto old = NoRoom, mine = reinterpret_cast<uintptr_t>(made);
    if (room.compare_exchange_strong(old, mine)) return mine;
    ::munmap(made, Room); // another thread was first
    return old;
}

[[gnu::noinline]] void* allocate_large(size_t bytes) {
    while (true) {
        if (auto block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
        auto handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

/// Another slab for blocks of this size; its first block.
[[gnu::noinline]] void* allocate_from_slab(size_t steps) {
    auto base = room.load();
    if (base == NoRoom) base = make_room();
    auto slab = num_slabs.load() < MaxSlabs ? num_slabs.fetch_add(1) : MaxSlabs;
    if (slab >= MaxSlabs) return allocate_large(steps * Step);
    size_of_slab[slab] = static_cast<uint8_t>(steps);
    auto first         = reinterpret_cast<char*>(base + slab * SlabSize);
    auto bytes         = steps * Step;
    lists.cur[steps]   = first + bytes;
    lists.end[steps]   = first + SlabSize / bytes * bytes;
    return first;
}

inline void* allocate(size_t bytes) {
    if (bytes > MaxSmall) [[unlikely]]
        return allocate_large(bytes);
    auto steps = (bytes + Step - 1) / Step + (bytes == 0);
    if (auto block = lists.free[steps]) {
        lists.free[steps] = block->next;
        return block;
    }
    auto block = lists.cur[steps];
    if (block == lists.end[steps]) [[unlikely]]
        return allocate_from_slab(steps);
    lists.cur[steps] = block + steps * Step;
    return block;
}

inline void release(void* block) {
    auto offset = reinterpret_cast<uintptr_t>(block) - room.load(std::memory_order_relaxed);
    if (offset >= Room) return std::free(block);
    auto& list = lists.free[size_of_slab[offset / SlabSize]];
    auto free  = static_cast<Free*>(block);
    free->next = list;
    list       = free;
}

} // namespace

void* operator new(size_t bytes) { return allocate(bytes); }
void* operator new[](size_t bytes) { return allocate(bytes); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, size_t) noexcept { release(block); }
void operator delete[](void* block, size_t) noexcept { release(block); }
