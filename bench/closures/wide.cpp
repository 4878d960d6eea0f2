// SPDX-License-Identifier: MIT
#include "files/table.h"

static uint64_t step(Function* table, uint64_t k, uint64_t acc) {
    auto a = acc + k, b = acc ^ k;
    return exchange(table, k, [k, a, b, acc](uint64_t x) { return x * k + (x + a) * (b + acc); }, acc);
}
int main(int argc, char** argv) { return turns(argc, argv, step); }
