// SPDX-License-Identifier: MIT
// A phase that crashes (a failed assertion, a wild pointer) must still leave a reproducer. The program installs handlers once; a
// guarded call then comes back with the signal instead of ending the process, which goes on just long enough to write the file.
// Signal handlers belong to a process, so this is the one thing here that is not owned by a session; a host that uses libmim as
// a library does not install them, and nothing changes for it.
#pragma once
#include <functional>

namespace mim {

/// For main(): crashes outside of guarded calls end with a message and status 70.
void install_crash_handlers();
/// Back to the system's: before code of the user runs in this process.
void remove_crash_handlers();

/// Runs f; 0, or the signal that ended it. What f owned is leaked then. Exceptions pass.
int guarded(const std::function<void()>& f);

} // namespace mim
