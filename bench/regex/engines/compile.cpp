// SPDX-License-Identifier: MIT
// usage: compile ROUNDS PATTERN…
// Milliseconds of CPU time until a pattern has matched at run time: the first one in a process; then, for each, the least to match all of a subject, and
// to search one.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "regex/host/regex.h"

static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

static double compile(const char* pattern, mim::Regex::Matcher matcher) {
    std::string error;
    auto begin = now();
    auto regex = mim::Regex::compile(pattern, error, {.first = matcher});
    if (regex && matcher == mim::Regex::Matcher::Full) regex->full_match("");
    else if (regex) regex->find("");
    auto time = now() - begin;
    if (!regex) std::fprintf(stderr, "%s: %s\n", pattern, error.c_str()), std::exit(1);
    return time;
}

int main(int argc, char** argv) {
    std::printf("%.1f\n", compile(argv[2], mim::Regex::Matcher::Full));
    for (int i = 2; i != argc; ++i)
        for (auto matcher : {mim::Regex::Matcher::Full, mim::Regex::Matcher::Next}) {
            double least = 1e9;
            for (int round = std::atoi(argv[1]); round != 0; --round) least = std::min(least, compile(argv[i], matcher));
            std::printf("%.1f\n", least);
        }
}
