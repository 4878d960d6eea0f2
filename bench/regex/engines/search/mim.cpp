// SPDX-License-Identifier: MIT
// What Mim makes of the pattern, and the floor, which only reads the text, 64 characters at a time.
#include <cstring>

#include "search.h"

extern "C" uint64_t mim_count(uint64_t, const char*);

namespace {

const Searcher mim([](Search& s) {
    s.measure("read", [](const char* text, size_t n) {
        using Bytes = char __attribute__((vector_size(64)));
        Bytes all{};
        for (size_t i = 0; i + 64 <= n; i += 64) {
            Bytes some;
            std::memcpy(&some, text + i, 64);
            all |= some;
        }
        asm volatile("" : : "m"(all));
        return uint64_t(0);
    });
    s.measure("mim", [](const char* text, size_t n) { return mim_count(n, text); });
});

} // namespace
