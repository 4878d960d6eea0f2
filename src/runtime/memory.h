// SPDX-License-Identifier: MIT
// What --checked knows of memory while the program runs: which bytes belong to an allocation, and which were written. Other languages
// may do what they like to memory that they can reach, so a call of theirs makes it unknown, and what is unknown is taken to be
// right: nothing is reported that is not undefined. Each thread knows for itself.
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
};

void mim_memory_heap(const void* begin, uint64_t bytes);      ///< an allocation begins to live
void mim_memory_slot(const void* begin, uint64_t bytes);      ///< likewise, on the stack
int32_t mim_memory_access(const void* begin, uint64_t bytes); ///< may these bytes be accessed?
int32_t mim_memory_read(const void* begin, uint64_t bytes);   ///< and were they written?
int32_t mim_memory_write(const void* begin, uint64_t bytes);  ///< they are written now
int32_t mim_memory_free(const void* begin);                   ///< the end of an allocation
void mim_memory_unknown();                                    ///< others were at work
}
