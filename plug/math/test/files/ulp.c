// SPDX-License-Identifier: MIT
// Prints the errors of exp32, exp64, log32, … in units of the last place, all exponents, infinities and NaNs included:
// for single precision against the C library in double precision, for double against `long double`, which has 11 bits
// more.
//
// With -DLANES=n the functions are on vectors in memory. usage: ulp [STRIDE COUNT [NAME]]. STRIDE 1 takes all numbers in single precision; COUNT
// are those in double. With arguments the greatest errors are printed.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

static const double limit = 4;
static uint64_t stride = 40009, count = 200000;
static const char* only = NULL;

static uint64_t next(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

// No number of units: another sign of a zero, a NaN where there is none, and so on.
static const double wrong = 1e30;

static double off(long double got, long double expected, long double rounded, int fraction, int least, long double beyond) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got) ? 0 : wrong;
    if (isinf(expected)) return got == expected ? 0 : wrong;
    if (rounded == 0 && signbit(got) != signbit(rounded)) return wrong;
    if (isinf(got)) got = copysignl(beyond, got);
    int exponent = expected == 0 || ilogbl(expected) < least ? least : ilogbl(expected);
    return (double)(fabsl(got - expected) / ldexpl(1, exponent - fraction));
}

static void report(const char* name, double worst, double at) {
    if (stride == 40009) printf("%s %s\n", name, worst <= limit ? "ok" : "off");
    if (stride != 40009 || worst > limit) printf("%s: %.3f at %a\n", name, worst, at);
    fflush(stdout);
}

static int number(uint64_t i) { return (int)(next() >> 44) - (1 << 19) + (int)i % 3; }

// All patterns of bits, and what is of interest: where results are finite, near 1, and next to multiples of pi / 2.
static double sample(uint64_t i) {
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-1023,
                                     0x1.fffffffffffffp+1023, -0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9, 0x1.62e42fefa39f0p+9,
                                     -0x1.74910d52d3051p+9, -0x1.74910d52d3052p+9, 0x1.8p20, 0x1.7ffffffffffffp20};
    if (i < sizeof special / sizeof *special) return special[i];
    double unit = (double)(int64_t)next() * 0x1p-63, any;
    uint64_t bits = next();
    memcpy(&any, &bits, 8);
    double quarter = number(i) * 0x1.921fb54442d18p+0;
    switch (i % 8) {
        case 0: return unit * 800;
        case 1: return unit * 4;
        case 2: return 1 + unit / 256;
        case 3: return nextafter(quarter, unit * INFINITY);
        case 4: return unit * 0x1p20;
        default: return any;
    }
}

#ifdef LANES
#    define EACH(f, T) \
        for (int i = 0; i != N; i += LANES) f(x + i, y + i);
#    define DECLARE(f, T) void f(const T*, T*);
#else
#    define EACH(f, T) \
        for (int i = 0; i != N; ++i) y[i] = f(x[i]);
#    define DECLARE(f, T) T f(T);
#endif

#define TEST(f) \
    DECLARE(f##32, float) \
    DECLARE(f##64, double) \
    static void test_##f##32(void) { \
        static float x[N], y[N]; \
        double worst = 0, at = 0; \
        for (uint64_t begin = 0; begin < UINT64_C(1) << 32; begin += N * stride) { \
            for (int i = 0; i != N; ++i) { \
                uint32_t bits = (uint32_t)(begin + (uint64_t)i * stride + (stride == 1 ? 0 : next() % stride)); \
                memcpy(&x[i], &bits, 4); \
            } \
            EACH(f##32, float) \
            for (int i = 0; i != N; ++i) { \
                double exact = f((double)x[i]); \
                if (y[i] == (float)exact && y[i] != 0) continue; \
                double error = off(y[i], exact, (float)exact, 23, -126, 0x1p128); \
                if (error > worst) worst = error, at = x[i]; \
            } \
        } \
        report(#f "32", worst, at); \
    } \
    static void test_##f##64(void) { \
        static double x[N], y[N]; \
        double worst = 0, at = 0; \
        for (uint64_t begin = 0; begin < count; begin += N) { \
            for (int i = 0; i != N; ++i) x[i] = sample(begin + (uint64_t)i); \
            EACH(f##64, double) \
            for (int i = 0; i != N; ++i) { \
                long double exact = f##l(x[i]); \
                if (y[i] == (double)exact && y[i] != 0) continue; \
                double error = off(y[i], exact, (double)exact, 52, -1022, 0x1p1024L); \
                if (error > worst) worst = error, at = x[i]; \
            } \
        } \
        report(#f "64", worst, at); \
    }

TEST(exp)
TEST(log)
TEST(tanh)
TEST(sin)
TEST(cos)

static void run(const char* name, void (*single)(void), void (*wide)(void)) {
    if (only && strcmp(only, name) != 0) return;
    single();
    wide();
}

int main(int argc, char** argv) {
    if (argc > 2) stride = strtoull(argv[1], NULL, 0), count = strtoull(argv[2], NULL, 0);
    if (argc > 3) only = argv[3];
    run("exp", test_exp32, test_exp64);
    run("log", test_log32, test_log64);
    run("tanh", test_tanh32, test_tanh64);
    run("sin", test_sin32, test_sin64);
    run("cos", test_cos32, test_cos64);
}
