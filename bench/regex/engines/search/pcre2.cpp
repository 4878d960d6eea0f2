// SPDX-License-Identifier: MIT
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "search.h"

static const Searcher pcre2([](Search& s) {
    int error;
    PCRE2_SIZE where;
    auto code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(s.pattern.data()), s.pattern.size(), PCRE2_NO_AUTO_CAPTURE, &error,
                              &where, nullptr);
    if (!code || pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) return;
    auto data = pcre2_match_data_create_from_pattern(code, nullptr);
    s.measure("pcre2-jit", [&](const char* text, size_t n) {
        auto subject   = reinterpret_cast<PCRE2_SPTR>(text);
        uint64_t count = 0;
        for (size_t pos = 0; pcre2_jit_match(code, subject, n, pos, 0, data, nullptr) >= 0; ++count)
            pos = pcre2_get_ovector_pointer(data)[1];
        return count;
    });
});
