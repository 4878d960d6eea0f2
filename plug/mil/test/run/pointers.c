#include <stdint.h>
#include <stdio.h>

extern void* push(WORD, void*);
extern WORD top(void*);
extern void* drop(void*);
extern WORD is_last(void*);
extern WORD device_of(void);

static int here;
void* device(void) { return &here; }
WORD seen(void* p, void* a) { return p == &here && a == &here ? 77 : 1; }

int main(void) {
    void* list = 0;
    for (WORD i = 1; i != 4; ++i) list = push(i * i, list);
    while (list) {
        printf("%u %u\n", (unsigned)top(list), (unsigned)is_last(list));
        list = drop(list);
    }
    printf("%u %d %u\n", (unsigned)top(0), drop(0) == 0, (unsigned)device_of());
}
