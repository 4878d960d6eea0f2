// SPDX-License-Identifier: MIT
// The stack is a list of pieces. One that is left stays for the next time, if it is not too large.
#include "arena.h"

#include <pthread.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "out_of_memory.h"

namespace {

constexpr size_t alignment  = 64;
constexpr size_t first_size = 1 << 16;
/// The most that a thread keeps while nobody needs it.
constexpr size_t max_spare = 32 << 20;

struct alignas(alignment) Piece {
    Piece* below;
    char* end;

    char* begin() { return reinterpret_cast<char*>(this + 1); }
    size_t size() { return size_t(end - begin()); }
};

thread_local constinit Piece* piece = nullptr;
thread_local constinit Piece* spare = nullptr;
thread_local constinit char* top    = nullptr; ///< within the piece
pthread_once_t once                 = PTHREAD_ONCE_INIT;
pthread_key_t at_end;

void give_back_all(void*) {
    mim_arena_release(nullptr);
    free(spare);
    spare = nullptr;
}

Piece* new_piece(size_t bytes) {
    pthread_once(&once, [] { pthread_key_create(&at_end, give_back_all); });
    size_t size;
    void* memory      = nullptr;
    bool is_too_large = __builtin_add_overflow(bytes, sizeof(Piece) + alignment, &size);
    if (is_too_large || posix_memalign(&memory, alignment, size)) out_of_memory();
    pthread_setspecific(at_end, memory); // anything but null
    auto result = static_cast<Piece*>(memory);
    result->end = static_cast<char*>(memory) + size;
    return result;
}

/// At least as large as all pieces below, so that there are few.
void push(size_t bytes) {
    auto least = piece ? 2 * piece->size() : first_size;
    auto next  = spare && spare->size() >= bytes ? spare : new_piece(bytes > least ? bytes : least);
    if (next == spare) spare = nullptr;
    next->below = piece;
    piece       = next;
    top         = next->begin();
}

void pop() {
    auto left = piece;
    piece     = left->below;
    bool keep = left->size() <= max_spare && (!spare || left->size() > spare->size());
    if (keep) {
        free(spare);
        spare = left;
    } else {
        free(left);
    }
}

bool is_in(Piece* at, char* mark) { return at->begin() <= mark && mark <= at->end; }

} // namespace

void* mim_arena_mark() { return top; }

void* mim_arena_take(size_t bytes) {
    size_t room = bytes + (alignment - 1);
    if (room < bytes) out_of_memory();
    room &= ~(alignment - 1);
    if (!piece || size_t(piece->end - top) < room) push(room);
    auto result = top;
    top += room;
    return result;
}

void mim_arena_release(void* mark) {
    auto to = static_cast<char*>(mark);
    while (piece && !is_in(piece, to)) pop();
    top = to;
}

void* mim_array_begin(void* at) { return at; }

void mim_array_end(void* to, const void* array, size_t bytes) {
    if (to != array) memmove(to, array, bytes);
}
