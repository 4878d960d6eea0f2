// SPDX-License-Identifier: MIT
// Cells come from pages of one size each. A page without a live cell serves any size; such pages are looked for when
// many have been added since the last time, so that the search costs little for each.
#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace {

constexpr size_t kPageBytes = size_t(1) << 16;

struct Page {
    Page* next;
    uint64_t slots; ///< of its cells
    uint64_t free;  ///< cells of it that a search has seen in the list
    uint64_t unused;
};

struct Heap {
    Page* pages        = nullptr;
    Page* spare        = nullptr; ///< pages without cells
    size_t num_pages   = 0;
    size_t last_search = 0; ///< how many pages there were
    size_t num_large   = 0; ///< cells that have no list
    size_t num_static  = 0;
};

// The program has one heap, and one thread.
constinit Heap heap;

uint64_t* address(uint64_t object) { return reinterpret_cast<uint64_t*>(object); }
uint64_t value(const void* at) { return reinterpret_cast<uint64_t>(at); }
Page* page_of(uint64_t cell) { return reinterpret_cast<Page*>(cell & ~(kPageBytes - 1)); }
size_t cells_of(const Page* page) { return (kPageBytes - sizeof(Page)) / ((page->slots + 1) * 8); }

[[noreturn]] void stop(const char* why) {
    fflush(nullptr);
    fprintf(stderr, "mil: the program stops: %s\n", why);
    exit(3);
}

/// A page lies at a multiple of its size.
Page* map_page() {
    constexpr size_t kMany = 16;
    auto bytes             = kPageBytes * (kMany + 1);
    auto at                = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) stop("its memory is exhausted");
    auto first = (value(at) + kPageBytes - 1) & ~(kPageBytes - 1);
    for (size_t i = kMany; i-- != 0;) {
        auto page  = reinterpret_cast<Page*>(first + i * kPageBytes);
        page->next = heap.spare;
        heap.spare = page;
    }
    return heap.spare;
}

/// Puts pages without live cells among the spare ones.
void search(uint64_t* table) {
    for (auto page = heap.pages; page; page = page->next) page->free = 0;
    for (size_t slots = 1; slots != kLists; ++slots)
        for (auto cell = table[slots]; cell; cell = *address(cell)) ++page_of(cell)->free;
    for (size_t slots = 1; slots != kLists; ++slots) {
        auto link = &table[slots];
        while (*link) {
            auto page = page_of(*link);
            if (page->free == cells_of(page)) *link = *address(*link);
            else link = address(*link);
        }
    }
    auto link = &heap.pages;
    while (auto page = *link) {
        if (page->free != cells_of(page)) {
            link = &page->next;
            continue;
        }
        *link      = page->next;
        page->next = heap.spare;
        heap.spare = page;
        --heap.num_pages;
    }
    heap.last_search = heap.num_pages;
}

bool has_many_new_pages() { return heap.num_pages >= 16 && heap.num_pages > heap.last_search + heap.last_search / 4; }

/// A page whose cells are all in the list.
void add_page(uint64_t* table, uint64_t slots) {
    auto page   = heap.spare ? heap.spare : map_page();
    heap.spare  = page->next;
    page->next  = heap.pages;
    page->slots = slots;
    heap.pages  = page;
    ++heap.num_pages;
    auto bytes = (slots + 1) * 8;
    auto first = value(page + 1);
    for (auto i = cells_of(page); i-- != 0;) {
        auto cell      = first + i * bytes;
        *address(cell) = table[slots];
        table[slots]   = cell;
    }
}

void give(uint64_t* table, uint64_t* cell) {
    auto slots = slots_of(cell[0]);
    if (slots >= kLists) {
        --heap.num_large;
        return free(cell);
    }
    cell[0]      = table[slots];
    table[slots] = value(cell);
}

/// The next slot from `i` on that is counted; all slots if there is none.
size_t next_counted(const uint64_t* object, size_t i) {
    auto slots = slots_of(object[0]);
    while (i != slots && !is_counted(object, i)) ++i;
    return i;
}

void set_count(uint64_t* object, uint64_t count) { object[0] = (object[0] & ~kCountMask) | count; }

} // namespace

uint64_t mim_mil_start(uint64_t size) {
    auto table = calloc(kLists + size, sizeof(uint64_t));
    if (!table) stop("its memory is exhausted");
    return value(table);
}

uint64_t mim_mil_more(uint64_t table, uint64_t slots) {
    auto lists = address(table);
    if (slots >= kLists) {
        auto cell = malloc((slots + 1) * 8);
        if (!cell) stop("its memory is exhausted");
        ++heap.num_large;
        return value(cell);
    }
    if (has_many_new_pages()) search(lists);
    if (!lists[slots]) add_page(lists, slots);
    auto cell    = lists[slots];
    lists[slots] = *address(cell);
    return cell;
}

void mim_mil_give(uint64_t table, uint64_t cell) { give(address(table), address(cell)); }

/// Goes on with the object in slot i, which holds the parent meanwhile.
static void descend(uint64_t*& parent, uint64_t*& at, size_t& i) {
    auto child = address(at[1 + i]);
    set_count(at, i);
    at[1 + i] = value(parent);
    parent    = at;
    at        = child;
    i         = next_counted(at, 0);
}

/// Without a stack: while the references of an object go, its count is the slot that is looked at, and that slot holds
/// the object that it was reached from. From the last one of its slots on it is not needed any more.
void mim_mil_free(uint64_t table, uint64_t object) {
    auto lists       = address(table);
    auto at          = address(object);
    uint64_t* parent = nullptr;
    size_t i         = next_counted(at, 0);
    for (;;) {
        if (i == slots_of(at[0])) {
            give(lists, at);
            if (!parent) return;
            at     = parent;
            i      = count_of(at[0]);
            parent = address(at[1 + i]);
            i      = next_counted(at, i + 1);
            continue;
        }
        auto child  = at[1 + i];
        auto next   = next_counted(at, i + 1);
        bool is_odd = child & 1;
        auto count  = is_odd ? kSticky : count_of(*address(child));
        if (count != 1) {
            if (!(count & kSticky)) --*address(child);
            i = next;
        } else if (next == slots_of(at[0])) {
            give(lists, at);
            at = address(child);
            i  = next_counted(at, 0);
        } else {
            descend(parent, at, i);
        }
    }
}

/// In the same way, but slots get their values back.
void mim_mil_freeze(uint64_t root) {
    bool is_static = root & 1 || *address(root) & kSticky;
    if (is_static) return;
    auto at          = address(root);
    uint64_t* parent = nullptr;
    size_t i         = next_counted(at, 0);
    for (;;) {
        if (i == slots_of(at[0])) {
            set_count(at, kSticky);
            ++heap.num_static;
            if (!parent) return;
            auto child = value(at);
            at         = parent;
            i          = count_of(at[0]);
            parent     = address(at[1 + i]);
            at[1 + i]  = child;
            i          = next_counted(at, i + 1);
            continue;
        }
        auto child   = at[1 + i];
        bool is_done = child & 1 || *address(child) & kSticky;
        if (is_done) {
            i = next_counted(at, i + 1);
            continue;
        }
        descend(parent, at, i);
    }
}

/// Pages that nobody has touched are zeros.
uint64_t mim_mil_area(uint64_t bytes, uint64_t align) {
    auto at    = bytes > SIZE_MAX - align ? nullptr : calloc(1, bytes + align);
    auto first = reinterpret_cast<uint64_t>(at);
    if (!at) stop("its memory is exhausted");
    return (first + align - 1) / align * align;
}

void mim_mil_check(uint64_t table) {
    auto live = heap.num_large;
    for (auto page = heap.pages; page; page = page->next) live += cells_of(page);
    for (size_t slots = 1; slots != kLists; ++slots)
        for (auto cell = address(table)[slots]; cell; cell = *address(cell)) --live;
    live -= heap.num_static;
    if (live == 0) return;
    fflush(nullptr);
    fprintf(stderr, "mil: %zu objects are left at the end\n", live);
    exit(4);
}
