// SPDX-License-Identifier: MIT
// How a run ends before the program has returned. Each is thrown, and eval::run reports it.
#pragma once
#include <string>
#include <utility>

#include "base/blame.h"
#include "ir/def.h"

namespace mim::eval {

/// An operation that nobody can go on from.
struct Stop : Passing {
    Stop(std::string message, const Def* where)
        : message(std::move(message))
        , where(where) {}
    std::string message;
    const Def* where; ///< the operation
};
/// Its behaviour is undefined.
struct UndefinedBehaviour : Stop {
    using Stop::Stop;
};
/// It reached a limit, or the evaluator cannot do it.
struct Failure : Stop {
    using Stop::Stop;
};
/// A number was asked for that depends on the value of a binder in a type: see Types::rigid. The operation that asked
/// waits for it.
struct Unknown : Failure {
    using Failure::Failure;
};
/// The program has called `exit`.
struct Exit : Passing {
    explicit Exit(int code)
        : code(code) {}
    int code;
};

} // namespace mim::eval
