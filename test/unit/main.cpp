// SPDX-License-Identifier: MIT
// The main function of mim-unit, the only file that compiles the implementation of doctest.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
