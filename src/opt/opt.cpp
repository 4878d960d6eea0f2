// SPDX-License-Identifier: MIT
#include "opt/opt.h"

namespace mim::opt {

std::vector<Phase> phases() {
    return {
        {"rules", "applies rewrite rules until none fires", apply_rules},
        {"eta", "replaces functions that only forward their argument", eta_reduce},
        {"dead", "drops parameters that nothing needs", drop_dead, true},
        {"inline", "puts the bodies of functions that are called once, or are tiny, in the place of their calls", inline_calls,
         true},
        {"monomorphize", "copies functions for the types that are passed to them, so that no type is passed at run time",
         monomorphize},
        {"specialize", "copies functions for the functions and types that are passed to them", specialize},
        {"loops", "makes loops of functions that call themselves last", find_loops},
        {"constants", "replaces parameters that are the same on all calls, or the same as another parameter", propagate_constants,
         true},
        {"flatten", "makes parameters of the elements of tuples that are passed", flatten},
        {"choices", "makes branches of calls of one of several functions", branch_on_choices},
        {"branch", "removes branches whose outcome is known or does not matter", simplify_branches},
        {"finish", "decides what waited to be known before code is emitted", finish},
    };
}

} // namespace mim::opt
