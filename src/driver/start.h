// SPDX-License-Identifier: MIT
// The function that a program starts with.
#pragma once
#include "driver/session.h"

namespace mim {

/// Whether the program has a `main`; else a report, at the function that may be meant.
bool check_main_exists(Session&);
/// Whether the system can call the `main` of a program that no phase has changed; else a report. It is there.
bool check_main_type(Session&);

} // namespace mim
