// SPDX-License-Identifier: MIT
#include <re2/re2.h>

#include "search.h"

static const Searcher google([](Search& s) {
    RE2::Options options(RE2::Latin1);
    RE2 re(s.pattern, options);
    s.measure("re2", [&](const char* text, size_t n) {
        re2::StringPiece all(text, n), match;
        uint64_t count = 0;
        for (size_t pos = 0; pos <= n && re.Match(all, pos, n, RE2::UNANCHORED, &match, 1); ++count)
            pos = size_t(match.data() - text) + match.size();
        return count;
    });
});
