// SPDX-License-Identifier: MIT
// From an address to a line: DWARF's line tables of version 4, which is what LLVM writes for us.
#pragma once
#include "runtime/elf.h"

namespace mim::runtime {

struct Line {
    const char* file = nullptr; ///< without its folder; null: unknown
    uint64_t line    = 0;
};

Line find_line(const Elf&, uint64_t pc);

} // namespace mim::runtime
