// SPDX-License-Identifier: MIT
#include "search.h"

extern "C" void* rust_compile(const char*, size_t);
extern "C" size_t rust_count(const void*, const char*, size_t);

static const Searcher rust([](Search& s) {
    auto pattern = "(?-u)" + s.pattern;
    auto re      = rust_compile(pattern.data(), pattern.size());
    s.measure("rust", [&](const char* text, size_t n) { return rust_count(re, text, n); });
});
