/* Calls all functions of entries.lc, with bits that their types do not have. */
#include <stdint.h>
#include <stdio.h>
#ifndef WORD
#define WORD uint32_t
#endif
WORD twice(WORD);
WORD negative(WORD);
WORD limit(void);
WORD count(void);
void* place(void);
WORD half(WORD, WORD);
WORD swap(WORD);
void note(void*, WORD);
void nothing(void);
WORD apply(WORD);
static long number(WORD w) { return (long)w; }
int main(void) {
    printf("%ld %ld %ld %ld\n", number(twice(21)), number(negative(-(WORD)1)), number(negative(1)), number(limit()));
    note(place(), 5);
    printf("%ld %ld\n", number(count()), number(*(WORD*)place()));
    printf("%ld %ld\n", number(half(1, 0)), number(half(0xfb, 3)));
    printf("%ld %ld\n", number(swap(0xf01)), number(swap(0x83)));
    nothing();
    fflush(stdout);
    printf("%ld\n", number(apply(8)));
}
