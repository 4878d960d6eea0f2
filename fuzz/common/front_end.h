// SPDX-License-Identifier: MIT
// A session for one input, with limits that no input gets past.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/session.h"

namespace fuzz {

/// Makes sessions that have loaded these plugins, for the next calls of with_program; for a process that forks for each input.
void prepare(size_t sessions, const std::vector<std::string_view>& plugins);

/// Runs `body` on the large stack of a compilation with a session that has read `text`; `ok` says whether it has no errors. Errors of
/// the graph that reach no stage are faults: they end the process. `extension`: of another language than Mim.
void with_program(const std::string& text, const std::function<void(mim::Session&, bool ok)>& body,
                  const std::string& extension = {});

/// The same in a child, if the front end accepts the text. The plugins are loaded before, in the parent.
void with_accepted(const std::string& text, const std::vector<std::string_view>& plugins,
                   const std::function<void(mim::Session&)>& body);

/// Ends the process if a phase of the default pipeline breaks an invariant of the program.
void check_phases(mim::Session&, const std::string& text);

/// Ends the process with this message and text.
[[noreturn]] void fault(const std::string& what, const std::string& text);

} // namespace fuzz
