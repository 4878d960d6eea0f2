// SPDX-License-Identifier: MIT
#include "driver/templates.h"

namespace mim {

namespace {

constexpr TemplateFile kFiles[] = {
    {"@NAME@.mim", R"(// What the plugin `@NAME@` declares. C++ sees it through the header that `mim bootstrap @NAME@.mim` makes.

/// Twice a number; undefined if that does not fit in 64 bits.
axm %@NAME@.twice: Nat → Nat, normalize_twice;

/// Four times a number. The phase `@NAME@.lower` turns it into two `twice`.
axm %@NAME@.quad: Nat → Nat;
)"},
    {"@NAME@.cpp", R"(// The C++ part of the plugin `@NAME@`: one of each thing that a plugin can have.
#include "@NAME@/annexes.h"
#include "backend/emit.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "kit/lower.h"
#include "kit/match.h"

namespace mim::plug::@CPP_NAME@ {

/// twice of a literal is a literal. Runs whenever an application of the axiom is built; null leaves it as it is.
const Def* normalize_twice(const Redex& redex) {
    auto n = value(redex.arg);
    return n && *n < (1ull << 63) ? redex.w.lit_nat(2 * *n) : nullptr;
}

/// What the reference evaluator does; written independently of the normalizer, against which it is tested.
static eval::Value eval_twice(eval::Machine& m, const Def*) {
    auto n = m.num(m.group(0));
    return eval::Value::num(n + n);
}

static eval::Value eval_quad(eval::Machine& m, const Def*) { return eval::Value::num(4 * m.num(m.group(0))); }

/// The code of the back end `llvm`.
static backend::Value emit_twice(backend::Emit& e, const Def* app) {
    auto n = e.emit(arg_of(app));
    return e.bin(backend::Bin::Add, n, n);
}

/// quad x ▷ twice (twice x)
static const Def* lower_quad(const Lowered& app) {
    auto& w = app.world();
    return w.call<twice>(w.call<twice>(app.arg()));
}

/// A phase is a table: which axiom, and what becomes of its applications.
static void lower(PhaseContext& c) { Lowering(c).on<quad>(lower_quad).run(); }

static void init(PluginBuilder& p) {
    register_normalizers(p); // all that @NAME@.mim names
    p.axiom("%@NAME@.twice").speculatable().meaning(eval_twice).emit("llvm", emit_twice);
    p.axiom("%@NAME@.quad").speculatable().meaning(eval_quad);
    p.phase("@NAME@.lower", "quad to twice", lower);
    p.join("front", "@NAME@.lower");
}

} // namespace mim::plug::@CPP_NAME@

MIM_PLUGIN(@NAME@, mim::plug::@CPP_NAME@::init)
)"},
    {"CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

find_package(mim REQUIRED)
add_mim_plugin(@NAME@ SOURCES @NAME@.cpp)

# The exit status of the program in test/main.mim says whether the plugin works.
enable_testing()
add_test(NAME run COMMAND mim::mim run -P ${CMAKE_CURRENT_BINARY_DIR}/lib/mim ${CMAKE_CURRENT_SOURCE_DIR}/test/main.mim)
add_test(NAME eval COMMAND mim::mim run --eval -P ${CMAKE_CURRENT_BINARY_DIR}/lib/mim ${CMAKE_CURRENT_SOURCE_DIR}/test/main.mim)
)"},
    {"test/main.mim",
     R"(// Exits with 0 if the plugin works: the normalizer on a literal, the emitter and the phase on a number that only the run knows.
plugin core;
plugin mem;
plugin @NAME@;

fun extern main (argc: I32, argv: %mem.Ptr (%mem.Ptr I8)): I32 = {
    let n     = %core.bitcast Nat argc;
    let folds = %core.ncmp.e (%@NAME@.twice 21, 42);
    let runs  = %core.ncmp.e (%@NAME@.quad n, %core.nat.mul (n, 4));
    return ((1I32, (1I32, 0I32)#runs)#folds)
};
)"},
    {"README.md", R"(# @NAME@

A plugin for Mim. With Mim installed under `PREFIX`:

    cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX
    cmake --build build
    ctest --test-dir build

| file | what it is |
| --- | --- |
| `@NAME@.mim` | what the plugin declares |
| `@NAME@.cpp` | normalizer, meaning, emitter, phase |
| `test/main.mim` | a program that uses it |

Programs find the plugin with `-P build/lib/mim` or `MIM_PLUGIN_PATH`; `cmake --install build` puts it next to Mim's own.
)"},
};

} // namespace

std::span<const TemplateFile> plugin_templates() { return kFiles; }

} // namespace mim
