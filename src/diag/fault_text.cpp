// SPDX-License-Identifier: MIT
#include "diag/fault_text.h"

#include "base/crash.h"

namespace mim {

bool is_full(const Diagnostics& diags) { return diags.max_errors != 0 && diags.num_errors() >= diags.max_errors; }

std::string fault_text(const Diagnostics* diags) {
    try {
        return thrown_text();
    } catch (const Crash& crash) {
        if (crash.signal != 0) throw;
    } catch (const TooManyErrors&) {
        if (diags && is_full(*diags)) throw;
        return "it stopped after too many errors, which nobody has seen";
    } catch (const Passing&) {}
    return "it threw what only Mim throws";
}

} // namespace mim
