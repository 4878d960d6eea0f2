// SPDX-License-Identifier: MIT
#pragma once
#include "driver/plugin.h"

namespace mim::plug::regex {

/// Adds `mim grep`.
void add_grep(PluginBuilder&);

} // namespace mim::plug::regex
