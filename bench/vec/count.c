// SPDX-License-Identifier: MIT
// How often a byte occurs in a text: the loop that clang vectorizes, and what measures it against count.mim.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

uint64_t count_mim(const uint8_t* text, uint64_t n, uint8_t x);

__attribute__((noinline)) static uint64_t count_c(const uint8_t* text, uint64_t n, uint8_t x) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i != n; ++i) sum += text[i] == x;
    return sum;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef uint64_t Count(const uint8_t*, uint64_t, uint8_t);

// Seconds for `n` bytes, the least of the rounds, each of `bytes` in all; stores the result.
static double measure(Count* count, const uint8_t* text, uint64_t n, uint64_t bytes, int rounds, uint64_t* result) {
    double best = 1e9;
    for (int r = 0; r != rounds; ++r) {
        uint64_t turns = bytes / n, sum = 0;
        double start = now();
        for (uint64_t i = 0; i != turns; ++i) {
            sum += count(text, n, (uint8_t)'e');
            __asm__ volatile("" ::: "memory"); // else it is called once
        }
        double time = (now() - start) / (double)turns;
        *result     = sum;
        if (time < best) best = time;
    }
    return best;
}

int main(int argc, char** argv) {
    const uint64_t size = 100 * 1000 * 1000;
    const int rounds    = argc > 1 ? atoi(argv[1]) : 5;
    uint8_t* text       = malloc(size);
    uint32_t seed       = 1;
    for (uint64_t i = 0; i != size; ++i) text[i] = (uint8_t)('a' + ((seed = seed * 1664525 + 1013904223) >> 24) % 26);
    const uint64_t sizes[] = {size, 100 * 1000, 1000, 50};
    for (int i = 0; i != 4; ++i) {
        uint64_t mim = 0, c = 0, n = sizes[i];
        double by_c   = measure(count_c, text, n, size, rounds, &c);
        double by_mim = measure(count_mim, text, n, size, rounds, &mim);
        if (mim != c) return 1;
        printf("%llu %.2f %.2f\n", (unsigned long long)n, 1e-9 * (double)n / by_mim, 1e-9 * (double)n / by_c);
    }
    free(text);
    return 0;
}
