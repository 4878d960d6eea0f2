// SPDX-License-Identifier: MIT
// `mim check FILE…`: diagnostics only. Each file is a program of its own. The pipeline runs only if an option speaks of it, so a
// plain check loads no plugin that the program does not name.
#include <algorithm>

#include "driver/commands.h"
#include "driver/compilation.h"

namespace mim {

int cmd_check(const Options& o) {
    bool pipeline = !o.pipeline.empty() || !o.print_after.empty() || !o.start_at.empty() || !o.stop_after.empty();
    int status    = kDone;
    for (auto& file : o.files) {
        auto one = compile(o, file, [&](Compilation& c) {
            if (!c.check()) return static_cast<int>(kInputError);
            return pipeline ? status_of(c.optimize()) : static_cast<int>(kDone);
        });
        status   = std::max(status, one);
    }
    return status;
}

} // namespace mim
