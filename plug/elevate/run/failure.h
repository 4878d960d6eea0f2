// SPDX-License-Identifier: MIT
// Why a strategy failed, as a tree that is only made into text if the outermost strategy fails.
#pragma once
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "ir/rule.h"
#include "terms.h"

namespace mim::plug::elevate {

/// Words, and terms, which are shown between backticks. Most reasons are never read, so no term is made into text before
/// one is.
using Reason = std::vector<std::variant<std::string, const Def*>>;

struct Failure {
    enum Kind : uint8_t {
        Rule,  ///< `name` does not apply to `term`: `why`
        Said,  ///< `name` fails at `term`: `reason`
        Below, ///< in the child of a term, where `parts` has one element
        All,   ///< each of `parts` failed; there may be none
    } kind;
    const Def* term                   = nullptr;
    std::string name                  = {};
    Reason reason                     = {};
    Mismatch why                      = {};
    size_t child                      = 0;
    std::vector<const Failure*> parts = {};
};

/// One line a leaf: equal ones once, with their count; rules whose left side has the axiom of the term first, then the
/// deepest, and only the first of many.
std::string failure_text(World&, const Failure*, const Words&);
/// One reason, for a rule.
std::string mismatch_text(World&, const Mismatch&, const Words&);

} // namespace mim::plug::elevate
