// SPDX-License-Identifier: MIT
// The shadow memory of --checked, without a compiled program: an allocator may put allocations closer together than glibc does.
#include "runtime/memory.h"

#include <doctest/doctest.h>

namespace {

alignas(64) char memory[64];

/// Computes the element `offset` bytes behind `base`, and writes one byte there.
int32_t write_behind(const char* base, uint64_t offset) {
    auto element = mim_memory_element(base, base + offset);
    return mim_memory_write(element, 1);
}

} // namespace

TEST_CASE("checked memory: allocations of 8 bytes side by side are told apart") {
    mim_memory_heap(memory, 8);
    mim_memory_heap(memory + 8, 8);
    CHECK(write_behind(memory, 7) == mim_memory_ok);
    CHECK(write_behind(memory, 8) == mim_memory_past_end);
    CHECK(write_behind(memory + 8, 7) == mim_memory_ok);
    CHECK(write_behind(memory + 8, 8) == mim_memory_past_end);
}

TEST_CASE("checked memory: an allocation between two granules is not mistaken for the one before it") {
    mim_memory_heap(memory, 4);
    mim_memory_heap(memory + 4, 4);
    CHECK(write_behind(memory, 3) == mim_memory_ok);
    CHECK(write_behind(memory, 4) == mim_memory_past_end);
    CHECK(write_behind(memory + 4, 3) == mim_memory_ok);
}
