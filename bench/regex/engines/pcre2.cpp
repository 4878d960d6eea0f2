// SPDX-License-Identifier: MIT
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "measure.h"

static const Engine pcre2([](Bench& b) {
    int error;
    PCRE2_SIZE where;
    auto text  = reinterpret_cast<PCRE2_SPTR>(b.pattern.data());
    auto flags = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_AUTO_CAPTURE;
    auto code  = pcre2_compile(text, b.pattern.size(), flags, &error, &where, nullptr);
    auto data  = pcre2_match_data_create_from_pattern(code, nullptr);
    auto by    = [=](auto match) {
        return [=](const char* s, size_t n) { return match(code, reinterpret_cast<PCRE2_SPTR>(s), n, 0, 0, data, nullptr) >= 0; };
    };
    b.measure("pcre2", by(pcre2_match));
    if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0) b.measure("pcre2-jit", by(pcre2_jit_match));
});
