// SPDX-License-Identifier: MIT
// From text to code: each stage takes what the one before it made. Up to the types, a stage goes on where the one
// before it reported errors.
#pragma once
#include "driver/ends.h"
#include "tree.h"

namespace mim::plug::mil {

/// Reads a file and all that it requires. False if a part of it is missing.
bool read(FrontEndContext&, const std::string& library, Source&);
/// Makes types of those that data types, constructors and primitives are declared with.
void declare_types(FrontEndContext&, Source&);
/// Finds what names mean, and the order of definitions.
void resolve(FrontEndContext&, Source&);
/// Finds the types of definitions in LC.
void infer(FrontEndContext&, Source&);
/// Makes MIL of definitions in LC.
void lower(Source&);
/// Finds the types of definitions in MIL, and how many values each computation returns; the types of variables.
std::vector<Type*> check_types(FrontEndContext&, Source&);
/// The same of what the compiler has made, for which the user cannot be at fault.
std::vector<Type*> check_again(FrontEndContext&, Source&);
/// Removes what the program does not need.
void shake(Program&);
/// The result of a program that the abstract machine has run.
Evaluation run_machine(const Program&);
/// Makes functions of the World of a program that has a `main`.
void make_code(FrontEndContext&, const Program&);

} // namespace mim::plug::mil
