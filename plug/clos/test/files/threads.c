// Four threads make and call functions of one Mim library, and exchange what they made.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

void* mim_table(uint64_t size);
uint64_t mim_turns(void* table, uint64_t from, uint64_t n);

static void* table;

static void* work(void* number) {
    uint64_t sum = 0;
    for (int i = 0; i != 20; ++i) sum += mim_turns(table, (uint64_t)(uintptr_t)number, 20000);
    return (void*)(uintptr_t)sum;
}

int main(void) {
    table = mim_table(4);
    uint64_t all = 0;
    for (int round = 0; round != 3; ++round) {
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
