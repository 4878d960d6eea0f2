// SPDX-License-Identifier: MIT
// Recursion over deep input: a compilation runs on a thread of its own with a large stack that is only reserved, and recursive
// functions ask stack_is_low() at each level, which costs a comparison. Below the end lies a guard page.
#pragma once
#include <cstddef>
#include <functional>

namespace mim {

/// Enough for a million nested calls. Not more: an endless evaluation fills it before it ends with a diagnostic.
constexpr size_t kBigStack = size_t(1) << 30;

/// Runs fn on a new thread with a stack of up to `bytes` (less if the system refuses to reserve so much) and waits for it. An
/// exception of fn is thrown again here.
void run_on_big_stack(const std::function<void()>& fn, size_t bytes = kBigStack);

namespace detail {
/// Below this address little is left; null on threads that run_on_big_stack did not make.
extern thread_local constinit const char* stack_limit __attribute__((tls_model("initial-exec")));
/// The guard page of this thread's stack, or null.
extern thread_local constinit const char* stack_guard __attribute__((tls_model("initial-exec")));
} // namespace detail

/// Whether the caller should stop with a diagnostic instead of going deeper. At least 1/16 of the stack is still there then.
inline bool stack_is_low() { return static_cast<const char*>(__builtin_frame_address(0)) < detail::stack_limit; }

/// Whether a fault at this address is an overflow of this thread's stack; for signal handlers.
bool is_stack_overflow(const void* address);

} // namespace mim
