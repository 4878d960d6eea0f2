// SPDX-License-Identifier: MIT
// What makes an executable report crashes: linked in by its name.
#include "runtime/crash.h"

extern "C" __attribute__((constructor)) void mim_report_crashes() {
    mim::runtime::use_signal_stack();
    mim::runtime::report_crashes(mim::runtime::Then::Raise);
}
