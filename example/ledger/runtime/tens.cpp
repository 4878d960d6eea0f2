// SPDX-License-Identifier: MIT
// Compiled programs call these functions.
#include <cstdint>

extern "C" uint64_t ledger_tens(uint64_t n) { return n - n % 10; }
