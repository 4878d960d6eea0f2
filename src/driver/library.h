// SPDX-License-Identifier: MIT
// What is known of a shared library before the system opens it.
#pragma once
#include <string>

namespace mim {

/// Whether the file ends before what its headers promise, as after a copy that did not finish. Opening such a library maps memory that
/// has no file behind it, and the first access there ends the process. False for whatever is no library: the system says why.
bool is_cut_off(const std::string& path);

} // namespace mim
