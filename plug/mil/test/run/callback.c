/* Has the functions that callback.lc calls. Results have bits that their types do not have. */
#include <stdint.h>
#include <stdio.h>
#ifndef WORD
#define WORD uint32_t
#endif
WORD limit(void) { return 1000; }
WORD next(WORD color) { return (color + 1) | 0xf0; }
WORD both(WORD x, WORD yes) { return x == 5 && yes == 1 ? 2 : 0; }
WORD* fill(WORD* at) {
    *at = 20000;
    return at;
}
WORD run(WORD, WORD);
int main(void) { printf("%d %d\n", (int)run(1, 5), (int)run(2, 6)); }
