// SPDX-License-Identifier: MIT
// Writing results. A regular file is written whole or not at all: under another name in the same folder first, then renamed.
// Pipes, devices and standard output (`-`) are written to directly and never replaced.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace mim {

/// False with the reason in `error`; a regular file is unchanged then.
bool write_output(const std::string& path, std::string_view bytes, std::string& error, bool executable = false);
/// The same, but refuses to replace one of the files that the output was made from.
bool write_result(const std::string& path, std::string_view bytes, std::span<const std::string> inputs, std::string& error,
                  bool executable = false);

} // namespace mim
