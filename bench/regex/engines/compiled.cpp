// SPDX-License-Identifier: MIT
// Functions that other compilers made of the pattern: run.py says which by -DENGINES="X(a) X(b)".
#include "measure.h"

#define X(name) extern "C" bool name##_match(const char*, size_t);
ENGINES
#undef X

namespace {

const Engine compiled([](Bench& b) {
#define X(name) b.measure(#name, [](const char* s, size_t n) { return name##_match(s, n); });
    ENGINES
#undef X
});

} // namespace
