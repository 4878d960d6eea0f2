// SPDX-License-Identifier: MIT
// Code generation as the driver sees it. The module that links LLVM (libmim_llvm.so) is opened by the first call that needs it;
// nothing else in the compiler does.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "ir/world.h"

namespace mim::backend {

/// The advice if there is no function `main`.
constexpr const char* kMainOfMim = "declare `fun extern main(): I32`";

enum class Output : uint8_t { Exe, Obj, Shared, Asm, Bitcode, Text, Header };

/// The target that LLVM makes code for, as emitters name it.
inline constexpr auto kTarget = "llvm";

struct EmitOptions {
    struct File {
        Output kind;
        std::string path;
    };
    std::vector<File> files;
    unsigned opt = 2;     ///< -O0 … -O3
    std::string triple;   ///< empty: the host
    std::string cpu;      ///< empty: the host's, or the generic one of `triple`; "native": the host's
    bool checked = false; ///< trap on undefined behaviour
    bool debug   = false; ///< -g
    bool verbose = false; ///< show the linker's command
    /// Code in memory that is wanted soon: with passes that matter to a small program that is optimized already, and nothing of the run-time library.
    bool quick = false;
    /// Called once when a program is code and is about to run in memory; may be empty.
    std::function<void()> before_run = {};
    /// An expression as the user would write it, for messages; empty: names and shapes only.
    std::function<std::string(World&, const Def*)> show = {};
};

/// Takes the bytes of one output and writes them (the driver knows how); false after reporting a problem.
using Sink = std::function<bool(const EmitOptions::File&, std::string_view bytes)>;

/// Emits the World's externals to all files. Problems are reported to `diags`; false if there were any.
bool emit(World&, Diagnostics&, const EmitOptions&, const Sink&);

/// Machine code of a program in this process; it is gone with this object.
class Code {
public:
    virtual ~Code() = default;
    /// The address of an external function, which follows C's conventions; null after a report.
    virtual void* address(Diagnostics&, const std::string& symbol) = 0;
};

/// Compiles the World's externals in memory; null after reporting a problem.
std::unique_ptr<Code> compile_in_memory(World&, Diagnostics&, const EmitOptions&);

/// Compiles in memory and runs `main` with these arguments (argv[0] included) on a stack of ordinary size. The result's low 8 bits,
/// or -1 after reporting a problem.
int run_jit(World&, Diagnostics&, const EmitOptions&, const std::vector<std::string>& args);

/// Sets the World's data layout for a target (empty: the host), and what its processor has, before a program is read. Costs nothing for the host: no
/// LLVM is loaded.
bool set_target(World&, Diagnostics&, const std::string& triple, const std::string& cpu);

/// For `mim doctor`: the version of LLVM behind the back end, or why there is none.
std::string llvm_version();

/// The C header of the externals.
std::string c_header(World&, Diagnostics&);

} // namespace mim::backend
