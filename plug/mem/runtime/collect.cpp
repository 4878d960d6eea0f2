// SPDX-License-Identifier: MIT
// Small records come from lists of each thread, which the collector fills many at a time: taking one is a few instructions. The heads of
// these lists lie where the collector looks. Records that refer to no other are of a kind of their own, of which it looks at the first
// word only: the link while they are in a list.
//
// Each library of a process has this file. All share one collector, which has room for few kinds, so the first library makes them. The
// others find it by the function that it gives the collector for warnings, and ask that.
#include "collect.h"

#include <dlfcn.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS // threads announce themselves
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <gc/gc_mark.h>
#include <pthread.h>

#include <cstdlib>
#include <cstring>

#include "out_of_memory.h"

namespace {

constexpr size_t granule = 16, num_lists = 17; // records of up to 256 bytes
/// The heap grows to this before anything is collected: small enough for a processor's cache, large enough that collections are rare.
constexpr size_t first_heap = 1 << 20;

struct Lists {
    void* first[num_lists]; ///< of records that may refer to others
    void* plain[num_lists];
};
struct Kinds {
    int record, plain;
};
Kinds kinds;

thread_local constinit Lists* lists = nullptr;
pthread_once_t once                 = PTHREAD_ONCE_INIT;
pthread_key_t at_end;

void detach(void* mine) {
    GC_free(mine);
    lists = nullptr;
    GC_unregister_my_thread();
}

} // namespace

/// Large arrays are no mistake, and who runs out of memory is told by us. Without a message, the other library that calls this gets the
/// kinds.
extern "C" void mim_collect_warn(char* message, GC_word at) {
    if (!message) *reinterpret_cast<Kinds*>(at) = kinds;
}

namespace {

/// The function with this name that another library has given to the collector; null if there is none.
GC_warn_proc first_library() {
    auto warn = GC_get_warn_proc();
    Dl_info info;
    bool is_known = dladdr(reinterpret_cast<void*>(warn), &info) && info.dli_sname;
    return is_known && !std::strcmp(info.dli_sname, "mim_collect_warn") ? warn : nullptr;
}

/// Threads call this library when they end, and other libraries at any time, so it stays.
void stay() {
    Dl_info info;
    if (dladdr(&kinds, &info)) dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void make_kinds() {
    // every word of these is looked at: of objects of the usual kind the last one is not, as GC_malloc makes them longer than asked for
    kinds.record = int(GC_new_kind(GC_new_free_list(), GC_DS_LENGTH, 1, 1));
    kinds.plain  = int(GC_new_kind(GC_new_free_list(), sizeof(void*) | GC_DS_LENGTH, 0, 0));
    GC_set_warn_proc(mim_collect_warn);
}

/// Globals of libraries refer to no records: of the roots, only stacks are left. The collector takes the first thread for the main
/// one and has to be told where its stack begins; it starts no threads of its own.
void start() {
    stay();
    GC_stack_base base;
    auto first = first_library();
    if (!first) GC_set_warn_proc(GC_ignore_warn_proc);
    GC_set_no_dls(1);
    GC_set_all_interior_pointers(1); // functions of a group lie within their record
    GC_set_markers_count(1);
    if (GC_get_stack_base(&base) == GC_SUCCESS) GC_set_stackbottom(nullptr, &base);
    GC_INIT();
    if (auto size = GC_get_heap_size(); size < first_heap) GC_expand_hp(first_heap - size);
    if (first) first(nullptr, reinterpret_cast<GC_word>(&kinds));
    else make_kinds();
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
    if (!memory) out_of_memory();
    return memory;
}

/// There may be as many bytes as there are numbers.
size_t granules(size_t bytes) { return bytes / granule + (bytes % granule != 0); }

/// A record of n granules from a list, which is filled if it is empty.
inline void* take(void*& first, size_t n, int kind) {
    if (!first) {
        GC_generic_malloc_many(n * granule, kind, &first);
        checked(first);
    }
    auto record = first;
    first       = GC_NEXT(record);
    return record;
}

} // namespace

void mim_collect_attach() {
    if (!lists) attach();
}

void* mim_collect_record(size_t bytes) {
    auto n = granules(bytes);
    return n >= num_lists ? checked(GC_malloc(bytes)) : take(lists->first[n], n, kinds.record);
}

void* mim_collect_plain(size_t bytes) {
    auto n = granules(bytes);
    return n >= num_lists ? checked(GC_malloc_atomic(bytes)) : take(lists->plain[n], n, kinds.plain);
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
