// SPDX-License-Identifier: MIT
// Programs that make closures, or arrays of run-time length, call these functions. The Boehm-Demers-Weiser collector (libgc)
// reclaims such records when neither a stack, nor a register, nor another record, nor memory that was had here refers to them
// any more. Only such programs are linked with this (libmim_mem_runtime.a and libgc); `mim run` opens both.
//
// A thread is known from its first call of a function that is visible from outside until it ends. Memory that C's own functions allocate
// is not looked at: what a program stores there stays.
#pragma once
#include <cstddef>

extern "C" {
/// The calling thread will use records. Cheap when it already does.
void mim_collect_attach();
/// A record, not initialised; ends the program if there is no memory.
void* mim_collect_record(size_t bytes);
/// The same for a record that refers to no other one: the collector does not look into it.
void* mim_collect_plain(size_t bytes);
/// Memory until it is freed, which may refer to records. Like C's, but `free` and `realloc` take C's pointers as well.
void* mim_collect_malloc(size_t bytes);
void* mim_collect_calloc(size_t count, size_t bytes);
void* mim_collect_realloc(void*, size_t bytes);
void mim_collect_free(void*);
/// Before the `bytes` at `value` are stored at `at`: the records that they refer to are not reclaimed any more, unless the collector
/// looks there. For memory that may be anyone's.
void mim_collect_keep(const void* at, const void* value, size_t bytes);
}
