// SPDX-License-Identifier: MIT
// The needs of a module from outside of it, and whose fault it is if something is not there.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "ir/axiom.h"

namespace mim::backend::llvm {

/// Who calls a function of C first.
struct CCaller {
    Span at;
    std::string text; ///< "the emitter of `%core.nat.add` of the plugin `core`"
};

struct Outside {
    std::vector<const RuntimeLibrary*> libraries; ///< those that plugins want for the program
    std::map<std::string, CCaller> c_functions;   ///< by their names; without those that the back end itself needs

    /// Linking `what` failed. A note each tells who calls the functions that `why` names.
    void report(Diagnostics&, std::string_view what, std::string_view why) const;
};

} // namespace mim::backend::llvm
