// SPDX-License-Identifier: MIT
// Small records come from lists of each thread, which the collector fills many at a time: taking one is a few instructions. The heads of
// these lists lie where the collector looks.
#include "runtime/collect/collect.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS // threads announce themselves
#include <gc/gc.h>
#include <pthread.h>

#include <cstdlib>
#include <unistd.h>

namespace {

constexpr size_t granule = 16, num_lists = 17; // records of up to 256 bytes

struct Lists {
    void* first[num_lists];
};

thread_local constinit Lists* lists = nullptr;
pthread_once_t once                 = PTHREAD_ONCE_INIT;
pthread_key_t at_end;

void detach(void* mine) {
    GC_free(mine);
    lists = nullptr;
    GC_unregister_my_thread();
}

/// Globals of libraries hold no closures: of the roots, only stacks are left. The collector takes the thread that comes first for the main
/// one and has to be told where its stack begins; it starts no threads of its own.
void start() {
    GC_stack_base base;
    GC_set_no_dls(1);
    GC_set_all_interior_pointers(1); // functions of a group lie within their record
    GC_set_markers_count(1);
    if (GC_get_stack_base(&base) == GC_SUCCESS) GC_set_stackbottom(nullptr, &base);
    GC_INIT();
    GC_allow_register_threads();
    pthread_key_create(&at_end, detach);
}

void attach() {
    pthread_once(&once, start);
    GC_stack_base base;
    if (GC_get_stack_base(&base) == GC_SUCCESS) GC_register_my_thread(&base);
    lists = static_cast<Lists*>(GC_malloc_uncollectable(sizeof(Lists)));
    pthread_setspecific(at_end, lists);
}

void* checked(void* memory) {
    if (memory) return memory;
    static constexpr char text[] = "out of memory for closures\n";
    if (write(2, text, sizeof text - 1)) {}
    abort();
}

} // namespace

void mim_collect_attach() {
    if (!lists) attach();
}

void* mim_collect_closure(size_t bytes) {
    auto n = (bytes + granule - 1) / granule;
    if (n >= num_lists) return checked(GC_malloc(bytes));
    auto& first = lists->first[n];
    // one byte less: the collector adds one, so that the address behind an object belongs to it
    if (!first) first = checked(GC_malloc_many(n * granule - 1));
    auto record = first;
    first       = GC_NEXT(record);
    return record;
}

void* mim_collect_malloc(size_t bytes) { return GC_malloc_uncollectable(bytes ? bytes : 1); }

void* mim_collect_calloc(size_t count, size_t bytes) {
    size_t all;
    return __builtin_mul_overflow(count, bytes, &all) ? nullptr : mim_collect_malloc(all);
}

void* mim_collect_realloc(void* memory, size_t bytes) {
    if (!memory) return mim_collect_malloc(bytes);
    return GC_is_heap_ptr(memory) ? GC_realloc(memory, bytes ? bytes : 1) : realloc(memory, bytes);
}

void mim_collect_free(void* memory) {
    if (GC_is_heap_ptr(memory)) GC_free(memory);
    else free(memory);
}
