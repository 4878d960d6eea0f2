// SPDX-License-Identifier: MIT
// The same kernels as a person writes them in C plainly: the loops of the formula, `restrict`, and nothing unrolled or
// blocked by hand. Only those that kernels.c has in another form; the others are plain there.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define R restrict

static inline void product(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    memset(c, 0, l * n * sizeof *c);
    for (uint64_t i = 0; i < l; ++i)
        for (uint64_t k = 0; k < m; ++k)
            for (uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * m + k] * b[k * n + j];
}

#ifdef FAST
void c_product_fast(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    product(l, m, n, a, b, c);
}
#else
void c_product(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    product(l, m, n, a, b, c);
}
void c_product_nt(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    for (uint64_t i = 0; i < l; ++i)
        for (uint64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (uint64_t k = 0; k < m; ++k) sum += a[i * m + k] * b[j * m + k];
            c[i * n + j] = sum;
        }
}
void c_product_tn(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    memset(c, 0, l * n * sizeof *c);
    for (uint64_t k = 0; k < m; ++k)
        for (uint64_t i = 0; i < l; ++i)
            for (uint64_t j = 0; j < n; ++j) c[i * n + j] += a[k * l + i] * b[k * n + j];
}
void c_transpose(uint64_t n, uint64_t m, const double* R a, double* R b) {
    for (uint64_t i = 0; i < m; ++i)
        for (uint64_t j = 0; j < n; ++j) b[i * n + j] = a[j * m + i];
}
void c_apply_strict(uint64_t n, uint64_t m, const double* R a, const double* R x, double* R y) {
    for (uint64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (uint64_t j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}
void c_batched(uint64_t k, uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    for (uint64_t i = 0; i < k; ++i) product(l, m, n, a + i * l * m, b + i * m * n, c + i * l * n);
}
void c_batched16(uint64_t k, const double* R a, const double* R b, double* R c) {
    for (uint64_t i = 0; i < k; ++i) product(16, 16, 16, a + i * 256, b + i * 256, c + i * 256);
}
static inline void conv(uint64_t w, uint64_t kh, uint64_t kw, uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) {
    for (uint64_t i = 0; i < n; ++i)
        for (uint64_t j = 0; j < m; ++j) {
            double sum = 0;
            for (uint64_t u = 0; u < kh; ++u)
                for (uint64_t v = 0; v < kw; ++v) sum += a[(i + u) * w + j + v] * f[u * kw + v];
            b[i * m + j] = sum;
        }
}
void c_conv(uint64_t h, uint64_t w, uint64_t kh, uint64_t kw, uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) {
    (void)h;
    conv(w, kh, kw, n, m, a, f, b);
}
void c_stencil9(uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) { conv(m + 2, 3, 3, n, m, a, f, b); }
void c_attention(uint64_t n, uint64_t d, const double* R q, const double* R k, const double* R v, double* R to) {
    double* row = malloc(n * sizeof *row);
    for (uint64_t i = 0; i < n; ++i) {
        double hi = -INFINITY, sum = 0;
        for (uint64_t j = 0; j < n; ++j) {
            row[j] = 0;
            for (uint64_t t = 0; t < d; ++t) row[j] += q[i * d + t] * k[j * d + t];
        }
        for (uint64_t j = 0; j < n; ++j) hi = row[j] > hi ? row[j] : hi;
        for (uint64_t j = 0; j < n; ++j) sum += row[j] = exp(row[j] - hi);
        for (uint64_t j = 0; j < n; ++j) row[j] /= sum;
        product(1, n, d, row, v, to + i * d);
    }
    free(row);
}
void c_kmeans(uint64_t n, uint64_t d, uint64_t k, const double* R x, const double* R c, double* R to) {
    double* counts = calloc(k, sizeof *counts);
    memset(to, 0, k * d * sizeof *to);
    for (uint64_t i = 0; i < n; ++i) {
        double least     = INFINITY;
        uint64_t nearest = 0;
        for (uint64_t j = 0; j < k; ++j) {
            double far = 0;
            for (uint64_t t = 0; t < d; ++t) far += (x[i * d + t] - c[j * d + t]) * (x[i * d + t] - c[j * d + t]);
            if (far < least) least = far, nearest = j;
        }
        counts[nearest] += 1;
        for (uint64_t t = 0; t < d; ++t) to[nearest * d + t] += x[i * d + t];
    }
    for (uint64_t j = 0; j < k; ++j)
        for (uint64_t t = 0; t < d; ++t) to[j * d + t] /= counts[j];
    free(counts);
}
void c_nbody(uint64_t n, const double* R x, const double* R y, const double* R z, const double* R m, double* R to) {
    for (uint64_t i = 0; i < n; ++i) {
        double fx = 0, fy = 0, fz = 0;
        for (uint64_t j = 0; j < n; ++j) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double square = dx * dx + dy * dy + dz * dz + 0.01;
            double weight = m[j] / (square * sqrt(square));
            fx += dx * weight, fy += dy * weight, fz += dz * weight;
        }
        to[i * 3] = fx, to[i * 3 + 1] = fy, to[i * 3 + 2] = fz;
    }
}
#endif
