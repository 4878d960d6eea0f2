// SPDX-License-Identifier: MIT
// The parts of the emitter share this much: the program, and how far its emission is.
#pragma once
#include <llvm-c/Core.h>

#include "analysis/c_types.h"
#include "analysis/program.h"
#include "backend/llvm/reports.h"

namespace mim::backend::llvm {

/// The function that is being emitted. bodies.h sets it; while what C calls is emitted (detour.h) there is only a
/// place.
struct Frame {
    const Function* fn      = nullptr;
    LLVMBasicBlockRef first = nullptr; ///< after the entry block: where a function that calls itself at its end begins again
    bool hands_on           = false;   ///< the block being filled is in a loop whose turns may hand suspended evaluations on
    const Def* place        = nullptr; ///< to blame for what is wrong now
};

struct Context {
    World& world;
    Program& program;
    CTypes& c_types;
    Reports& reports;
    Frame& frame;
};

} // namespace mim::backend::llvm
