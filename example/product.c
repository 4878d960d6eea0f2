// SPDX-License-Identifier: MIT
// Calls the library that product.mim becomes.
#include <stdio.h>

#include "product.h"

int main(void) {
    double a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    double b[3][2] = {{7, 8}, {9, 10}, {11, 12}};
    double c[2][2];
    product(2, 3, 2, &a[0][0], &b[0][0], &c[0][0]);
    for (int i = 0; i != 2; ++i) printf("%g %g\n", c[i][0], c[i][1]);
    return 0;
}
