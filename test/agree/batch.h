// SPDX-License-Identifier: MIT
// Checks programs, many in one module. What a program means is what the evaluator says of the module as it was written: without
// normalizers. Wherever that is defined, everything else must agree:
//
//     normalized  the evaluator on the graph that the compiler builds, which must verify
//     known       the same when the inputs are literals, so that normalizers compute
//     reread      the evaluator on what the compiler printed and read again, which must print the same
//     phases      the evaluator after each phase of the pipeline, each verified
//     late        `reread` after the pipeline
//     O0, O3      machine code
//     debug       machine code at -O0 with -g
//     checked     machine code with --checked, which must trap where the evaluator finds what the language says is trapped
//
// A mutant (mode `mutant`) may be refused with a diagnostic, by the checker or by the pipeline; if it is not, all modes must agree, and the evaluator must
// find nothing undefined but what the language says may be.
// With the mode `tokens`, the checker may refuse a program for its tokens.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "gen.h"

namespace agree {

inline const std::vector<std::string> all_modes = {"normalized", "known", "reread", "phases", "late",
                                                   "O0",         "O3",    "debug",  "checked"};

struct Failure {
    std::string mode; ///< or `written`: the program itself is rejected, or the evaluator cannot run it
    std::string message;
    int program = -1; ///< -1: the module as a whole
    int input   = -1;
};

struct Tally {
    uint64_t programs = 0; ///< defined on some input
    uint64_t runs = 0, undefined = 0, long_runs = 0;
    uint64_t refused = 0, refused_late = 0; ///< by the checker; mutants: by a phase or the back end
    std::set<std::string> axioms;           ///< that were evaluated

    void operator+=(const Tally&);
};

/// The failures of these programs, and in `tally` what was done. Files are written to `folder`.
std::vector<Failure> check(const std::vector<Program>&, const std::set<std::string>& modes, const std::string& folder,
                           Tally& tally);

/// Checks one mutant. It yields a failure with the mode `unsound` if the mutant is accepted and then goes wrong.
std::vector<Failure> check_mutant(const Program&, const std::set<std::string>& modes, const std::string& folder, Tally& tally);

/// The text of a module of these programs.
std::string module_text(const std::vector<Program>&);

/// The axioms of the plugins that programs use, which have a normalizer.
std::set<std::string> normalized_axioms();

} // namespace agree
