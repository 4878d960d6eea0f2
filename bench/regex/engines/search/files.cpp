// SPDX-License-Identifier: MIT
// usage: cliffs PATTERN-FILE TEXT-FILE SECONDS [NUMBER]
// All engines, or the one with this number, count the matches of a pattern that may be too long for a command line.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "search.h"

static std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int main(int argc, char** argv) {
    Search search{read(argv[1]), read(argv[2]), std::atof(argv[3])};
    auto all = Searcher::all();
    for (size_t i = 0; i != all.size(); ++i)
        if (argc < 5 || size_t(std::atoi(argv[4])) == i) all[i](search);
}
