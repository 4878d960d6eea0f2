// SPDX-License-Identifier: MIT
// One line of a data set a call: each file of this folder compiles the pattern in its way and measures itself. Its answers are compared with those that are
// expected.
#pragma once
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

struct Bench {
    std::string pattern;
    std::string expected;                      ///< '1' for each line that matches
    std::vector<char> bytes;                   ///< the lines, a terminator behind each
    std::vector<std::pair<size_t, size_t>> at; ///< begin and length
    double seconds;                            ///< an engine gets, at least
    bool right = true;

    /// Prints the engine and the least CPU time of a pass in microseconds.
    template<class F>
    void measure(const char* engine, F match, bool has_answers = true) {
        std::string answers(at.size(), '0');
        double least = 1e18, all = 0;
        for (int pass = 0; pass < 3 || all < seconds * 1e6; ++pass) {
            auto begin = now();
            for (size_t i = 0; i != at.size(); ++i) answers[i] = char('0' + int(match(bytes.data() + at[i].first, at[i].second)));
            auto time = now() - begin;
            least     = std::min(least, time);
            all += time;
        }
        bool is_right = !has_answers || answers == expected;
        right &= is_right;
        std::printf("%s %.2f %s\n", engine, least, is_right ? "" : "WRONG");
    }

private:
    static double now() {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
    }
};

/// A file announces its engines by one of these.
struct Engine {
    using Run = void (*)(Bench&);
    static std::vector<Run>& all() {
        static std::vector<Run> runs;
        return runs;
    }
    explicit Engine(Run run) { all().push_back(run); }
};
