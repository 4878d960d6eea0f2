// Gives functions to those of functions-of-c.mim.
#include <stdint.h>
#include <stdio.h>

typedef int32_t (*Step)(int32_t);
typedef int64_t (*Step64)(int64_t);

int32_t mim_half(int32_t n, Step);
int64_t mim_kept(int64_t n, uint64_t size, Step64);

static int32_t step(int32_t x) { return x * 2 + 1; }
static int64_t step64(int64_t x) { return x * 2 + 1; }

int main(void) {
    for (int n = 0; n != 12; ++n) printf("%d ", mim_half(n, step));
    for (int n = 0; n != 12; ++n) printf("%d ", (int)mim_kept(n, 10, step64));
    puts("");
}
