// SPDX-License-Identifier: MIT
// Options of LLVM that no pipeline has, but only the process.
#pragma once
#include <llvm/ADT/StringRef.h>

namespace mim::backend::llvm {

/// Whether LLVM is to count the option as given, which it allows once.
enum class Counts : bool { No, Yes };

/// Does nothing if this LLVM has no such option. Not for several threads at once.
void set_process_option(::llvm::StringRef name, ::llvm::StringRef value, Counts = Counts::No);

/// Makes the choices that differ from LLVM's own, once.
void choose_process_options();

} // namespace mim::backend::llvm
