// SPDX-License-Identifier: MIT
// The same kernels as a person writes them in C: plain loops, in an order that reads memory as it lies. `-ffast-math` is what `mim_product_fast` and
// `mim_apply` may do, and no other.
#include <math.h>
#include <stdint.h>
#include <string.h>
#define R restrict

#ifdef FAST
void c_product_fast(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    memset(c, 0, l * n * sizeof *c);
    for (uint64_t i = 0; i < l; ++i)
        for (uint64_t k = 0; k < m; ++k)
            for (uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * m + k] * b[k * n + j];
}
void c_apply(uint64_t n, uint64_t m, const double* R a, const double* R x, double* R y) {
    for (uint64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (uint64_t j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}
#else
void c_product(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    memset(c, 0, l * n * sizeof *c);
    for (uint64_t i = 0; i < l; ++i)
        for (uint64_t k = 0; k < m; ++k)
            for (uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * m + k] * b[k * n + j];
}
void c_transpose(uint64_t n, uint64_t m, const double* R a, double* R b) {
    for (uint64_t i = 0; i < m; ++i)
        for (uint64_t j = 0; j < n; ++j) b[i * n + j] = a[j * m + i];
}
void c_chain(uint64_t n, const double* R a, double* R b) {
    for (uint64_t i = 0; i < n; ++i) {
        double x = a[i] * 0.5 + 1;
        x        = x * 3.0 + 1;
        x        = x * 1.25 + 1;
        x        = x * 2.5 + 1;
        b[i]     = x * 1.5 + 1;
    }
}
void c_softmax(uint64_t n, uint64_t m, const double* R a, double* R b) {
    for (uint64_t i = 0; i < n; ++i) {
        const double* x = a + i * m;
        double* y       = b + i * m;
        double hi = -INFINITY, sum = 0;
        for (uint64_t j = 0; j < m; ++j) hi = x[j] > hi ? x[j] : hi;
        for (uint64_t j = 0; j < m; ++j) sum += y[j] = exp(x[j] - hi);
        for (uint64_t j = 0; j < m; ++j) y[j] /= sum;
    }
}
void c_layer_norm(uint64_t n, uint64_t m, const double* R a, double* R b) {
    for (uint64_t i = 0; i < n; ++i) {
        const double* x = a + i * m;
        double sum = 0, squares = 0;
        for (uint64_t j = 0; j < m; ++j) sum += x[j];
        double mean = sum / (double)m;
        for (uint64_t j = 0; j < m; ++j) squares += (x[j] - mean) * (x[j] - mean);
        double scale = 1.0 / sqrt(squares / (double)m + 0.00001);
        for (uint64_t j = 0; j < m; ++j) b[i * m + j] = (x[j] - mean) * scale;
    }
}
void c_stencil(uint64_t n, uint64_t m, const double* R a, double* R b) {
    uint64_t w = m + 2;
    for (uint64_t i = 0; i < n; ++i)
        for (uint64_t j = 0; j < m; ++j) {
            const double* x = a + (i + 1) * w + j + 1;
            b[i * m + j]    = x[0] * 0.5 + (x[-(int64_t)w] + x[1] + x[w] + x[-1]) * 0.125;
        }
}
void c_gather(uint64_t n, uint64_t m, const double* R a, const uint64_t* R h, double* R b) {
    (void)n;
    for (uint64_t i = 0; i < m; ++i) b[i] = a[h[i]];
}
void c_scatter(uint64_t n, uint64_t m, const double* R a, const uint64_t* R h, const double* R v, double* R b) {
    memcpy(b, a, n * sizeof *b);
    for (uint64_t i = 0; i < m; ++i) b[h[i]] += v[i];
}
#endif
