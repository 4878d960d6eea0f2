// SPDX-License-Identifier: MIT
// Functions that compiled programs call.
#include <cstdio>

#include "text.h"

using mim::cli::Program;

extern "C" {

/// The arguments of the program; ends the program if they are none.
Program* mim_cli_read(int32_t argc, const char* const* argv, const char* signature) {
    char message[256];
    auto program = mim::cli::read_program(argc, argv, signature, message, sizeof message);
    if (program) return program;
    fflush(stdout);
    fprintf(stderr, "error: %s\n", message);
    exit(1);
}

uint64_t mim_cli_size(const Program* program, uint64_t i) { return program->sizes[i].value; }

/// The words of a leaf; those of the result are still to be written, `count` of them.
uint64_t* mim_cli_leaf(Program* program, uint64_t i, uint64_t count) {
    auto& words = program->leaves[i];
    while (words.size < count) words.push(0);
    if (!words.data) words.push(0);
    return words.data;
}

/// Prints the result.
void mim_cli_show(const Program* program) {
    auto text = mim::cli::text_of(*program);
    fwrite(text.data, 1, text.size, stdout);
    fflush(stdout);
}

void mim_cli_no_memory(const Program*) { fputs("error: out of memory\n", stderr); }
}
