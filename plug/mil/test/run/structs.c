/* Reads and writes the areas of structs.lc as C has them. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifndef WORD
#define WORD uint32_t
#endif
struct Point {
    uint32_t x, y;
};
struct Pixel {
    uint8_t color, flags[3];
    uint32_t level;
    struct Point at;
};
struct Line {
    struct Pixel from, to;
    uint8_t padding[8];
};
struct Line* theLine(void);
struct Point* theTable(void);
void move(struct Pixel*, WORD);
WORD colorOf(struct Pixel*);
int main(void) {
    struct Line* line = theLine();
    move(&line->from, 16);
    printf("%u %u\n", line->from.at.x, line->to.at.y);
    printf("%d %d %u\n", line->from.color, line->to.flags[2], line->to.level);
    line->from.color = 3;
    printf("%u\n", (unsigned)colorOf(&line->from));
    printf("%u %u %d\n", theTable()[3].y, theTable()[0].x, (int)((uintptr_t)line % 8));
}
