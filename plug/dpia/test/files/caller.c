/* SPDX-License-Identifier: MIT */
/* Calls mvOpt by its header, which comes first. */
#include <stdio.h>

int main(void) {
    const float M[6] = {1, 2, 3, 4, 5, 6};
    const float x[3] = {1, 10, 100};
    float y[2]       = {0, 0};
    int status       = mvOpt(y, 2, 3, 1, M, x);
    printf("%d %g %g\n", status, y[0], y[1]);
    printf("%d\n", mvOpt(y, 2, 3, 4, M, x));
    return 0;
}
