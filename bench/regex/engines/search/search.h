// SPDX-License-Identifier: MIT
// All matches in one large text: each file of this folder counts them in its way.
#pragma once
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

struct Search {
    std::string pattern, text;
    double seconds; ///< an engine gets, at least

    /// Prints the engine, the least CPU time of a pass in microseconds and what was counted.
    template<class F>
    void measure(const char* engine, F count) {
        double least = 1e18, all = 0;
        uint64_t found = 0;
        for (int pass = 0; pass < 2 || all < seconds * 1e6; ++pass) {
            auto begin = now();
            found      = count(text.data(), text.size());
            auto time  = now() - begin;
            least      = time < least ? time : least;
            all += time;
        }
        std::printf("%s %.0f %llu\n", engine, least, static_cast<unsigned long long>(found));
        std::fflush(stdout);
    }

private:
    static double now() {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
    }
};

/// A file announces its engines by one of these.
struct Searcher {
    using Run = void (*)(Search&);
    static std::vector<Run>& all() {
        static std::vector<Run> runs;
        return runs;
    }
    explicit Searcher(Run run) { all().push_back(run); }
};
