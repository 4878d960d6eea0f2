// SPDX-License-Identifier: MIT
// Tests of the normalizers of %affine against its meanings.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
