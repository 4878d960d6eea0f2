// SPDX-License-Identifier: MIT
// Tests of the normalizers of %refly.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
