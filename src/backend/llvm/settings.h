// SPDX-License-Identifier: MIT
// The options that decide which code is emitted.
#pragma once
#include <llvm-c/Target.h>

#include <functional>
#include <set>
#include <string>

#include "ir/world.h"

namespace mim::backend::llvm {

struct Settings {
    LLVMTargetDataRef data = nullptr;
    bool checked           = false;
    std::string triple;
    bool debug    = false; ///< -g
    bool optimize = false;
    bool memory   = false; ///< --checked, and the program will have the library that knows of memory
    std::function<std::string(World&, const Def*)> show = {};
    std::set<std::string, std::less<>> features         = {}; ///< of the processor
};

/// Whether C code for the target follows AAPCS64; else it follows System V x86-64.
inline bool is_arm(const Settings& s) { return s.triple.starts_with("aarch64") || s.triple.starts_with("arm64"); }

} // namespace mim::backend::llvm
