// The other side of c-abi.mim: each function checks what it got.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef struct { uint8_t a; uint16_t b; } Small;
typedef struct { uint64_t a; uint32_t b; } Pair;
typedef struct { uint32_t a; uint64_t b; } Riap;
typedef struct { uint64_t a, b, c; } Big;
typedef struct { uint64_t a, b; } Two;

uint16_t m_small(Small, uint8_t);
Riap m_pair(Pair);
Big m_big(Big, uint32_t);
uint64_t m_many(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, Two, Pair);
bool m_pred(uint8_t);
__attribute__((noreturn)) void m_fail(uint32_t);

uint16_t c_small(Small s, uint8_t n) { return s.a + s.b + n; }
Riap c_pair(Pair p) { return (Riap){p.b, p.a}; }
Big c_big(Big s, uint32_t x) { return (Big){s.a + x, s.b + x, s.c + x}; }
uint64_t c_many(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, Two s, Pair t) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * s.a + 7 * s.b + 8 * t.a + 9 * t.b;
}

int main(void) {
    printf("%u\n", m_small((Small){200, 1000}, 255));
    Riap r = m_pair((Pair){1ull << 40, 7});
    printf("%u %llu\n", r.a, (unsigned long long)r.b);
    Big b = m_big((Big){1, 2, 3}, 10);
    printf("%llu %llu %llu\n", (unsigned long long)b.a, (unsigned long long)b.b, (unsigned long long)b.c);
    printf("%llu\n", (unsigned long long)m_many(1, 2, 3, 4, 5, (Two){6, 7}, (Pair){8, 9}));
    printf("%d %d\n", m_pred(99), m_pred(100));
    fflush(stdout);
    m_fail(3);
}
