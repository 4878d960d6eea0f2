// SPDX-License-Identifier: MIT
// The memory of a compiled program: objects whose references are counted (doc/adr/0036). An object is a header and
// slots of 64 bits. The addresses of objects are even; odd values are constructors without fields.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The least bits of a header.
constexpr uint64_t kCountMask = 0xfffffff;
/// A count that has this bit never changes: static data, and what has had too many references.
constexpr uint64_t kSticky = 0x8000000;
/// The lists of free cells come first in the program's table, by the number of slots; slots of top-level values follow.
constexpr size_t kLists = 64;

inline uint64_t count_of(uint64_t header) { return header & kCountMask; }
/// All slots, those at the end that say which ones are counted as well.
inline size_t slots_of(uint64_t header) { return header >> 28 & 0xff; }

/// Whether a slot holds a value that may be a reference.
inline bool is_counted(const uint64_t* object, size_t slot) {
    auto slots = slots_of(object[0]);
    if (slots <= 16) return object[0] >> (36 + slot) & 1;
    auto bits   = (slots + 64) / 65;
    auto values = slots - bits;
    return slot < values && (object[1 + values + slot / 64] >> slot % 64 & 1);
}

extern "C" {
/// The table of a program with so many top-level values.
uint64_t mim_mil_start(uint64_t size);
/// A cell of so many slots, when its list is empty.
uint64_t mim_mil_more(uint64_t table, uint64_t slots);
/// Gives a cell without references back that has no list.
void mim_mil_give(uint64_t table, uint64_t cell);
/// The last reference to an object goes.
void mim_mil_free(uint64_t table, uint64_t object);
/// Objects that the value reaches are static from here on.
void mim_mil_freeze(uint64_t value);
/// Ends the program if it has objects that are not static.
void mim_mil_check(uint64_t table);
/// Memory of zeros that stays, at a multiple of `align`.
uint64_t mim_mil_area(uint64_t bytes, uint64_t align);
/// The table of the program that `start` makes, which is asked once.
uint64_t mim_mil_enter(uint64_t (*start)(void));
/// Runs a program on a stack of its own; its status.
int mim_mil_run(int (*program)(void));
}
