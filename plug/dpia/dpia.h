// SPDX-License-Identifier: MIT
// A program in RISE, as an imperative program and as C.
#pragma once
#include <optional>
#include <string>

#include "phase/phase.h"
#include "terms.h"

namespace mim::plug::dpia {

/// A program for the outputs of the plugin. `signature` is that of `%rise.main`: its sizes and facts are in it.
struct ImperativeProgram {
    std::string name, signature;
    std::string shown, code, header; ///< its outputs
    std::optional<Refused> refused = {};
};

/// The function `NAME` of sizes, inputs and the acceptor of the result.
std::string show(World&, const Lam* program, const std::string& name);
/// The C of it, and a header.
void write_c(World&, const Lam* program, ImperativeProgram&);

} // namespace mim::plug::dpia
