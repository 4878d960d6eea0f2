#include <stdint.h>
#include <stdio.h>

struct big {
    int8_t tag;
    int32_t elems[300];
    double last;
};

struct big m_next(struct big b, int32_t k);
void m_fill(struct big* all, int64_t n);

struct big c_scale(struct big b, int32_t by) {
    for (int i = 0; i < 300; ++i) b.elems[i] *= by;
    b.last *= 2;
    return b;
}

int main(void) {
    struct big b = {1, {0}, 1.5};
    for (int i = 0; i < 300; ++i) b.elems[i] = i;
    struct big c = m_next(b, 10);
    struct big all[3];
    m_fill(all, 3);
    printf("%d %d %d %g\n", b.elems[7], b.elems[299], b.tag, b.last);
    printf("%d %d %d %d %g\n", c.elems[7], c.elems[10], c.elems[299], c.tag, c.last);
    for (int i = 0; i < 3; ++i) printf("%d %d %d %g\n", all[i].tag, all[i].elems[0], all[i].elems[299], all[i].last);
    return 0;
}
