// SPDX-License-Identifier: MIT
#include "phase/crash.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

namespace mim {

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t kAltStack = 64 * 1024;

thread_local sigjmp_buf* landing = nullptr;
alignas(16) char alt_stack[kAltStack];

void on_crash(int signal) {
    if (auto to = landing) {
        landing = nullptr; // a second crash is final
        siglongjmp(*to, signal);
    }
    constexpr char text[] = "mim: internal error: the compiler crashed; this is a fault of Mim or of a plugin, not of your program\n";
    [[maybe_unused]] auto n = ::write(2, text, sizeof text - 1);
    ::_exit(70);
}

void set_handlers(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler       = handler;
    action.sa_flags         = SA_ONSTACK | SA_NODEFER;
    for (auto signal : kSignals) ::sigaction(signal, &action, nullptr);
}

} // namespace

void install_crash_handlers() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // these report crashes themselves, and better
    stack_t stack = {};
    stack.ss_sp   = alt_stack; // the stack of a deep recursion is full when its guard page is hit
    stack.ss_size = sizeof alt_stack;
    ::sigaltstack(&stack, nullptr);
    set_handlers(on_crash);
#endif
}

void remove_crash_handlers() {
    set_handlers(SIG_DFL);
}

int guarded(const std::function<void()>& f) {
    sigjmp_buf here;
    auto outer = landing;
    if (int signal = sigsetjmp(here, 1)) {
        landing = outer;
        return signal;
    }
    landing = &here;
    try {
        f();
    } catch (...) {
        landing = outer;
        throw;
    }
    landing = outer;
    return 0;
}

} // namespace mim
