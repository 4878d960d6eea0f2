// SPDX-License-Identifier: MIT
#include "files/table.h"

static uint64_t step(Function* table, uint64_t k, uint64_t acc) {
    Function longer = [chain = std::move(table[0]), k](uint64_t x) { return chain(x) + k; };
    if (k % 8 != 7) return table[0] = std::move(longer), acc;
    acc      = longer(acc);
    table[0] = same;
    return acc;
}
int main(int argc, char** argv) { return turns(argc, argv, step); }
