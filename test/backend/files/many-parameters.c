// SPDX-License-Identifier: MIT
// Calls functions of many parameters, each with its number; see c-many-parameters.mim.
#include <stdio.h>

#define T(n) n + 0, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9
#define H(n) T(n), T(n + 10), T(n + 20), T(n + 30), T(n + 40), T(n + 50), T(n + 60), T(n + 70), T(n + 80), T(n + 90)
#define UP_TO_60 T(0), T(10), T(20), T(30), T(40), T(50)
#define UP_TO_300 H(0), H(100), H(200)
#define UP_TO_1000 UP_TO_300, H(300), H(400), H(500), H(600), H(700), H(800), H(900)
#define P(n) int a##n##0, int a##n##1, int a##n##2, int a##n##3, int a##n##4, int a##n##5, int a##n##6, int a##n##7, int a##n##8, int a##n##9
#define UP_TO_66 UP_TO_60, 60, 61, 62, 63, 64, 65

int back66(P(), P(1), P(2), P(3), P(4), P(5), int x, int y, int z, int u, int v, int w) { return w - a0; }

int apply(int (*f)(P(), P(1), P(2), P(3), P(4), P(5), int, int, int, int, int, int)) { return f(UP_TO_66); }

int main(void) {
    printf("%d %d\n", same64(UP_TO_60, 60, 61, 62, 63), mixed64(UP_TO_60, 60, 61, 62, 63));
    printf("%d %d\n", same65(UP_TO_60, 60, 61, 62, 63, 64), mixed65(UP_TO_60, 60, 61, 62, 63, 64));
    printf("%d %d %d\n", same100(H(0)), mixed100(H(0)), last(H(7)));
    printf("%d %d\n", same300(UP_TO_300), mixed300(UP_TO_300));
    printf("%d %d\n", same1000(UP_TO_1000), mixed1000(UP_TO_1000));
    printf("%d\n", calls());
}
