// SPDX-License-Identifier: MIT
// A program in RISE, as an imperative program and as C.
#pragma once
#include <optional>
#include <string>

#include "phase/phase.h"
#include "terms.h"

namespace mim::plug::dpia {

/// An output, or why there is none.
struct ProgramText {
    std::string text               = {};
    std::optional<Refused> refused = {};
};

/// A program for the outputs of the plugin, which are made when they are asked for. `signature` is that of `%rise.main`: its
/// sizes and facts are in it.
struct ImperativeProgram {
    std::string name, signature;
    const Lam *terms = nullptr, *commands = nullptr;
    ProgramText shown_terms, shown, code, threads, header, kernel, host;
};

/// A function of the sizes, whose result is the imperative program.
Lam* imperative(World&, const Lam* program);
/// Refuses parallel loops that no target has.
void verify(PhaseContext&);
/// The function `NAME` of sizes, inputs and the acceptor of the result.
std::string show(World&, const Lam* program, const std::string& name);
/// The functional program, with the accesses of its expressions.
std::string show_terms(World&, const Lam* program, const std::string& name);
/// The C of it, and a header.
void write_c(World&, ImperativeProgram&);
/// The C with threads.
void write_threads(World&, ImperativeProgram&);
/// The kernel of OpenCL.
void write_kernel(World&, ImperativeProgram&);
/// C that starts kernels, and the kernels of a program that says which there are; behind `write_c` and `write_kernel`.
void write_host(World&, ImperativeProgram&);

} // namespace mim::plug::dpia
