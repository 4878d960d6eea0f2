// SPDX-License-Identifier: MIT
#include "base/crash.h"

#include <csetjmp>
#include <utility>

namespace mim {

namespace {

struct Landing;

/// A signal handler has no other way to learn where to go; a thread has one innermost guarded call, so sessions do not meet here.
thread_local Landing* innermost = nullptr;
thread_local Crash landed;

struct Landing {
    explicit Landing(Guards guards)
        : guards(guards)
        , outer(innermost) {
        innermost = this;
    }
    ~Landing() { innermost = outer; }
    Landing(const Landing&)            = delete;
    Landing& operator=(const Landing&) = delete;

    sigjmp_buf place;
    const Guards guards;
    Landing* const outer;
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
        if (crash.is_overflow && guards == Guards::Faults) throw;
        return crash;
    }
    return {};
}

} // namespace mim
