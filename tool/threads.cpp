// SPDX-License-Identifier: MIT
// The threads of the program `mim`, also those that plugins start: a thread that a hook has started runs code of its
// plugin, also when the hook has come back long ago. Not in libmim, as tool/exit.cpp.
#if defined(__linux__)
#    include <cerrno>
#    include <memory>
#    include <new>
#    include <string>

#    include <dlfcn.h>
#    include <pthread.h>

#    include "base/blame.h"

extern "C" {

using ThreadFunction = void* (*)(void*);
using CreateThread   = int (*)(pthread_t*, const pthread_attr_t*, ThreadFunction, void*);

/// That of a sanitizer's own run time, which wants to know of each thread.
[[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, ThreadFunction, void*);

} // extern "C"

namespace {

struct Start {
    ThreadFunction run;
    void* arg;
    std::string plugin, kind, name; ///< whoever gave them may be gone before the thread is
};

void* enter(void* given) {
    std::unique_ptr<Start> start(static_cast<Start*>(given));
    mim::Blame blame(start->plugin, start->kind, start->name);
    return start->run(start->arg);
}

CreateThread original() {
    if (__interceptor_pthread_create) return __interceptor_pthread_create;
    return reinterpret_cast<CreateThread>(::dlsym(RTLD_NEXT, "pthread_create"));
}

int create_for(const mim::Culprit& who, pthread_t* thread, const pthread_attr_t* attr, ThreadFunction run, void* arg) {
    try {
        std::unique_ptr<Start> start(new Start{run, arg, std::string(who.plugin), std::string(who.kind), std::string(who.name)});
        int failed = original()(thread, attr, enter, start.get());
        if (!failed) static_cast<void>(start.release());
        return failed;
    } catch (const std::bad_alloc&) {
        return EAGAIN;
    }
}

} // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attr, ThreadFunction run, void* arg) {
    auto blame     = mim::Blame::current();
    bool is_plugin = blame && !blame->culprit.plugin.empty();
    return is_plugin ? create_for(blame->culprit, thread, attr, run, arg) : original()(thread, attr, run, arg);
}
#endif
