// SPDX-License-Identifier: MIT
// The program `mim`: everything is in libmim.
#include "driver/main.h"

int main(int argc, char** argv) { return mim::main(argc, argv); }
