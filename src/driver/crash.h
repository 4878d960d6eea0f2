// SPDX-License-Identifier: MIT
// Faults of mim's own (exit status 70) and of plugins, overflows of the big stack (a diagnostic), and interruptions, when they reach us as
// signals. A guarded call (base/crash.h) ends; without one, the process does.
#pragma once
#include <functional>
#include <string_view>

#include "base/blame.h"

namespace mim {

inline constexpr std::string_view kInternalFault =
    "mim: internal fault: this is a bug of mim, please report it with the input that shows it\n";

/// Handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT, and for what interrupts, unless it is ignored. `too_deep`, 1 or 2, is the exit
/// status after an overflow of the big stack, and for lack of memory.
void install_crash_handlers(int too_deep);

/// While it lives, `report` shows what was found so far, and the hook of a plugin that ends the process, with the
/// user's line. Without a function, a program runs.
class ExitReporter {
public:
    using Report = std::function<void(const Culprit&, std::string_view how)>;
    explicit ExitReporter(Report);
    ~ExitReporter();
    ExitReporter(const ExitReporter&)            = delete;
    ExitReporter& operator=(const ExitReporter&) = delete;

    const Report report;

private:
    ExitReporter* outer_;
};

/// To be called where the process is about to end by `how`. If a hook of a plugin asks for that, this reports it, and
/// does not come back.
void check_exit(std::string_view how);

} // namespace mim
