// SPDX-License-Identifier: MIT
// What --checked knows of memory while the program runs: which bytes belong to an allocation, and which were written. Other languages
// may do what they like to memory that they can reach, so a call of theirs makes it unknown, and what is unknown is taken to be
// right: nothing is reported that is not undefined. Each thread knows for itself.
//
// Slots come from here, not from the stack, where the next function would reuse their addresses: their memory is not given back at once when
// the function returns. Other languages cannot end the life of a slot, so only which bytes are written is unknown after a call of theirs.
// Slots that may hold closures stay on the stack, where the collector looks.
//
// A pointer that leaves its allocation is marked where it is computed, or an access through it might be one to another allocation.
#pragma once
#include <cstdint>

// C functions, since compiled programs call them by these names.
extern "C" {

/// What is wrong with an access; the numbers are what the compiler compares with.
enum mim_memory_fault : int32_t {
    mim_memory_ok,
    mim_memory_null,
    mim_memory_freed,
    mim_memory_past_end,
    mim_memory_uninitialised,
    mim_memory_freed_twice,
    mim_memory_not_from_heap,
    mim_memory_in_the_middle,
    mim_memory_returned,
};

void mim_memory_heap(const void* begin, uint64_t bytes); ///< an allocation begins to live
void* mim_memory_enter(uint64_t bytes, uint64_t align);  ///< memory for a slot of a function that is entered
void mim_memory_leave(void* begin, uint64_t bytes);      ///< the function returns
void mim_memory_slot(const void* begin, uint64_t bytes); ///< a slot on the stack
void mim_memory_end(const void* begin, uint64_t bytes);  ///< its function returns
/// `element`, computed from `base`; marked if it is past the end of what `base` points into.
const void* mim_memory_element(const void* base, const void* element);
int32_t mim_memory_access(const void* begin, uint64_t bytes); ///< may these bytes be accessed?
int32_t mim_memory_read(const void* begin, uint64_t bytes);   ///< and were they written?
int32_t mim_memory_write(const void* begin, uint64_t bytes);  ///< they are written now
int32_t mim_memory_free(const void* begin);                   ///< the end of an allocation
void mim_memory_unknown();                                    ///< others were at work
}
