// SPDX-License-Identifier: MIT
// Faults of mim's own (exit status 70) and overflows of the big stack (a diagnostic), when they reach us as signals.
#pragma once

namespace mim {

/// Handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT. `too_deep`, 1 or 2, is the exit status after an overflow of the big stack.
void install_crash_handlers(int too_deep);
/// An alternative stack for the handlers of this thread.
class SignalStack {
public:
    SignalStack();
    ~SignalStack();
    SignalStack(const SignalStack&)            = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    void* memory_ = nullptr;
};
} // namespace mim
