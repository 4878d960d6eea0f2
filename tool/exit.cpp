// SPDX-License-Identifier: MIT The ends of the program `mim`, also for plugins: a hook that ends the process is
// reported. A handler of `exit` comes too late for that, since what is called before it may wait for threads, and
// `_exit` has no handlers. Not in libmim: programs that link that end as they like.
#if defined(__linux__)
#    include <cstdlib>

#    include <dlfcn.h>
#    include <sys/syscall.h>
#    include <unistd.h>

#    include "driver/crash.h"

extern "C" {

void exit(int status) noexcept {
    mim::check_exit("exit");
    using Exit = void (*)(int);
    if (auto original = reinterpret_cast<Exit>(::dlsym(RTLD_NEXT, "exit"))) original(status);
    _exit(status);
}

void _exit(int status) {
    mim::check_exit("_exit");
    while (true) ::syscall(SYS_exit_group, status);
}

void _Exit(int status) noexcept { _exit(status); }

} // extern "C"
#endif
