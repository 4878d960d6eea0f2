// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

double difference(uint64_t n, uint64_t m, const double* x, const double* y);
double product(uint64_t n, uint64_t m, const double* x);

int main(int argc, char** argv) {
    if (argc != 4) return 1;
    double x[4] = {1, 2, 3, 4};
    uint64_t n = strtoull(argv[2], NULL, 10), m = strtoull(argv[3], NULL, 10);
    printf("%g\n", argv[1][0] == 'd' ? difference(n, m, x, x) : product(n, m, x));
    return 0;
}
