// SPDX-License-Identifier: MIT
// What a compiled program says when a signal ends it: which one, and the functions and lines that led there. Part of executables that
// are built with -g or --checked (libmim_crash.a), and of the module that runs code in memory. Needs libc alone, and allocates nothing.
#pragma once

namespace mim::runtime {

enum class Then : unsigned char {
    Raise, ///< the process ends by the signal
    Exit,  ///< with 128 + the signal's number, as shells say it
};

/// Installs the handlers.
void report_crashes(Then);
/// Gives this thread a stack for them, which a program that has used up its own needs.
void use_signal_stack();

} // namespace mim::runtime
