// SPDX-License-Identifier: MIT
// A session for one input, with limits that no input gets past.
#pragma once
#include <functional>
#include <string>

#include "driver/session.h"

namespace fuzz {

/// Runs `body` on the large stack of a compilation with a session that has read `text`; `ok` says whether it has no errors. Errors of
/// the graph that reach no stage are faults: they end the process.
void with_program(const std::string& text, const std::function<void(mim::Session&, bool ok)>& body);

/// Ends the process with this message and text.
[[noreturn]] void fault(const std::string& what, const std::string& text);

} // namespace fuzz
