// Four threads make and call functions of one Mim library, and exchange what they made: in memory of that library, then in C's.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

void* mim_table(uint64_t size);
void mim_fill(void* table, uint64_t size);
uint64_t mim_turns(void* table, uint64_t from, uint64_t n);

static void *table, *of_c[4];

static void* work(void* number) {
    uint64_t sum = 0;
    for (int i = 0; i != 20; ++i) sum += mim_turns(table, (uint64_t)(uintptr_t)number, 20000);
    return (void*)(uintptr_t)sum;
}

int main(void) {
    uint64_t all = 0;
    mim_fill(of_c, 4);
    for (int round = 0; round != 4; ++round) {
        table = round == 3 ? of_c : mim_table(4);
        pthread_t threads[4];
        for (uintptr_t i = 0; i != 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
        for (int i = 0; i != 4; ++i) {
            void* sum;
            pthread_join(threads[i], &sum);
            all += (uintptr_t)sum;
        }
    }
    printf("%llu\n", (unsigned long long)all);
    return 0;
}
