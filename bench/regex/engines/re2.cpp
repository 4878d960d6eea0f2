// SPDX-License-Identifier: MIT
#include <re2/re2.h>

#include "measure.h"

static const Engine google([](Bench& b) {
    RE2::Options options(RE2::Latin1);
    options.set_never_capture(true);
    RE2 re(b.pattern, options);
    b.measure("re2", [&](const char* s, size_t n) { return RE2::FullMatch(re2::StringPiece(s, n), re); });
});
