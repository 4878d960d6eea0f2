// SPDX-License-Identifier: MIT
#include "phase/crash.h"

#include <csetjmp>

#include "base/blame.h"

namespace mim {

namespace {

/// A signal handler has no other way to learn where to go; a thread has one innermost guarded call, so sessions do not meet here.
thread_local sigjmp_buf* landing = nullptr;

struct Landing {
    explicit Landing(sigjmp_buf* to)
        : outer(landing) {
        landing = to;
    }
    ~Landing() { landing = outer; }
    sigjmp_buf* outer;
};

} // namespace

void land_crash(int signal) {
    if (auto to = landing) {
        landing = nullptr; // a crash while landing is final
        siglongjmp(*to, signal);
    }
}

int guarded(const std::function<void()>& f) {
    sigjmp_buf here;
    Landing guard(&here);
    auto blame = Blame::current();
    if (int signal = sigsetjmp(here, 1)) {
        Blame::reset(blame);
        return signal;
    }
    f();
    return 0;
}

} // namespace mim
