// SPDX-License-Identifier: MIT
#include <hs/hs.h>

#include "measure.h"

static const Engine hyperscan([](Bench& b) {
    hs_platform_info_t platform;
    hs_populate_platform(&platform);
    hs_database_t* database;
    hs_compile_error_t* error;
    auto whole = "\\A(?:" + b.pattern + ")\\z";
    auto flags = HS_FLAG_SINGLEMATCH | HS_FLAG_ALLOWEMPTY;
    if (hs_compile(whole.c_str(), flags, HS_MODE_BLOCK, &platform, &database, &error) != HS_SUCCESS) return;
    hs_scratch_t* scratch = nullptr;
    hs_alloc_scratch(database, &scratch);
    b.measure("hyperscan", [&](const char* s, size_t n) {
        bool found    = false;
        auto on_match = [](unsigned, unsigned long long, unsigned long long, unsigned, void* f) {
            return *static_cast<bool*>(f) = true, 1;
        };
        hs_scan(database, s, unsigned(n), 0, scratch, on_match, &found);
        return found;
    });
});
