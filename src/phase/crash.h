// SPDX-License-Identifier: MIT
// A phase that crashes (a failed assertion, a wild pointer) must still leave a reproducer: a guarded call comes back with the
// signal instead of ending the process, which goes on just long enough to write the file. Needs the program's signal handler to
// call land_crash; where nobody installed one (libmim inside of another program), a crash is a crash.
#pragma once
#include <functional>

namespace mim {

/// Runs f; 0, or the signal that ended it. What f owned is leaked then. Exceptions pass.
int guarded(const std::function<void()>& f);

/// For signal handlers: ends the innermost guarded call of this thread with `signal`; returns if there is none.
void land_crash(int signal);

} // namespace mim
