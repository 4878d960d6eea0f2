// SPDX-License-Identifier: MIT
// Full matches of one subject a call. Each engine compiles the pattern of a data set once, and then matches each line; its answers are
// compared with those that are expected. Prints the engine and the least CPU time of a pass in microseconds.
// usage: engines DATA PATTERN SET ROUNDS
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <re2/re2.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <regex>
#include <string>
#include <vector>

extern "C" { // compiled by Mim, with `table`, `branches` and `shifts` in the way that it is told
bool mim_auto(uint64_t n, const char*);
bool mim_table(uint64_t n, const char*);
bool mim_branches(uint64_t n, const char*);
}

namespace {

struct Lines {
    std::vector<char> bytes;
    std::vector<std::pair<size_t, size_t>> at; ///< begin and length; a terminator follows
    std::string expected;

    explicit Lines(const std::string& name) {
        std::ifstream text(name + ".lines", std::ios::binary), answers(name + ".exp");
        for (std::string line; std::getline(text, line);) {
            at.push_back({bytes.size(), line.size()});
            bytes.insert(bytes.end(), line.begin(), line.end());
            bytes.push_back(0);
        }
        bytes.resize(bytes.size() + 64);
        std::getline(answers, expected);
    }
};

double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
}

template<class F>
bool measure(const char* engine, const Lines& lines, int rounds, F match, bool checks = true) {
    std::string answers(lines.at.size(), '0');
    double least = 1e18;
    for (int r = 0; r != rounds; ++r) {
        auto begin = now();
        for (size_t i = 0; i != lines.at.size(); ++i)
            answers[i] = char('0' + match(lines.bytes.data() + lines.at[i].first, lines.at[i].second));
        least = std::min(least, now() - begin);
    }
    bool right = !checks || answers == lines.expected;
    std::printf("%s %.1f%s\n", engine, least, right ? "" : " WRONG");
    return right;
}

__attribute__((noinline)) bool nothing(const char* s, size_t) {
    asm volatile("" : : "r"(s) : "memory");
    return false;
}

} // namespace

int main(int, char** argv) {
    Lines lines(std::string(argv[1]) + "/" + argv[3]);
    std::string pattern = argv[2];
    int rounds          = std::atoi(argv[4]);
    bool right          = measure("floor", lines, rounds, nothing, false);
    right &= measure("mim", lines, rounds, [](const char* s, size_t n) { return mim_auto(n + 1, s); });
    right &= measure("mim-table", lines, rounds, [](const char* s, size_t n) { return mim_table(n + 1, s); });
    right &= measure("mim-branches", lines, rounds, [](const char* s, size_t n) { return mim_branches(n + 1, s); });

    int error;
    PCRE2_SIZE where;
    auto code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_ANCHORED | PCRE2_ENDANCHORED,
                              &error, &where, nullptr);
    auto data = pcre2_match_data_create_from_pattern(code, nullptr);
    auto pcre = [&](auto match) {
        return [=](const char* s, size_t n) { return match(code, reinterpret_cast<PCRE2_SPTR>(s), n, 0, 0, data, nullptr) >= 0; };
    };
    right &= measure("pcre2", lines, std::max(rounds / 10, 3), pcre(pcre2_match_8));
    if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0) right &= measure("pcre2-jit", lines, rounds, pcre(pcre2_jit_match_8));

    RE2 re2(pattern);
    right &= measure("re2", lines, rounds, [&](const char* s, size_t n) { return RE2::FullMatch(re2::StringPiece(s, n), re2); });
    std::regex standard(pattern, std::regex::optimize);
    right &= measure("std::regex", lines, std::max(rounds / 20, 3),
                     [&](const char* s, size_t n) { return std::regex_match(s, s + n, standard); });
    return !right;
}
