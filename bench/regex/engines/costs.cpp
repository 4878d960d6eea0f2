// SPDX-License-Identifier: MIT
// usage: costs LIBRARY LINES SECONDS WAY…
// Prints for each way of a library the least nanoseconds for a line, of passes that take turns. All must answer alike.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

using Match = bool (*)(uint64_t, const char*);

static double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

int main(int argc, char** argv) {
    auto library = dlopen(argv[1], RTLD_NOW);
    if (!library) return std::fprintf(stderr, "%s\n", dlerror()), 2;
    std::vector<std::string> lines;
    std::ifstream file(argv[2], std::ios::binary);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    std::vector<Match> ways;
    for (int i = 4; i != argc; ++i)
        ways.push_back(reinterpret_cast<Match>(dlsym(library, ("mim_" + std::string(argv[i])).c_str())));

    std::vector<double> least(ways.size(), 1e18);
    std::vector<std::vector<char>> answers(ways.size(), std::vector<char>(lines.size()));
    auto until = now() + std::atof(argv[3]) * 1e9 * double(ways.size());
    for (int pass = 0; pass < 5 || now() < until; ++pass) {
        for (size_t w = 0; w != ways.size(); ++w) {
            auto begin = now();
            for (size_t i = 0; i != lines.size(); ++i) answers[w][i] = ways[w](lines[i].size() + 1, lines[i].c_str());
            least[w] = std::min(least[w], (now() - begin) / double(lines.size()));
        }
    }
    for (size_t w = 0; w != ways.size(); ++w) {
        if (answers[w] != answers[0]) return std::fprintf(stderr, "%s answers otherwise\n", argv[4 + w]), 1;
        std::printf("%s %.2f\n", argv[4 + w], least[w]);
    }
}
