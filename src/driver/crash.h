// SPDX-License-Identifier: MIT
// Faults of mim's own (exit status 70) and of plugins, overflows of the big stack (a diagnostic), and interruptions, when they reach us as
// signals. A guarded call (base/crash.h) ends; without one, the process does.
#pragma once
#include <string_view>

namespace mim {

inline constexpr std::string_view kInternalFault =
    "mim: internal fault: this is a bug of mim, please report it with the input that shows it\n";

/// Handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT, and for what interrupts, unless it is ignored. `too_deep`, 1 or 2, is the exit
/// status after an overflow of the big stack, and for lack of memory.
void install_crash_handlers(int too_deep);

} // namespace mim
