// SPDX-License-Identifier: MIT
#include "ledger.h"

#include "ledger/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    p.diagnostics(mim::plug::ledger::diag::all());
    add_axioms(p);
    add_language(p);
    add_command(p);
}

MIM_PLUGIN(ledger, init)
