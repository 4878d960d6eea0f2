// Fannkuch redux with a permutation of up to 16 numbers in one word, four bits each: the first in the lowest ones.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Turns the first `last` + 1 numbers around.
static uint64_t flip(uint64_t p, unsigned last) {
    uint64_t all  = __builtin_bswap64(p);
    all           = (all >> 4 & 0x0f0f0f0f0f0f0f0fu) | (all & 0x0f0f0f0f0f0f0f0fu) << 4;
    unsigned rest = 60 - 4 * last;
    uint64_t mask = ~0ull >> rest;
    return (p & ~mask) | all >> rest;
}

/// Moves the first number behind the next `last` ones.
static uint64_t turn(uint64_t p, unsigned last) {
    unsigned rest = 60 - 4 * last;
    uint64_t mask = ~0ull >> rest;
    return (p & ~mask) | (p & mask) >> 4 | (p & 15) << 4 * last;
}

int main(int argc, char** argv) {
    unsigned n    = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
    uint64_t p    = 0xfedcba9876543210u;
    uint64_t left = p; // turns of each prefix that are left
    int64_t most = 0, sum = 0, sign = 1;
    for (;;) {
        int64_t flips = 0;
        for (uint64_t q = p; (q & 15) != 0; ++flips) q = flip(q, q & 15);
        if (flips > most) most = flips;
        sum += sign * flips;
        sign = -sign;
        for (unsigned i = 1;; ++i) {
            if (i == n) {
                printf("%" PRId64 "\nPfannkuchen(%u) = %" PRId64 "\n", sum, n, most);
                return 0;
            }
            p              = turn(p, i);
            uint64_t turns = left >> 4 * i & 15;
            if (turns != 0) {
                left -= 1ull << 4 * i;
                break;
            }
            left |= (uint64_t)i << 4 * i;
        }
    }
}
