#include <stdint.h>
#include <stdio.h>

struct device {
    WORD level;
};
static struct device all[2] = {{10}, {20}};
static int field[4];

void* open_device(WORD n) { return n < 2 ? &all[n] : 0; }
WORD level(struct device* d) { return d->level; }
void* grid(void) { return field; }
WORD cells(void* g) { return g == field ? 400 : 0; }
extern WORD measure(WORD);

int main(void) { printf("%u %u %u\n", (unsigned)measure(0), (unsigned)measure(1), (unsigned)measure(2)); }
