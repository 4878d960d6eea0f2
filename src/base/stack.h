// SPDX-License-Identifier: MIT
// Deep programs need a deep stack: each compilation runs on its own mmap'ed one, whose remaining room recursive code can ask for.
#pragma once
#include <cstddef>
#include <functional>

namespace mim {

/// Address space of a compilation's stack; pages are only committed when touched.
inline constexpr std::size_t BigStackBytes = std::size_t(8) << 30;

/// Runs fn on a stack of BigStackBytes with a guard page and returns when it is done; exceptions propagate.
void run_on_big_stack(const std::function<void()>& fn);

/// Whether the current thread's stack is nearly used up. A few instructions; works on every thread.
bool stack_is_low();

} // namespace mim
