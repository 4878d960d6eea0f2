// SPDX-License-Identifier: MIT
// Hyperscan reports each place where some match ends: `hyperscan` counts these. With the beginnings of matches, `hyperscan-som` counts those that do not
// overlap, of which the first and then the longest counts.
#include <hs/hs.h>

#include "search.h"

namespace {

struct Counter {
    uint64_t count           = 0;
    unsigned long long begin = ~0ull, end = 0;
};

int each_end(unsigned, unsigned long long, unsigned long long, unsigned, void* counter) {
    return ++static_cast<Counter*>(counter)->count, 0;
}
int each_match(unsigned, unsigned long long from, unsigned long long to, unsigned, void* counter) {
    auto& c = *static_cast<Counter*>(counter);
    if (from == c.begin) c.end = to;
    else if (from >= c.end) ++c.count, c.begin = from, c.end = to;
    return 0;
}

void measure(Search& s, const char* name, unsigned flags, match_event_handler on_match) {
    hs_platform_info_t platform;
    hs_populate_platform(&platform);
    hs_database_t* database;
    hs_compile_error_t* error;
    if (hs_compile(s.pattern.c_str(), flags, HS_MODE_BLOCK, &platform, &database, &error) != HS_SUCCESS) return;
    hs_scratch_t* scratch = nullptr;
    hs_alloc_scratch(database, &scratch);
    s.measure(name, [&](const char* text, size_t n) {
        Counter counter;
        hs_scan(database, text, unsigned(n), 0, scratch, on_match, &counter);
        return counter.count;
    });
}

const Searcher hyperscan([](Search& s) {
    measure(s, "hyperscan", 0, each_end);
    measure(s, "hyperscan-som", HS_FLAG_SOM_LEFTMOST, each_match);
});

} // namespace
