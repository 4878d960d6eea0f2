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

/// A program for the outputs of the plugin. `signature` is that of `%rise.main`: its sizes and facts are in it.
struct ImperativeProgram {
    std::string name, signature;
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
/// The C of it, with and without threads, and a header.
void write_c(World&, const Lam* program, ImperativeProgram&);
/// The kernel of OpenCL.
void write_kernel(World&, const Lam* program, ImperativeProgram&);
/// C that starts kernels, and the kernels of a program that says which there are.
void write_host(World&, const Lam* program, ImperativeProgram&);

} // namespace mim::plug::dpia
