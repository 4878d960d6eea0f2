// SPDX-License-Identifier: MIT
// How long each way takes to match whole subjects: a sum of what subjects make it do, each times a number of
// nanoseconds that was fitted to measurements (bench/regex/costs.py). Subjects are drawn from the pattern itself.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "plan.h"

namespace mim::plug::regex {

/// On average for a subject.
struct Work {
    double steps  = 0; ///< characters until its end, or until nothing can match
    double halves = 0; ///< blocks of 16 characters, of 32 at a time, until then
    double turns  = 0; ///< bits that tell how many of these there are
    double blocks = 0; ///< of branches
    double bits   = 0; ///< that these decide
    double skips  = 0; ///< ends of loops and runs, and chains, that branches look for 64 characters at a time
};

struct Features {
    Work half; ///< half of the subjects match, and most of the others nearly do
    Work few;  ///< few subjects match, and most of the others fail early
};
/// Of an automaton that matches whole subjects, and its pattern.
Features find_features(const Dfa&, const Pattern&);

/// For those who fit costs: six numbers for each kind of subjects, and which row of the table each way has.
std::string text(const Dfa&, const Features&);

/// The nanoseconds of a way, on subjects of which half match and of which few do; none if it does not fit.
using Cost = std::array<double, 2>;
std::optional<Cost> cost(by, const Dfa&, const Features&, Fast);

} // namespace mim::plug::regex
