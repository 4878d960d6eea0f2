// SPDX-License-Identifier: MIT
// usage: compile ROUNDS PATTERN…
// Milliseconds of CPU time that patterns take at run time, for each of the matchers together: the first one in a process, and the least of each after that.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "driver/regex.h"

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

static double compile(const char* pattern) {
    std::string error;
    auto begin = now();
    auto regex = mim::Regex::compile(pattern, error);
    auto time  = now() - begin;
    if (!regex) std::fprintf(stderr, "%s: %s\n", pattern, error.c_str()), std::exit(1);
    return time;
}

int main(int argc, char** argv) {
    std::printf("%.1f\n", compile(argv[2]));
    for (int i = 2; i != argc; ++i) {
        double least = 1e9;
        for (int round = std::atoi(argv[1]); round != 0; --round) least = std::min(least, compile(argv[i]));
        std::printf("%.1f\n", least);
    }
}
