// SPDX-License-Identifier: MIT
// What Mim makes of the pattern: as it chooses, and in each way that -DSCHEMES="X(branches) …" names.
#include "measure.h"

#define X(name) extern "C" bool mim_##name(uint64_t, const char*);
X(auto)
SCHEMES
#undef X
extern "C" uint64_t mim_scheme();

namespace {

const Engine mim([](Bench& b) {
    b.measure("mim", [](const char* s, size_t n) { return mim_auto(n + 1, s); });
#define X(name) b.measure("by." #name, [](const char* s, size_t n) { return mim_##name(n + 1, s); });
    SCHEMES
#undef X
    std::printf("scheme %d\n", int(mim_scheme()));
});

} // namespace
