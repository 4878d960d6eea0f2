// SPDX-License-Identifier: MIT
// Tests of normal forms and automata.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
