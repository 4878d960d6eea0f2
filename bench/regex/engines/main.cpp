// SPDX-License-Identifier: MIT
// usage: engines LINES ANSWERS PATTERN SECONDS
#include <fstream>

#include "measure.h"

int main(int, char** argv) {
    Bench bench;
    std::ifstream text(argv[1], std::ios::binary), answers(argv[2]);
    for (std::string line; std::getline(text, line);) {
        bench.at.push_back({bench.bytes.size(), line.size()});
        bench.bytes.insert(bench.bytes.end(), line.begin(), line.end());
        bench.bytes.push_back(0);
    }
    bench.bytes.resize(bench.bytes.size() + 64); // for the floor, which reads 64 bytes where the processor has no masks
    std::getline(answers, bench.expected);
    bench.pattern = argv[3];
    bench.seconds = std::atof(argv[4]);
    for (auto run : Engine::all()) run(bench);
    return !bench.right;
}
