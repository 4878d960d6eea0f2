// SPDX-License-Identifier: MIT
#include "base/crash.h"

#include <pthread.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <utility>

namespace mim {

namespace {

struct Landing;

/// A signal handler has no other way to learn where to go; a thread has one innermost guarded call, so sessions do not meet here.
thread_local Landing* innermost = nullptr;
thread_local Crash landed;

/// The thread that began a guarded call last. A null handle is that of no thread on the systems that we know.
std::atomic<pthread_t> guarded_thread{};

struct Landing {
    explicit Landing(Guards guards)
        : guards(guards)
        , outer(innermost)
        , outer_thread(guarded_thread.exchange(pthread_self())) {
        innermost = this;
    }
    ~Landing() {
        innermost      = outer;
        guarded_thread = outer_thread;
    }
    Landing(const Landing&)            = delete;
    Landing& operator=(const Landing&) = delete;

    sigjmp_buf place;
    const Guards guards;
    Landing* const outer;
    const pthread_t outer_thread;
};

/// The innermost guard that ends with such a crash.
Landing* find(bool is_overflow) {
    auto landing = innermost;
    while (landing && is_overflow && landing->guards == Guards::Faults) landing = landing->outer;
    return landing;
}

} // namespace

void land_crash(int signal, bool is_overflow) {
    auto to = find(is_overflow);
    if (!to) return;
    innermost          = nullptr; // a crash while landing is final
    auto blame         = Blame::current();
    landed.signal      = signal;
    landed.is_overflow = is_overflow;
    landed.culprit     = blame ? blame->culprit : Culprit{};
    siglongjmp(to->place, signal);
}

bool hand_over_crash(int signal) {
    auto thread = guarded_thread.load();
    if (thread == pthread_t{} || pthread_equal(thread, pthread_self())) return false;
    return pthread_kill(thread, signal) == 0;
}

const Crash& landed_crash() { return landed; }

Unguarded::Unguarded()
    : outer_(std::exchange(innermost, nullptr)) {}

Unguarded::~Unguarded() { innermost = static_cast<Landing*>(outer_); }

std::optional<Guards> guards_here() {
    if (!innermost) return {};
    return find(true) ? Guards::Overflows : Guards::Faults;
}

std::optional<Crash> guarded(const std::function<void()>& f, Guards guards) {
    Landing landing(guards);
    auto blame = Blame::current();
    if (sigsetjmp(landing.place, 1)) {
        Blame::reset(blame);
        return landed;
    }
    try {
        f();
    } catch (const Crash& crash) { // of another thread, which worked for this one
        bool is_mine = !crash.is_overflow || guards == Guards::Overflows;
        if (!is_mine || crash.signal == 0) throw;
        return crash;
    }
    return {};
}

} // namespace mim
