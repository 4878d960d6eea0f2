// A hash table with open addressing: counts N numbers of 20 bits, asks for each number, prints how many are there and a checksum.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Slot {
    uint32_t key, count;
};
struct Table {
    struct Slot* slots;
    uint64_t mask, used;
};

static uint64_t place(const struct Table* t, uint32_t key) {
    uint64_t i = (key * 0x9e3779b97f4a7c15u >> 20) & t->mask;
    while (t->slots[i].count != 0 && t->slots[i].key != key) i = (i + 1) & t->mask;
    return i;
}

static void grow(struct Table* t) {
    struct Table wide = {calloc(2 * (t->mask + 1), sizeof(struct Slot)), 2 * t->mask + 1, t->used};
    for (uint64_t i = 0; i <= t->mask; ++i)
        if (t->slots[i].count != 0) wide.slots[place(&wide, t->slots[i].key)] = t->slots[i];
    free(t->slots);
    *t = wide;
}

static void count(struct Table* t, uint32_t key) {
    struct Slot* slot = t->slots + place(t, key);
    if (slot->count++ != 0) return;
    slot->key = key;
    if (2 * ++t->used > t->mask) grow(t);
}

int main(int argc, char** argv) {
    int64_t n      = argc > 1 ? atoll(argv[1]) : 1000;
    struct Table t = {calloc(16, sizeof(struct Slot)), 15, 0};
    uint32_t x     = 42;
    for (int64_t i = 0; i < n; ++i) count(&t, (x = x * 1664525u + 1013904223u) >> 12);
    uint64_t sum = 0;
    for (uint32_t key = 0; key < 1 << 20; ++key) sum += (uint64_t)key * t.slots[place(&t, key)].count;
    printf("%" PRIu64 " %" PRIu64 "\n", t.used, sum);
    free(t.slots);
    return 0;
}
