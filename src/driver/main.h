// SPDX-License-Identifier: MIT
// The whole program `mim`: reads the command line, dispatches to a command, and turns whatever happens into an exit status.
#pragma once

namespace mim {

enum ExitStatus : int {
    kDone       = 0,
    kInputError = 1,  ///< the input has errors
    kUsageError = 2,  ///< the command line has errors
    kInternal   = 70, ///< a fault of mim's own
};

int main(int argc, char** argv);

} // namespace mim
