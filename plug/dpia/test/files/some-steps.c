// Calls the program for several numbers of steps.
#include <stdint.h>
#include <stdio.h>

int steps(int32_t* restrict output, uint64_t n, int32_t c);

int main(void) {
    for (uint64_t n = 0; n < 6; ++n) {
        int32_t result = 0;
        int status     = steps(&result, n, 3);
        printf("%d %d\n", status, (int)result);
    }
    return 0;
}
