// SPDX-License-Identifier: MIT
// Faults of mim's own (exit status 70) and overflows of the big stack (a diagnostic, exit status 1), when they reach us as signals.
#pragma once

namespace mim {

/// Handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT.
void install_crash_handlers();
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
