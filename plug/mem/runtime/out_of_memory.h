// SPDX-License-Identifier: MIT
#pragma once
#include <cstdlib>

#include <unistd.h>

/// Says so and ends the program.
[[noreturn]] inline void out_of_memory() {
    static constexpr char text[] = "out of memory\n";
    if (write(2, text, sizeof text - 1)) {}
    abort();
}
