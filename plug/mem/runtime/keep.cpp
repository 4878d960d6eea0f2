// SPDX-License-Identifier: MIT
// Closures in memory that the collector does not look into. They stay for ever: who has that memory may copy and move what is in it, and may
// give it back at any time, so nobody can say when the last copy is gone.
#include "collect.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <pthread.h>

#include <cstdint>
#include <cstdlib>

namespace {

/// A set of records by address: open addressing in a power of two of places, of which at most half are taken. The table lies where the
/// collector looks.
struct Kept {
    void** table = nullptr;
    size_t room = 0, taken = 0;

    /// What is of the kind of the table is no record: the program frees it itself.
    void insert(void* record) {
        if (2 * (taken + 1) > room) grow();
        if (GC_get_kind_and_size(record, nullptr) == GC_get_kind_and_size(table, nullptr)) return;
        auto& at = place(record);
        taken += !at;
        at = record;
    }

private:
    void*& place(void* record) {
        auto i = (uintptr_t(record) >> 4) * 0x9e3779b97f4a7c15 >> 32 & (room - 1);
        while (table[i] && table[i] != record) i = (i + 1) & (room - 1);
        return table[i];
    }

    void grow() {
        auto old      = table;
        auto old_room = room;
        room          = old ? 2 * room : 512;
        table         = static_cast<void**>(GC_malloc_uncollectable(room * sizeof(void*)));
        if (!table) abort();
        for (size_t i = 0; i != old_room; ++i)
            if (old[i]) place(old[i]) = old[i];
        GC_free(old);
    }
};

Kept kept;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Stacks of other threads count as unknown.
bool is_on_stack(const void* at) {
    static thread_local constinit const void* end = nullptr;
    if (GC_stack_base base; !end && GC_get_stack_base(&base) == GC_SUCCESS) end = base.mem_base;
    return at >= __builtin_frame_address(0) && at < end;
}

} // namespace

void mim_collect_keep(const void* at, const void* value, size_t bytes) {
    if (GC_is_heap_ptr(at) || is_on_stack(at)) return;
    auto words = static_cast<void* const*>(value);
    for (size_t i = 0; i != bytes / sizeof(void*); ++i) {
        auto record = GC_base(words[i]);
        if (!record) continue;
        pthread_mutex_lock(&lock);
        kept.insert(record);
        pthread_mutex_unlock(&lock);
    }
}
