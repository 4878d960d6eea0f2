// SPDX-License-Identifier: MIT
// The same kernels as a person writes them in C who wants them to be fast: loops in an order that reads memory as it
// lies, sums in registers, and what is independent side by side. Each sum is added in the same order as ours. Those
// that plain.c does not have are what a person writes plainly, too.
// `-ffast-math` is what `product_fast`, `apply` and `moments_fast` may do, and no other.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define R restrict

/// Four terms at once, added in order: a row of the result is loaded and stored a quarter as often.
static void product(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    memset(c, 0, l * n * sizeof *c);
    uint64_t k = 0;
    for (; k + 4 <= m; k += 4)
        for (uint64_t i = 0; i < l; ++i) {
            double x = a[i * m + k], y = a[i * m + k + 1], z = a[i * m + k + 2], w = a[i * m + k + 3];
            const double* R row = b + k * n;
            for (uint64_t j = 0; j < n; ++j)
                c[i * n + j] = c[i * n + j] + x * row[j] + y * row[n + j] + z * row[2 * n + j] + w * row[3 * n + j];
        }
    for (; k < m; ++k)
        for (uint64_t i = 0; i < l; ++i)
            for (uint64_t j = 0; j < n; ++j) c[i * n + j] += a[i * m + k] * b[k * n + j];
}

#ifdef FAST
void c_product_fast(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    product(l, m, n, a, b, c);
}
void c_apply(uint64_t n, uint64_t m, const double* R a, const double* R x, double* R y) {
    for (uint64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (uint64_t j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}
void c_moments_fast(uint64_t n, const double* R a, double* R b) {
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; ++i) sum += a[i], squares += a[i] * a[i];
    b[0] = sum, b[1] = sum / (double)n, b[2] = squares / (double)n - b[1] * b[1];
}
#else
void c_product(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    product(l, m, n, a, b, c);
}
static void transpose(uint64_t n, uint64_t m, const double* R a, double* R b);
void c_product_nt(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    double* rows = malloc(m * n * sizeof *rows);
    transpose(n, m, b, rows);
    product(l, m, n, a, rows, c);
    free(rows);
}
void c_product_tn(uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    double* rows = malloc(l * m * sizeof *rows);
    transpose(m, l, a, rows);
    product(l, m, n, rows, b, c);
    free(rows);
}
/// In blocks of 16 × 16: each line of memory that is read or written is used as a whole.
static void transpose(uint64_t n, uint64_t m, const double* R a, double* R b) {
    for (uint64_t i = 0; i < m; i += 16)
        for (uint64_t j = 0; j < n; j += 16) {
            uint64_t end = i + 16 < m ? i + 16 : m, last = j + 16 < n ? j + 16 : n;
            for (uint64_t k = i; k < end; ++k)
                for (uint64_t t = j; t < last; ++t) b[k * n + t] = a[t * m + k];
        }
}
void c_transpose(uint64_t n, uint64_t m, const double* R a, double* R b) { transpose(n, m, a, b); }
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
void c_moments(uint64_t n, const double* R a, double* R b) {
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; ++i) sum += a[i], squares += a[i] * a[i];
    b[0] = sum, b[1] = sum / (double)n, b[2] = squares / (double)n - b[1] * b[1];
}
/// Eight rows at once: the terms of each are added in order.
void c_apply_strict(uint64_t n, uint64_t m, const double* R a, const double* R x, double* R y) {
    uint64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        double sum[8] = {0};
        for (uint64_t j = 0; j < m; ++j)
            for (uint64_t r = 0; r < 8; ++r) sum[r] += a[(i + r) * m + j] * x[j];
        memcpy(y + i, sum, sizeof sum);
    }
    for (; i < n; ++i) {
        double sum = 0;
        for (uint64_t j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}
void c_batched(uint64_t k, uint64_t l, uint64_t m, uint64_t n, const double* R a, const double* R b, double* R c) {
    for (uint64_t i = 0; i < k; ++i) product(l, m, n, a + i * l * m, b + i * m * n, c + i * l * n);
}
void c_batched16(uint64_t k, const double* R a, const double* R b, double* R c) {
    for (uint64_t q = 0; q < k; ++q)
        for (uint64_t i = 0; i < 16; ++i) {
            double row[16] = {0};
            for (uint64_t t = 0; t < 16; ++t)
                for (uint64_t j = 0; j < 16; ++j) row[j] += a[(q * 16 + i) * 16 + t] * b[(q * 16 + t) * 16 + j];
            memcpy(c + (q * 16 + i) * 16, row, sizeof row);
        }
}
/// Sums of 32 neighbours stay in registers.
static inline void conv(uint64_t w, uint64_t kh, uint64_t kw, uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) {
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t j = 0;
        for (; j + 32 <= m; j += 32) {
            double sum[32] = {0};
            for (uint64_t u = 0; u < kh; ++u)
                for (uint64_t v = 0; v < kw; ++v)
                    for (uint64_t t = 0; t < 32; ++t) sum[t] += a[(i + u) * w + j + t + v] * f[u * kw + v];
            memcpy(b + i * m + j, sum, sizeof sum);
        }
        for (; j < m; ++j) {
            double sum = 0;
            for (uint64_t u = 0; u < kh; ++u)
                for (uint64_t v = 0; v < kw; ++v) sum += a[(i + u) * w + j + v] * f[u * kw + v];
            b[i * m + j] = sum;
        }
    }
}
void c_conv(uint64_t h, uint64_t w, uint64_t kh, uint64_t kw, uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) {
    (void)h;
    conv(w, kh, kw, n, m, a, f, b);
}
void c_stencil9(uint64_t n, uint64_t m, const double* R a, const double* R f, double* R b) { conv(m + 2, 3, 3, n, m, a, f, b); }
void c_attention(uint64_t n, uint64_t d, const double* R q, const double* R k, const double* R v, double* R to) {
    double *kt = malloc(n * d * sizeof *kt), *row = malloc(n * sizeof *row);
    for (uint64_t j = 0; j < n; ++j)
        for (uint64_t t = 0; t < d; ++t) kt[t * n + j] = k[j * d + t];
    for (uint64_t i = 0; i < n; ++i) {
        product(1, d, n, q + i * d, kt, row);
        double hi = -INFINITY, sum = 0;
        for (uint64_t j = 0; j < n; ++j) hi = row[j] > hi ? row[j] : hi;
        for (uint64_t j = 0; j < n; ++j) sum += row[j] = exp(row[j] - hi);
        for (uint64_t j = 0; j < n; ++j) row[j] /= sum;
        product(1, n, d, row, v, to + i * d);
    }
    free(kt), free(row);
}
static double lse(uint64_t n, const double* R a) {
    double hi = -INFINITY, sum = 0;
    for (uint64_t i = 0; i < n; ++i) hi = a[i] > hi ? a[i] : hi;
    for (uint64_t i = 0; i < n; ++i) sum += exp(a[i] - hi);
    return hi + log(sum);
}
/// Point by point.
void c_gmm(uint64_t k, uint64_t d, uint64_t n, const double* R alphas, const double* R means, const double* R q, const double* R l,
           const double* R x, double* R to) {
    double *scale = malloc(k * d * sizeof *scale), *det = malloc(k * sizeof *det);
    double *u = malloc(d * sizeof *u), *terms = malloc(k * sizeof *terms), total = 0;
    for (uint64_t c = 0; c < k; ++c) {
        det[c] = 0;
        for (uint64_t i = 0; i < d; ++i) scale[c * d + i] = exp(q[c * d + i]), det[c] += q[c * d + i];
    }
    for (uint64_t p = 0; p < n; ++p) {
        for (uint64_t c = 0; c < k; ++c) {
            double square = 0;
            for (uint64_t i = 0; i < d; ++i) {
                u[i]       = x[p * d + i] - means[c * d + i];
                double dot = 0;
                for (uint64_t j = 0; j < i; ++j) dot += l[(c * d + i) * d + j] * u[j];
                double y = scale[c * d + i] * u[i] + dot;
                square += y * y;
            }
            terms[c] = alphas[c] + det[c] - 0.5 * square;
        }
        total += lse(k, terms);
    }
    to[0] = total - (double)n * lse(k, alphas);
    free(scale), free(det), free(u), free(terms);
}
/// Centres side by side.
void c_kmeans(uint64_t n, uint64_t d, uint64_t k, const double* R x, const double* R c, double* R to) {
    double *ct = malloc(k * d * sizeof *ct), *far = malloc(k * sizeof *far), *counts = calloc(k, sizeof *counts);
    memset(to, 0, k * d * sizeof *to);
    for (uint64_t j = 0; j < k; ++j)
        for (uint64_t t = 0; t < d; ++t) ct[t * k + j] = c[j * d + t];
    for (uint64_t i = 0; i < n; ++i) {
        memset(far, 0, k * sizeof *far);
        for (uint64_t t = 0; t < d; ++t)
            for (uint64_t j = 0; j < k; ++j) far[j] += (x[i * d + t] - ct[t * k + j]) * (x[i * d + t] - ct[t * k + j]);
        double least     = INFINITY;
        uint64_t nearest = 0;
        for (uint64_t j = 0; j < k; ++j)
            if (far[j] < least) least = far[j], nearest = j;
        counts[nearest] += 1;
        for (uint64_t t = 0; t < d; ++t) to[nearest * d + t] += x[i * d + t];
    }
    for (uint64_t j = 0; j < k; ++j)
        for (uint64_t t = 0; t < d; ++t) to[j * d + t] /= counts[j];
    free(ct), free(far), free(counts);
}
/// Sixteen bodies side by side: the forces on each are added in order.
void c_nbody(uint64_t n, const double* R x, const double* R y, const double* R z, const double* R m, double* R to) {
    for (uint64_t i = 0; i < n; i += 16) {
        double fx[16] = {0}, fy[16] = {0}, fz[16] = {0}, px[16], py[16], pz[16];
        for (uint64_t t = 0; t < 16; ++t) {
            uint64_t at = i + t < n ? i + t : n - 1;
            px[t] = x[at], py[t] = y[at], pz[t] = z[at];
        }
        for (uint64_t j = 0; j < n; ++j)
            for (uint64_t t = 0; t < 16; ++t) {
                double dx = x[j] - px[t], dy = y[j] - py[t], dz = z[j] - pz[t];
                double square = dx * dx + dy * dy + dz * dz + 0.01;
                double weight = m[j] / (square * sqrt(square));
                fx[t] += dx * weight, fy[t] += dy * weight, fz[t] += dz * weight;
            }
        for (uint64_t t = 0; t < 16 && i + t < n; ++t) to[(i + t) * 3] = fx[t], to[(i + t) * 3 + 1] = fy[t], to[(i + t) * 3 + 2] = fz[t];
    }
}
void c_mriq(uint64_t n, uint64_t k, const double* R fx, const double* R fy, const double* R fz, const double* R strength,
            const double* R x, const double* R y, const double* R z, double* R to) {
    for (uint64_t i = 0; i < n; ++i) {
        double re = 0, im = 0;
        for (uint64_t j = 0; j < k; ++j) {
            double angle = 6.283185307179586 * (fx[j] * x[i] + fy[j] * y[i] + fz[j] * z[i]);
            re += strength[j] * cos(angle), im += strength[j] * sin(angle);
        }
        to[2 * i] = re, to[2 * i + 1] = im;
    }
}
#endif
