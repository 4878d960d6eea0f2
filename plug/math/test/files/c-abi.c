// The other side of c-abi.mim. The prototypes of m_… and the structs come from the header that Mim emits. Clang converts to __bf16 by
// calling a function that the libraries of gcc 12 lack, so this is done by hand, and without optimization clang calls it for nothing.
#include <stdio.h>
#include <string.h>

static __bf16 brain(float f) {
    __bf16 b;
    memcpy(&b, (char*)&f + 2, 2);
    return b;
}

typedef mim_struct_1 Wide;
typedef mim_struct_2 Pair;
typedef mim_struct_3 Result;
typedef mim_struct_4 Mixed;
typedef mim_struct_5 Small;
typedef mim_struct_6 Halves;
typedef mim_struct_7 Uneven;

double c_scalars(_Float16 h, __bf16 b, float s, double d, uint32_t n) { return (float)h + (float)b * 10 + s * 100 + d * 1000 + n * 1e4; }
Wide c_pair(Pair p) { return (Wide){p.e0, p.e1}; }
Result c_mixed(Mixed m) { return (Result){m.e1, m.e0 + m.e2}; }
Small c_halves(Halves h) { return (Small){brain(h.e0), h.e1 + h.e2}; }
float c_many(double a, double b, double c, double d, double e, double f, double g, Uneven s, Wide t) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * s.e0 + 9 * s.e1 + 10 * t.e0 + 11 * t.e1;
}

int main(void) {
    printf("%.17g\n", m_scalars(0.5f, brain(2), 3, 4, 5));
    printf("%g %g %.9g %.17g\n", (float)m_half(1.5f, 2049), (float)m_brain(brain(0x1p-130f), brain(0x1p-133f)), m_single(0.1f, 3), m_double(0.1, 3));
    Wide w = m_pair((Pair){1.5f, 2.5f});
    printf("%g %g\n", w.e0, w.e1);
    Result r = m_mixed((Mixed){0.5f, 7, 1.25});
    printf("%u %g\n", r.e0, r.e1);
    Small s = m_halves((Halves){1, 2, 3});
    printf("%g %g\n", (float)s.e0, (float)s.e1);
    printf("%g\n", m_many(1, 2, 3, 4, 5, 6, 7, (Uneven){8, 9}, (Wide){10, 11}));
}
