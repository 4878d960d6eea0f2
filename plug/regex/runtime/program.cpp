// SPDX-License-Identifier: MIT
// Functions that compiled programs call to match by automata whose states are made while they run. A program has
// tables; the automaton of equal tables is one, which is made at its first use and stays. Its caches are borrowed by
// calls, so each is used by one thread at a time; those that nobody uses take up to `max_idle` bytes, all together.
#include <unistd.h>

#include <atomic>
#include <new>

#include "lazy.h"

namespace mim::plug::regex {

void no_memory() {
    static constexpr char text[] = "out of memory\n";
    if (write(2, text, sizeof text - 1)) {}
    abort();
}

namespace {

constexpr size_t max_idle = 64 << 20;

/// The head of the tables, which nodes and sets follow.
struct Tables {
    uint64_t hash[2]; ///< of all of the rest: other tables have another one
    uint64_t size, num_sets, ordered;

    size_t words() const { return size + num_sets * Graph::set_words; }
    const uint64_t* nodes() const { return reinterpret_cast<const uint64_t*>(this + 1); }
    bool is(const Tables& other) const { return hash[0] == other.hash[0] && hash[1] == other.hash[1]; }
};

template<class T>
T* allocate(size_t bytes) {
    auto memory = malloc(bytes);
    if (!memory) no_memory();
    return static_cast<T*>(memory);
}

/// The bytes of caches that nobody uses.
std::atomic<size_t> idle_bytes = 0;

struct Cache {
    Lazy lazy;
    size_t bytes = 0; ///< that are among the idle ones
};

/// Tables of the program may go, if its code does: these are a copy.
struct Automaton {
    static constexpr size_t places = 16;

    const Tables* tables;
    Automaton* next;
    std::atomic<Cache*> idle[places];

    Cache* borrow() {
        for (auto& place : idle) {
            auto cache = place.load(std::memory_order_relaxed) ? place.exchange(nullptr, std::memory_order_acquire) : nullptr;
            if (!cache) continue;
            idle_bytes.fetch_sub(cache->bytes, std::memory_order_relaxed);
            return cache;
        }
        auto nodes = tables->nodes();
        Graph graph{nodes, tables->size, nodes + tables->size, tables->num_sets, tables->ordered != 0};
        return new (allocate<Cache>(sizeof(Cache))) Cache{Lazy(graph)};
    }
    void give_back(Cache* cache) {
        cache->bytes = cache->lazy.memory();
        auto before  = idle_bytes.fetch_add(cache->bytes, std::memory_order_relaxed);
        for (auto& place : idle) {
            if (before + cache->bytes > max_idle) break;
            Cache* none = nullptr;
            if (place.compare_exchange_strong(none, cache, std::memory_order_release, std::memory_order_relaxed)) return;
        }
        idle_bytes.fetch_sub(cache->bytes, std::memory_order_relaxed);
        cache->~Cache();
        free(cache);
    }
};

std::atomic<Automaton*> automata[256];

Automaton* known(Automaton* first, const Tables& tables) {
    while (first && !first->tables->is(tables)) first = first->next;
    return first;
}

Automaton* make(const Tables& tables) {
    auto bytes = sizeof(Tables) + tables.words() * sizeof(uint64_t);
    auto copy  = allocate<Tables>(bytes);
    memcpy(static_cast<void*>(copy), &tables, bytes);
    return new (allocate<Automaton>(sizeof(Automaton))) Automaton{copy, nullptr, {}};
}

/// Automata are only added, in front of those that were there.
Automaton& automaton(const Tables& tables) {
    auto& list      = automata[tables.hash[0] % 256];
    auto first      = list.load(std::memory_order_acquire);
    Automaton* mine = nullptr;
    for (;;) {
        if (auto found = known(first, tables)) {
            if (mine) free(const_cast<Tables*>(mine->tables)), free(mine);
            return *found;
        }
        if (!mine) mine = make(tables);
        mine->next = first;
        if (list.compare_exchange_weak(first, mine, std::memory_order_acq_rel, std::memory_order_acquire)) return *mine;
    }
}

template<class F>
uint64_t with_cache(const void* tables, F run) {
    auto& found = automaton(*static_cast<const Tables*>(tables));
    auto cache  = found.borrow();
    auto result = run(cache->lazy);
    found.give_back(cache);
    return result;
}

} // namespace

} // namespace mim::plug::regex

using namespace mim::plug::regex;

#define MIM_VISIBLE extern "C" __attribute__((visibility("default")))

/// The end of a match, as `Lazy::end` says; all bits if there is none.
MIM_VISIBLE uint64_t mim_regex_end(const void* tables, const char* text, uint64_t size, uint64_t pos, uint64_t after_empty) {
    return with_cache(tables, [&](Lazy& lazy) { return lazy.end({text, size}, pos, after_empty != 0); });
}

/// Its beginning, by an automaton that reads backwards.
MIM_VISIBLE uint64_t mim_regex_begin(const void* tables, const char* text, uint64_t size, uint64_t from, uint64_t to) {
    return with_cache(tables, [&](Lazy& lazy) { return lazy.begin({text, size}, from, to); });
}
