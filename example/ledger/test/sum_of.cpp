// SPDX-License-Identifier: MIT
// A program in C++ that uses the plugin's library: the number of lines in a text.
#include <cstdio>

#include "ledger/host/lines.h"

int main(int argc, char** argv) {
    std::vector<ledger::Line> lines;
    if (argc != 2 || ledger::read(argv[1], lines)) return 1;
    std::printf("%s", ledger::lay_out(lines).c_str());
}
