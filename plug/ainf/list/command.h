// SPDX-License-Identifier: MIT
// Programs that the evaluator runs with arguments from the command line.
#pragma once
#include <string>
#include <vector>

#include "eval/machine.h"

namespace mim::ainf {
struct Program; // ainf/runtime/program.h
}

namespace mim::plug::ainf {

/// The elements of an array of this length.
eval::Values elements(eval::Machine&, const eval::Value& array, uint64_t n);
/// The text that an array of bytes is.
std::string signature_of(eval::Machine&, const eval::Value& signature, uint64_t n);
/// Calls the program with its sizes and the words of its arguments; the leaves of its result.
std::vector<std::vector<uint64_t>> called(eval::Machine&, const eval::Value& function, const mim::ainf::Program&);

struct Command {
    uint64_t argc;
    eval::Value argv;
};
/// Calls the function of sizes with what the command line says, and prints its result: a token and 0.
eval::Value run_command(eval::Machine&, const eval::Value& function, const std::string& signature, const Command&, const Def*);

} // namespace mim::plug::ainf
