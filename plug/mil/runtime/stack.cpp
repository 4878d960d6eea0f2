// SPDX-License-Identifier: MIT
// A program runs on a stack of its own, of which the system gives what is used. Its end is a message.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "heap.h"

namespace {

constexpr size_t kStackBytes = size_t(1) << 30;
constexpr size_t kGuardBytes = size_t(1) << 16;

/// One run of a program, or of what makes the values of its top-level definitions: `mim run` may have several, one after
/// the other.
struct Run {
    int (*program)(void)    = nullptr;
    uint64_t (*start)(void) = nullptr; ///< in place of a program
    char* guard             = nullptr;
    int status              = 0;
    uint64_t table          = 0; ///< of `start`
    sigjmp_buf end;              ///< where the stack has ended
    struct sigaction before;
    stack_t for_signals; ///< of the thread before
};

constinit Run* now = nullptr;

bool is_in_guard(const void* at) {
    auto c = static_cast<const char*>(at);
    return now && now->guard <= c && c < now->guard + kGuardBytes;
}

/// Other faults are those of whoever asked for them before.
void fault(int signal, siginfo_t* info, void*) {
    if (is_in_guard(info->si_addr)) siglongjmp(now->end, 1);
    sigaction(signal, &now->before, nullptr);
}

void catch_faults() {
    static char for_signals[1 << 16];
    stack_t own{for_signals, 0, sizeof for_signals};
    sigaltstack(&own, &now->for_signals);
    struct sigaction action{};
    action.sa_sigaction = fault;
    action.sa_flags     = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &now->before);
}

void perform(Run& run) {
    if (run.start) run.table = run.start();
    else run.status = run.program();
}

void* begin(void*) {
    catch_faults();
    if (sigsetjmp(now->end, 1)) {
        fflush(nullptr);
        fputs("mil: the program stops: its stack is exhausted\n", stderr);
        exit(3);
    }
    perform(*now);
    sigaction(SIGSEGV, &now->before, nullptr);
    sigaltstack(&now->for_signals, nullptr);
    return nullptr;
}

/// Runs it in a thread, which has that stack; false if there is none.
bool run_on(char* stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, kStackBytes);
    pthread_t thread;
    bool is_made = pthread_create(&thread, &attributes, begin, nullptr) == 0;
    pthread_attr_destroy(&attributes);
    if (is_made) pthread_join(thread, nullptr);
    return is_made;
}

/// On this thread's stack if there is no other one.
void run_on_large_stack(Run& run) {
    auto guard = static_cast<char*>(mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    if (guard == MAP_FAILED) return perform(run);
    mprotect(guard, kGuardBytes, PROT_NONE);
    run.guard   = guard;
    now         = &run;
    bool is_run = run_on(guard + kGuardBytes);
    now         = nullptr;
    munmap(guard, kGuardBytes + kStackBytes);
    if (!is_run) perform(run);
}

/// The programs of this process that have functions for C.
struct Started {
    uint64_t (*start)(void) = nullptr;
    uint64_t table          = 0;
    Started* next           = nullptr;
};

constinit Started* started = nullptr;

/// A `main` runs on a large stack already.
void start(Started& program) {
    Run run;
    run.start = program.start;
    if (now) perform(run);
    else run_on_large_stack(run);
    program.table = run.table;
}

} // namespace

uint64_t mim_mil_enter(uint64_t (*function)(void)) {
    for (auto program = started; program; program = program->next)
        if (program->start == function) return program->table;
    auto program = static_cast<Started*>(calloc(1, sizeof(Started)));
    if (!program) abort();
    program->start = function;
    start(*program);
    program->next = started;
    started       = program;
    return program->table;
}

int mim_mil_run(int (*program)(void)) {
    Run run;
    run.program = program;
    run_on_large_stack(run);
    return run.status;
}
