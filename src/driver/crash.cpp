// SPDX-License-Identifier: MIT
#include "driver/crash.h"

#include <csignal>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "base/blame.h"
#include "base/stack.h"
#include "diag/diag.h"
#include "driver/main.h"
#include "phase/crash.h"

namespace mim {

namespace {

constexpr int kSignals[]     = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr size_t kStackBytes = size_t(64) << 10;

/// All that a signal handler may do.
void write_all(std::string_view text) {
    while (!text.empty()) {
        auto n = ::write(2, text.data(), text.size());
        if (n <= 0) return;
        text.remove_prefix(static_cast<size_t>(n));
    }
}

template<int TooDeep>
void on_signal(int signal, siginfo_t* info, void*) {
    if (is_stack_overflow(info->si_addr)) {
        auto& d = mim::info(Diag::too_deep);
        write_all("mim: error: ");
        write_all(d.message);
        write_all(" [");
        write_all(d.code);
        write_all("]\n");
        ::_exit(TooDeep);
    }
    land_crash(signal);
    if (auto blame = Blame::current()) {
        for (auto text : {std::string_view("mim: error: fault of the plugin `"), blame->plugin, std::string_view("`: "),
                          blame->kind, std::string_view(" `"), blame->name, std::string_view("` crashed [E432]\n")})
            write_all(text);
        ::_exit(kInternal);
    }
    write_all("mim: internal fault: this is a bug of mim, please report it with the input that shows it\n");
    ::_exit(kInternal);
}

} // namespace

void install_crash_handlers(int too_deep) {
    struct sigaction action = {};
    action.sa_sigaction     = too_deep == kUsageError ? on_signal<kUsageError> : on_signal<kInputError>;
    action.sa_flags         = SA_SIGINFO | SA_ONSTACK;
    for (int s : kSignals) ::sigaction(s, &action, nullptr);
}

SignalStack::SignalStack() {
    void* p = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return;
    memory_       = p;
    stack_t stack = {};
    stack.ss_sp   = p;
    stack.ss_size = kStackBytes;
    ::sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
    if (!memory_) return;
    stack_t off  = {};
    off.ss_flags = SS_DISABLE;
    ::sigaltstack(&off, nullptr);
    ::munmap(memory_, kStackBytes);
}

} // namespace mim
