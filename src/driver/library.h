// SPDX-License-Identifier: MIT
// What is known of a shared library before the system opens it.
#pragma once
#include <string>
#include <string_view>

namespace mim {

/// Whether the file ends before what its headers promise, as after a copy that did not finish. Opening such a library maps memory that
/// has no file behind it, and the first access there ends the process. False for whatever is no library: the system says why.
bool is_cut_off(const std::string& path);

/// The plugin whose library it is, as far as the file's name tells; else that.
std::string plugin_of_library(const std::string& path);

/// Opens the library of a plugin as dlopen does. What runs then (constructors of static objects) is the plugin's; the
/// system cannot open or close another library after a crash in it, so that ends the process, with the plugin's name.
void* open_library_of(std::string_view plugin, const std::string& path, int flags);

} // namespace mim
