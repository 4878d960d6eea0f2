// SPDX-License-Identifier: MIT
#include <regex>

#include "measure.h"

static const Engine standard([](Bench& b) {
    std::regex re(b.pattern, std::regex::ECMAScript | std::regex::optimize | std::regex::nosubs);
    b.measure("std::regex", [&](const char* s, size_t n) { return std::regex_match(s, s + n, re); });
});
