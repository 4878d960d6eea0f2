// Quicksort of N numbers, with the middle one as the pivot; prints a checksum of their order.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void sort(int32_t* a, int64_t first, int64_t last) {
    while (first < last) {
        int32_t pivot = a[first + (last - first) / 2];
        int64_t i = first, j = last;
        while (i <= j) {
            while (a[i] < pivot) ++i;
            while (a[j] > pivot) --j;
            if (i > j) break;
            int32_t x = a[i];
            a[i++]    = a[j];
            a[j--]    = x;
        }
        sort(a, first, j);
        first = i;
    }
}

int main(int argc, char** argv) {
    int64_t n   = argc > 1 ? atoll(argv[1]) : 1000;
    int32_t* a  = malloc((uint64_t)n * sizeof(int32_t));
    uint32_t x  = 42;
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) a[i] = (int32_t)(x = x * 1664525u + 1013904223u);
    sort(a, 0, n - 1);
    for (int64_t i = 0; i < n; ++i) sum += (uint64_t)(int64_t)a[i] * (uint64_t)(i + 1);
    printf("%" PRId64 "\n", (int64_t)sum);
    free(a);
    return 0;
}
