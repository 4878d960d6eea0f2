// SPDX-License-Identifier: MIT
// Literals: rounding of decimal and hexadecimal numbers to each format, at the edges, and printing.
#include <doctest/doctest.h>

#include <bit>

#include "number.h"
#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::math;

static std::string read(const Format& f, std::string_view text) {
    uint64_t bits;
    if (!parse(f, text, bits)) return "too large";
    char hex[32];
    std::snprintf(hex, sizeof hex, "%llx", static_cast<unsigned long long>(bits));
    return hex;
}

TEST_CASE("math: literals are rounded to the nearest value") {
    CHECK(read(binary64, "0.1") == "3fb999999999999a");
    CHECK(read(binary64, "-0.0") == "8000000000000000");
    CHECK(read(binary64, "9007199254740993") == "4340000000000000"); // 2^53 + 1: a tie, to even
    CHECK(read(binary64, "9007199254740993.0000000000000000000000000000000001") == "4340000000000001");
    CHECK(read(binary32, "16777217") == "4b800000");
    CHECK(read(binary32, "16777219") == "4b800002");
    CHECK(read(binary32, "0.1") == "3dcccccd");
    CHECK(read(binary16, "0.1") == "2e66");
    CHECK(read(bfloat16, "0.1") == "3dcd");
    // A double between two floats: rounding twice would go to the tie, and then to even.
    CHECK(read(binary32, "1.00000017881393432617187499999999999") == "3f800001");
    CHECK(read(binary32, "1.00000017881393432617187500000000001") == "3f800002");
}

TEST_CASE("math: literals at the edges of the formats") {
    CHECK(read(binary64, "4.9406564584124654e-324") == "1");
    CHECK(read(binary64, "2.4703282292062327208e-324") == "0");
    CHECK(read(binary64, "2.4703282292062328e-324") == "1");
    CHECK(read(binary64, "2.2250738585072011e-308") == "fffffffffffff");
    CHECK(read(binary64, "1e-999999999999999999999") == "0");
    CHECK(read(binary64, "1.7976931348623157e308") == "7fefffffffffffff");
    CHECK(read(binary64, "1.7976931348623158e308") == "7fefffffffffffff");
    CHECK(read(binary64, "1.7976931348623159e308") == "too large");
    CHECK(read(binary64, "1e999999999999999999999") == "too large");
    CHECK(read(binary16, "65519.999") == "7bff");
    CHECK(read(binary16, "65520") == "too large");
    CHECK(read(binary16, "5.9604644775390625e-8") == "1");
    CHECK(read(binary16, "2.98023223876953125e-8") == "0");
    CHECK(read(bfloat16, "3.39e38") == "7f7f");
    CHECK(read(bfloat16, "3.4e38") == "too large");
}

TEST_CASE("math: hexadecimal literals, and the values that no decimal number denotes") {
    CHECK(read(binary64, "0x1.8p1") == "4008000000000000");
    CHECK(read(binary64, "0x1.00000000000008p0") == "3ff0000000000000");
    CHECK(read(binary64, "0x1.000000000000081p0") == "3ff0000000000001");
    CHECK(read(binary64, "0x.8p0") == "3fe0000000000000");
    CHECK(read(binary64, "0x1p-1074") == "1");
    CHECK(read(binary64, "0x1p1024") == "7ff0000000000000");
    CHECK(read(binary64, "-0x1p1024") == "fff0000000000000");
    CHECK(read(binary64, "0x1.8p1024") == "7ff8000000000000");
    CHECK(read(binary64, "0x1p1025") == "too large");
    CHECK(read(binary64, "0x1.fffffffffffff8p1023") == "too large");
    CHECK(read(binary16, "0x1.004p16") == "7c01");
    CHECK(read(binary16, "0x1.002p16") == "too large"); // no such fraction
}

TEST_CASE("math: literals are printed short, and read back") {
    auto bits = [](double v) { return std::bit_cast<uint64_t>(v); };
    CHECK(print(binary64, bits(1)) == "1.0");
    CHECK(print(binary64, bits(-0.0)) == "-0.0");
    CHECK(print(binary64, bits(0.1)) == "0.1");
    CHECK(print(binary64, bits(1e100)) == "1e+100");
    CHECK(print(binary64, 1) == "5e-324");
    CHECK(print(binary64, binary64.inf()) == "0x1p+1024");
    CHECK(print(binary64, binary64.nan() | binary64.sign_bit()) == "-0x1.8p+1024");
    CHECK(print(binary64, binary64.inf() | 1) == "0x1.0000000000001p+1024");
    CHECK(print(binary16, binary16.max()) == "6.55e+04");
    CHECK(print(binary16, 1) == "6e-08");
    CHECK(print(bfloat16, bfloat16.one() + 1) == "1.01");
    for (auto f : test::formats) {
        test::Values values(f->width());
        for (int i = 0; i < 20000; ++i) {
            auto v = values(*f);
            uint64_t again;
            REQUIRE(parse(*f, print(*f, v), again));
            REQUIRE(again == v);
        }
    }
}
