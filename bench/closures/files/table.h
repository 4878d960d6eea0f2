// SPDX-License-Identifier: MIT
// What the three programs share: a table of functions, and turns that are counted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

using Function = std::function<uint64_t(uint64_t)>;

inline uint64_t same(uint64_t x) { return x; }

template<class F>
uint64_t exchange(Function* table, uint64_t i, F f, uint64_t x) {
    Function old  = std::move(table[i % 64]);
    table[i % 64] = std::move(f);
    return old(x);
}

template<class Step>
int turns(int argc, char** argv, Step step) {
    auto n     = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1000;
    auto table = new Function[64];
    for (int i = 0; i != 64; ++i) table[i] = same;
    uint64_t acc = 1;
    for (uint64_t i = 0; i != n; ++i) acc = step(table, i, acc);
    printf("%llu\n", static_cast<unsigned long long>(acc));
    delete[] table;
    return 0;
}
