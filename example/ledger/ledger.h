// SPDX-License-Identifier: MIT
// The parts of the plugin; each registers its hooks.
#pragma once
#include "driver/plugin.h"

void add_axioms(mim::PluginBuilder&);
void add_language(mim::PluginBuilder&);
void add_command(mim::PluginBuilder&);
