// SPDX-License-Identifier: MIT
// How a run ends before the program has returned. Each is thrown, and eval::run reports it.
#pragma once
#include <string>
#include <utility>

#include "base/blame.h"
#include "ir/def.h"

namespace mim::eval {

/// Undefined behaviour; ends the run.
struct UndefinedBehaviour : Passing {
    UndefinedBehaviour(std::string message, const Def* where)
        : message(std::move(message))
        , where(where) {}
    std::string message;
    const Def* where;
};
/// A limit was reached, or something the evaluator cannot do; ends the run.
struct Failure : Passing {
    Failure(std::string message, const Def* where)
        : message(std::move(message))
        , where(where) {}
    std::string message;
    const Def* where;
};
/// The program has called `exit`.
struct Exit : Passing {
    explicit Exit(int code)
        : code(code) {}
    int code;
};

} // namespace mim::eval
