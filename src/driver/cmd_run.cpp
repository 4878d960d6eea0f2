// SPDX-License-Identifier: MIT
// `mim run FILE [ARG…]`: compiles in memory and runs main; exits with the low 8 bits of its result.
#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/compilation.h"
#include "driver/crash.h"
#include "driver/emission.h"

namespace mim {

int cmd_run(const Options& o) {
    return compile(o, o.files.front(), [&](Compilation& c) {
        if (!c.check()) return static_cast<int>(kInputError);
        if (auto outcome = c.optimize(); outcome != Outcome::Done) return status_of(outcome);
        auto args = o.args;
        args.insert(args.begin(), o.files.front());
        // Warnings come before anything that the program prints.
        c.show_diagnostics();
        remove_crash_handlers();
        int result = backend::run_jit(c.session.world, c.session.diags, emit_options(o), args);
        install_crash_handlers();
        return result < 0 ? static_cast<int>(kInputError) : result;
    });
}

} // namespace mim
