// SPDX-License-Identifier: MIT
#include "base/stack.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <system_error>

#include <pthread.h>
#include <sys/mman.h>

#include "base/crash.h"

namespace mim {

namespace detail {
thread_local constinit const char* stack_limit = nullptr;
thread_local constinit const char* stack_guard = nullptr;
} // namespace detail

namespace {

constexpr size_t kGuard    = size_t(1) << 20; ///< large enough that no frame jumps over it
constexpr size_t kMinStack = size_t(8) << 20;
constexpr size_t kSignals  = size_t(64) << 10;

/// Reserved memory, given back at the end of the scope.
class Mapping {
public:
    explicit Mapping(size_t bytes) {
        for (; bytes >= kMinStack; bytes /= 2) {
            void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
                             0);
            if (p == MAP_FAILED) continue;
            base_ = static_cast<char*>(p);
            size_ = bytes;
            ::mprotect(base_, kGuard, PROT_NONE);
            return;
        }
        throw std::bad_alloc();
    }
    ~Mapping() { ::munmap(base_, size_); }
    Mapping(const Mapping&)            = delete;
    Mapping& operator=(const Mapping&) = delete;

    char* guard() const { return base_; }
    char* begin() const { return base_ + kGuard; }
    size_t size() const { return size_ - kGuard; }

private:
    char* base_  = nullptr;
    size_t size_ = 0;
};

/// An alternative stack for the signal handlers of this thread: the big one may be what has overflown.
class SignalStack {
public:
    SignalStack() {
        void* p = ::mmap(nullptr, kSignals, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return;
        memory_       = p;
        stack_t stack = {};
        stack.ss_sp   = p;
        stack.ss_size = kSignals;
        ::sigaltstack(&stack, nullptr);
    }
    ~SignalStack() {
        if (!memory_) return;
        stack_t off  = {};
        off.ss_flags = SS_DISABLE;
        ::sigaltstack(&off, nullptr);
        ::munmap(memory_, kSignals);
    }
    SignalStack(const SignalStack&)            = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    void* memory_ = nullptr;
};

/// Interruptions go to the thread that works, which knows whose code it runs, and not to the one that waits for it.
class LeftToOthers {
public:
    LeftToOthers() {
        sigset_t interruptions;
        sigemptyset(&interruptions);
        for (int s : {SIGINT, SIGTERM, SIGXCPU, SIGALRM}) sigaddset(&interruptions, s);
        ::pthread_sigmask(SIG_BLOCK, &interruptions, &before_);
    }
    ~LeftToOthers() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    LeftToOthers(const LeftToOthers&)            = delete;
    LeftToOthers& operator=(const LeftToOthers&) = delete;

private:
    sigset_t before_;
};

struct Call {
    const std::function<void()>& fn;
    const Mapping& stack;
    std::optional<Guards> guards; ///< of the thread that waits
    std::exception_ptr error;
    Culprit thrower; ///< of the error, if a hook has thrown it
    std::optional<Crash> crash;
};

void* enter(void* arg) {
    auto& call          = *static_cast<Call*>(arg);
    detail::stack_limit = call.stack.begin() + call.stack.size() / 16;
    detail::stack_guard = call.stack.guard();
    SignalStack signals;
    try {
        if (call.guards) call.crash = guarded(call.fn, *call.guards);
        else call.fn();
    } catch (...) {
        call.error   = std::current_exception();
        call.thrower = Blame::thrower();
    }
    return nullptr;
}

/// Each thread has its own notes of who threw.
[[noreturn]] void throw_again(const Call& call) {
    auto& who = call.thrower;
    std::optional<Blame> blame;
    if (who) blame.emplace(who.plugin, who.kind, who.name, who.at);
    std::rethrow_exception(call.error);
}

} // namespace

void run_on_big_stack(const std::function<void()>& fn, size_t bytes) {
    Mapping stack(std::max(bytes, kMinStack));
    Call call{fn, stack, guards_here(), nullptr, {}, {}};
    pthread_attr_t attr;
    ::pthread_attr_init(&attr);
    ::pthread_attr_setstack(&attr, stack.begin(), stack.size());
    pthread_t thread;
    int failed = ::pthread_create(&thread, &attr, enter, &call);
    ::pthread_attr_destroy(&attr);
    if (failed) throw std::system_error(failed, std::generic_category(), "cannot start a thread");
    {
        LeftToOthers interruptions;
        ::pthread_join(thread, nullptr);
    }
    if (call.crash) throw *call.crash;
    if (call.error) throw_again(call);
}

bool is_stack_overflow(const void* address) {
    auto p = static_cast<const char*>(address);
    return detail::stack_guard && p >= detail::stack_guard && p < detail::stack_guard + kGuard;
}

} // namespace mim
