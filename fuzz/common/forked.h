// SPDX-License-Identifier: MIT
// One input in one child process. What every input needs, plugins above all, is made once and inherited, so that an execution costs
// a fork instead of loading them; and nothing that an input leaves behind reaches the next. libFuzzer sees what the child covered: the
// counters of all instrumented libraries come back through shared memory.
#pragma once
#include <functional>

namespace fuzz {

/// Runs `work` in a child. If that does not end well, neither does this process, in the same way: libFuzzer has written the input by
/// then, since its handlers are inherited, too. What uses more than some gigabytes of memory has not ended well.
void in_child(const std::function<void()>& work);

} // namespace fuzz
