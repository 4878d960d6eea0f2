// SPDX-License-Identifier: MIT
#include "base/stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <exception>
#include <new>

namespace mim {

namespace {
constexpr std::size_t Reserve = 256 << 10; ///< room that whoever is told "low" still needs to report it

/// The lowest address that the current thread should use; found out on first use per thread.
std::uintptr_t stack_limit() {
    pthread_attr_t attr;
    void* base       = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        pthread_attr_getstack(&attr, &base, &size);
        pthread_attr_destroy(&attr);
    }
    return reinterpret_cast<std::uintptr_t>(base) + Reserve;
}

struct Task {
    const std::function<void()>& fn;
    std::exception_ptr error;
};

void* run(void* arg) {
    auto task = static_cast<Task*>(arg);
    try {
        task->fn();
    } catch (...) { task->error = std::current_exception(); }
    return nullptr;
}
} // namespace

bool stack_is_low() {
    static thread_local const std::uintptr_t limit = stack_limit();
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
}

void run_on_big_stack(const std::function<void()>& fn) {
    constexpr std::size_t guard = 64 << 10;
    auto size                   = BigStackBytes;
    void* stack                 = MAP_FAILED;
    for (; size >= (std::size_t(8) << 20); size /= 2) {
        stack = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (stack != MAP_FAILED) break;
    }
    if (stack == MAP_FAILED) throw std::bad_alloc();
    mprotect(stack, guard, PROT_NONE);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, static_cast<char*>(stack) + guard, size - guard);
    Task task{fn, nullptr};
    pthread_t thread;
    int failed = pthread_create(&thread, &attr, run, &task);
    if (!failed) pthread_join(thread, nullptr);
    pthread_attr_destroy(&attr);
    munmap(stack, size);
    if (failed) throw std::bad_alloc();
    if (task.error) std::rethrow_exception(task.error);
}

} // namespace mim
