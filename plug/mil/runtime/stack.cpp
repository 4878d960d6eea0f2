// SPDX-License-Identifier: MIT
// A program runs on a stack of its own, of which the system gives what is used. Its end is a message.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "heap.h"

namespace {

constexpr size_t kStackBytes = size_t(1) << 30;
constexpr size_t kGuardBytes = size_t(1) << 16;

/// One run of a program: `mim run` may have several, one after the other.
struct Run {
    int (*program)(void);
    int status;
    char* guard;
    ucontext_t outside, inside;
    sigjmp_buf end; ///< where the stack has ended
    struct sigaction before;
};

constinit Run* now = nullptr;

void begin() { now->status = now->program(); }

bool is_in_guard(const void* at) {
    auto c = static_cast<const char*>(at);
    return now && now->guard <= c && c < now->guard + kGuardBytes;
}

/// Other faults are those of whoever asked for them before.
void fault(int signal, siginfo_t* info, void*) {
    if (is_in_guard(info->si_addr)) siglongjmp(now->end, 1);
    sigaction(signal, &now->before, nullptr);
}

} // namespace

int mim_mil_run(int (*program)(void)) {
    auto stack = static_cast<char*>(mmap(nullptr, kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    if (stack == MAP_FAILED) return program();
    mprotect(stack, kGuardBytes, PROT_NONE);
    static char for_signals[1 << 16];
    stack_t own{for_signals, 0, sizeof for_signals}, before;
    sigaltstack(&own, &before);

    Run run;
    run.program = program;
    run.status  = 0;
    run.guard   = stack;
    now         = &run;
    struct sigaction action{};
    action.sa_sigaction = fault;
    action.sa_flags     = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &run.before);
    if (sigsetjmp(run.end, 1)) {
        fflush(nullptr);
        fputs("mil: the program stops: its stack is exhausted\n", stderr);
        exit(3);
    }
    getcontext(&run.inside);
    run.inside.uc_stack.ss_sp   = stack + kGuardBytes;
    run.inside.uc_stack.ss_size = kStackBytes;
    run.inside.uc_link          = &run.outside;
    makecontext(&run.inside, begin, 0);
    swapcontext(&run.outside, &run.inside);
    sigaction(SIGSEGV, &run.before, nullptr);
    sigaltstack(&before, nullptr);
    munmap(stack, kStackBytes + kGuardBytes);
    now = nullptr;
    return run.status;
}
