// SPDX-License-Identifier: MIT
#include "backend/llvm/process_options.h"

#include <mutex>

#include <llvm/Support/CommandLine.h>

namespace mim::backend::llvm {

namespace {

struct Choice {
    const char *name, *value;
};

constexpr Choice kChoices[] = {
    // A sum whose order is kept is added up term by term, but its terms are computed side by side.
    {"force-ordered-reductions", "true"},
    // Before a loop that reads and changes rows of one array, these rows are compared. Outside of the loop around it, LLVM would compare all
    // rows that it reaches: then a matrix that is changed row by row, as in Floyd and Warshall's algorithm, always overlaps itself.
    {"hoist-runtime-checks", "false"},
    // An element that the turn before has read is read again: kept in a register, it would have to be shifted in between
    // the lanes, which takes three instructions with AVX2. A stencil of nine points took 1.5 times as long.
    {"enable-load-in-loop-pre", "false"},
    // A choice between values stays one. Mim has branches for what can be guessed, and LLVM would guess that of two lengths
    // which a table decides: a Levenshtein distance took twice the time.
    {"x86-cmov-converter", "false"},
};

} // namespace

void set_process_option(::llvm::StringRef name, ::llvm::StringRef value, Counts counts) {
    auto& all   = ::llvm::cl::getRegisteredOptions();
    auto option = all.find(name);
    if (option == all.end()) return;
    option->second->addOccurrence(0, name, value, counts == Counts::No);
}

void choose_process_options() {
    static std::once_flag once;
    std::call_once(once, [] {
        for (auto& choice : kChoices) set_process_option(choice.name, choice.value, Counts::Yes);
    });
}

} // namespace mim::backend::llvm
