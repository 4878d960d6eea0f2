// SPDX-License-Identifier: MIT
#include "opt/opt.h"

namespace mim::opt {

std::vector<Phase> phases() {
    return {
        {"rules", "applies rewrite rules until none fires", apply_rules},
        {"eta", "replaces functions that only forward their argument", eta_reduce},
        {"finish", "decides what waited to be known before code is emitted", finish},
    };
}

} // namespace mim::opt
