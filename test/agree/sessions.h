// SPDX-License-Identifier: MIT
// Sessions that have loaded the plugins of all programs. That costs more than a program does; so they are made before a process forks
// for its checks, and each child finds them done. A child takes each once and never gives it back: its memory goes with it.
#pragma once
#include "driver/session.h"

namespace agree {

enum class Kind : uint8_t {
    Compiler,
    Reference, ///< without normalizers
    Checked,   ///< with --checked
    Debug      ///< with -g
};

/// Makes as many sessions as one check needs.
void prepare_sessions();

/// One of those, or one made now.
mim::Session& take_session(Kind);

} // namespace agree
