// SPDX-License-Identifier: MIT
// What compiled programs call.
#include <cstdint>

extern "C" uint64_t ledger_tens(uint64_t n) { return n - n % 10; }
