// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "extern.h"

int main(void) {
    double x[3] = {1, 1, 2}, b[2] = {.5, .25}, m[6] = {1, 2, 3, -1, -2, -3}, y[2];
    dense(2, 3, b, m, x, y);
    printf("%g %g, %g\n", y[0], y[1], dot(3, x, x));
    mim_struct_1 p[2] = {{7, .5}, {8, 1.5}};
    mim_struct_2 q[2];
    uint64_t k;
    swap(2, p, 1, q, &k);
    printf("(%g, %llu), (%g, %llu), %llu\n", q[0].e0, (unsigned long long)q[0].e1, q[1].e0, (unsigned long long)q[1].e1, (unsigned long long)k);
    return 0;
}
