// SPDX-License-Identifier: MIT
// A session for one input, with limits that no input gets past.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"

namespace fuzz {

/// Makes sessions that have loaded these plugins, for the next calls of with_program; for a process that forks for each input.
void prepare(size_t sessions, const std::vector<std::string_view>& plugins);

/// Runs `body` on the large stack of a compilation with a session that has read `text`; `ok` says whether it has no errors. Errors of
/// the graph that reach no stage are faults: they end the process.
void with_program(const std::string& text, const std::function<void(mim::Session&, bool ok)>& body);

/// The same for the input of a target, in a child, if the front end accepts it; inputs of more than 4 KiB are left out. The plugins
/// are loaded before, in the parent.
void with_accepted(const uint8_t* data, size_t size, const std::vector<std::string_view>& plugins,
                   const std::function<void(mim::Session&, const std::string& text)>& body);

/// Ends the process with this message and text.
[[noreturn]] void fault(const std::string& what, const std::string& text);

} // namespace fuzz
