// SPDX-License-Identifier: MIT
#include "measure.h"

extern "C" {
void* rust_compile(const char*, size_t);
bool rust_match(void*, const char*, size_t);
}

static const Engine rust([](Bench& b) {
    auto whole = "(?-u)\\A(?:" + b.pattern + ")\\z";
    auto re    = rust_compile(whole.data(), whole.size());
    b.measure("rust", [=](const char* s, size_t n) { return rust_match(re, s, n); });
});
