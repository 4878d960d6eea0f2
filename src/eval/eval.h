// SPDX-License-Identifier: MIT
// The reference evaluator's front: runs a program or one function of a World and reports what happened. It evaluates the graph as it
// stands, by need, with memory and C functions, and never crashes: undefined behaviour, limits and what it cannot do are results.
// It shares no code with the normalizers, so that it can be the oracle for them and for the back ends.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "eval/machine.h"

namespace mim::eval {

struct Result {
    enum Status { Done, Undefined, Failed };
    Status status = Done;
    int exit_code = 0;          ///< low 8 bits of what main returned
    std::string output;         ///< what C functions printed, also on failure
    std::string message;        ///< what was undefined or went wrong
    const Def* where = nullptr; ///< the expression to blame, maybe null
    uint64_t steps   = 0;
};

/// Runs `main` in any of its forms; args[0] is the name of the program.
Result run_main(World&, const std::vector<std::string>& args = {"main"}, const Limits& = {});

/// Calls one function, in direct style or `fun`, with closed arguments; `see` gets the forced result while the machine lives.
Result call(World&, const Def* fn, Defs args, const std::function<void(Machine&, const Value&)>& see, const Limits& = {});

/// Evaluates a closed expression.
Result evaluate(World&, const Def* closed, const std::function<void(Machine&, const Value&)>& see, const Limits& = {});

/// Runs `body` on a machine with a stack of its own; what it returns is the exit code.
Result run(World&, const std::function<int(Machine&)>& body, const Limits&);

/// The C functions the evaluator knows: putchar, puts, exit, abort, abs, labs, …
void add_c_functions(Machine&);

} // namespace mim::eval
