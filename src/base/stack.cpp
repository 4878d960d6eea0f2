// SPDX-License-Identifier: MIT
#include "base/stack.h"

#include <algorithm>
#include <exception>
#include <system_error>

#include <pthread.h>
#include <sys/mman.h>

namespace mim {

namespace detail {
thread_local constinit const char* stack_limit = nullptr;
thread_local constinit const char* stack_guard = nullptr;
} // namespace detail

namespace {

constexpr size_t kGuard    = size_t(1) << 20; ///< large enough that no frame jumps over it
constexpr size_t kMinStack = size_t(8) << 20;

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

struct Call {
    const std::function<void()>& fn;
    const Mapping& stack;
    std::exception_ptr error;
};

void* enter(void* arg) {
    auto& call          = *static_cast<Call*>(arg);
    detail::stack_limit = call.stack.begin() + call.stack.size() / 16;
    detail::stack_guard = call.stack.guard();
    try {
        call.fn();
    } catch (...) {
        call.error = std::current_exception();
    }
    return nullptr;
}

} // namespace

void run_on_big_stack(const std::function<void()>& fn, size_t bytes) {
    Mapping stack(std::max(bytes, kMinStack));
    Call call{fn, stack, nullptr};
    pthread_attr_t attr;
    ::pthread_attr_init(&attr);
    ::pthread_attr_setstack(&attr, stack.begin(), stack.size());
    pthread_t thread;
    int failed = ::pthread_create(&thread, &attr, enter, &call);
    ::pthread_attr_destroy(&attr);
    if (failed) throw std::system_error(failed, std::generic_category(), "cannot start a thread");
    ::pthread_join(thread, nullptr);
    if (call.error) std::rethrow_exception(call.error);
}

bool is_stack_overflow(const void* address) {
    auto p = static_cast<const char*>(address);
    return detail::stack_guard && p >= detail::stack_guard && p < detail::stack_guard + kGuard;
}

} // namespace mim
